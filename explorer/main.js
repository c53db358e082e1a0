// The way in: the game, the language, the board on the left, and one pane on the right.

import { openGame, start } from './answers/api.js';
import { unanswered } from './answers/request.js';
import { BoardView } from './board/board-view.js';
import { GamePicker, toGame } from './board/game-picker.js';
import { button, el, tell } from './elements/dom.js';
import { Latest } from './elements/latest.js';
import { address, go, linkTo, onAddress } from './state/address.js';
import { addTexts, LANGUAGES, language, listed, setLanguage, t } from './words/i18n.js';

addTexts({
  en: {
    absent: '{name} has no tables for this pane. It has: {panes}.', skip: 'Skip to the board', panes: 'Panes', what: 'Small games, completely solved.',
    'pane.moves': 'Moves', 'pane.ais': 'AIs', 'pane.map': 'Map', 'pane.search': 'Search', 'pane.leaderboard': 'Leaderboard', 'pane.data': 'Data',
    failed: 'The game “{name}” cannot be shown.', elsewhere: 'This site has: {games}.', home: 'Go to {name}',
    version: 'Every value comes from the data of {name}, version {version}.', 'version.search': 'Every value of {name} comes from a search, version {version}.',
  },
  ja: {
    absent: '{name} にはこの表示に必要なテーブルがありません。表示できるもの：{panes}', skip: '盤面へ', panes: '表示の切り替え', what: '小さなゲームの完全解析。',
    'pane.moves': '着手', 'pane.ais': 'AI', 'pane.map': 'ゲーム木', 'pane.search': '探索', 'pane.leaderboard': 'AI の検証', 'pane.data': 'データ',
    failed: 'ゲーム「{name}」は表示できません。', elsewhere: 'このサイトにあるゲーム：{games}', home: '{name} を表示',
    version: '値はすべて {name} のデータによるものです（バージョン {version}）。', 'version.search': '{name} の値はすべて探索によるものです（バージョン {version}）。',
  },
});

/**
 * A pane is a module with `create(game)`: it returns { element, show(record), hide() } or a promise of
 * that. `show` is called when another position or another address is shown; the address says the rest.
 * A pane is made anew when the language or the game changes: its `hide` is then told { returns: true }.
 */
const MODULES = {
  moves: './position/moves-pane.js', ais: './position/ais-pane.js', map: './tree/tree-view.js',
  search: './search/search-pane.js', leaderboard: './leaderboard/leaderboard-view.js', data: './sql/sql-view.js',
};
const moduleOf = (name, { tables }) => (name === 'map' && !tables.includes('tree_bfs') ? './tree/grown-map.js' : MODULES[name]);
const panesOf = ({ panes, opponents }) => Object.keys(MODULES).filter((name) => (name === 'ais' ? opponents.length : panes.includes(name)));

const places = Object.fromEntries(['workspace', 'board', 'right', 'panes', 'pane', 'languages', 'version', 'picker'].map((id) => [id, document.getElementById(id)]));
const workspaceAnswer = new Latest(places.workspace);
const paneAnswer = new Latest(places.pane);
let made = new Map(); // The panes of this game and language: { promise, value: null until it is there }.
let board = null;
let shown = null; // The frame of a game that was built: { name, language, about }.
let showing = null; // Ends when what the address says is shown.

/** Build the frame when game or language are others, and show what the address says. */
async function show() {
  const parameters = address();
  const code = LANGUAGES.some(([each]) => each === parameters.get('lang')) ? parameters.get('lang') : language();
  if (code !== language()) setLanguage(code);
  await workspaceAnswer.take(async () => {
    const first = await start();
    const name = parameters.get('game') ?? first.game;
    return shown?.name === name && shown.language === code ? null : { first, name, ...await gameOf(first, name) };
  }, async (other) => {
    if (other?.error) showFailure(other, code);
    else {
      if (other) showGame(other, code);
      await board.show();
    }
  });
}

/** What the API says of a game, or why it says nothing. A site has all games that it lists, and no others. */
async function gameOf({ server, games }, name) {
  try {
    if (!server && !games.some((each) => each.name === name)) throw new Error(t('elsewhere', { games: listed(games.map((each) => each.name)) }));
    return { game: await openGame(name) };
  } catch (error) {
    if (error.status === 0) throw error; // It may be there the next time.
    return { error };
  }
}

function showGame({ first, name, game }, code) {
  frame(first, game, code);
  shown = { name, language: code, about: game };
  board = new BoardView(game, (record) => { showPane(record); });
  places.board.replaceChildren(board.element);
}

function showFailure({ first, name, error }, code) {
  frame(first, null, code);
  places.board.replaceChildren(failureOf(first, name, error));
}

/** Take leave of the panes before another game or language is shown. */
function leavePanes() {
  for (const { value } of made.values()) value?.hide?.({ returns: true });
}

/** Build what is around the board of a game; without one (null) what leads to others. */
function frame(first, about, code) {
  leavePanes();
  const hadFocus = places.languages.contains(document.activeElement);
  board?.hide();
  made = new Map();
  paneAnswer.drop(); // A pane that still loads belongs to what was shown before.
  board = shown = null;
  document.documentElement.lang = code;
  document.title = about ? `${about.name} | marubatsu` : 'marubatsu';
  document.querySelector('.skip').textContent = t('skip');
  document.querySelector('.what').textContent = t('what');
  places.version.textContent = about ? t(about.tables.length ? 'version' : 'version.search', about) : '';
  places.right.hidden = !about;
  places.panes.setAttribute('aria-label', t('panes'));
  places.panes.replaceChildren(...(about ? panesOf(about) : []).map((each) => el('a', linkOf(each), t(`pane.${each}`))));
  places.picker.replaceChildren(new GamePicker(first, about).element);
  places.languages.replaceChildren(...LANGUAGES.map(([each, own]) =>
    button(own, () => go({ lang: each }, { replace: true }), { lang: each, 'aria-pressed': String(each === code) })));
  if (hadFocus) places.languages.querySelector('[aria-pressed="true"]').focus();
  tell('');
}

/** Why a game is not shown, in the words of the API, which are English; and the way to the first game. */
const failureOf = (first, name, { message, status }) => el('div', {},
  el('p', { class: 'error', role: 'alert' }, t('failed', { name }), t('lead.space'), el('span', { lang: status ? 'en' : null }, message)),
  name !== first.game && el('p', {}, el('a', linkTo(toGame()), t('home', { name: first.game }))));

const linkOf = (pane) => {
  const link = linkTo({ pane: pane === 'moves' ? null : pane });
  return { ...link, dataset: { ...link.dataset, pane } };
};

/** Show the pane that the address names, for the position of a record. */
async function showPane(record) {
  const { about } = shown;
  const name = address().get('pane') ?? 'moves';
  for (const link of places.panes.children) {
    if (link.dataset.pane === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  for (const [each, { value }] of made) if (each !== name) value?.hide?.({});
  await paneAnswer.take(async () => {
    if (!panesOf(about).includes(name)) {
      throw new Error(t('absent', { name: about.name, panes: listed(panesOf(about).map((each) => t(`pane.${each}`))) }));
    }
    return paneOf(name, about);
  }, async (pane) => {
    if (!places.pane.contains(pane.element)) paneAnswer.put(pane.element);
    await pane.show(record);
  });
}

/** The pane of a name, made once; one that cannot be loaded is made again when it is asked for again. */
function paneOf(name, about) {
  const here = made;
  if (!here.has(name)) {
    const module = import(moduleOf(name, about)).catch((cause) => { throw unanswered(cause); });
    const entry = { promise: module.then(({ create }) => create(about)), value: null };
    entry.promise.then((pane) => { entry.value = pane; }, () => here.delete(name));
    here.set(name, entry);
  }
  return here.get(name).promise;
}

/** Show a file that is dropped anywhere: a trace of a search, or an audit. */
async function drop(event) {
  event.preventDefault();
  const { target, dataTransfer: { files: [file] } } = event;
  if (!board?.record) await showing; // The page is just opened.
  if (!file || !board?.record) return;
  const { isTrace } = await import('./search/search-file.js');
  const changes = await isTrace(file) ? { pane: 'search' } : { pane: 'leaderboard', part: 'file' };
  go(changes, { quiet: true });
  await showPane(board.record);
  const pane = await made.get(changes.pane)?.promise;
  await pane?.take(file, target);
}

document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault(); // The address says what is shown, and stays.
  places.workspace.focus();
});
window.addEventListener('dragover', (event) => event.preventDefault());
window.addEventListener('drop', drop);
const showAddress = () => {
  showing = show();
};
onAddress(showAddress);
showAddress();
