// The way in: the game, the language, the board on the left, and one pane on the right.

import { chooseGame, game, start } from './answers/api.js';
import { BoardView } from './board/board-view.js';
import { GamePicker } from './board/game-picker.js';
import { button, el, tell } from './elements/dom.js';
import { address, go, linkTo, onAddress } from './state/address.js';
import { addTexts, LANGUAGES, language, listed, setLanguage, t } from './words/i18n.js';

addTexts({
  en: {
    loading: 'Loading…', absent: '{name} has no tables for this pane. It has: {panes}.', skip: 'Skip to the board', panes: 'Panes', what: 'Small games, completely solved.',
    'pane.moves': 'Moves', 'pane.ais': 'AIs', 'pane.map': 'Map', 'pane.search': 'Search', 'pane.leaderboard': 'Leaderboard', 'pane.data': 'Data',
    version: 'Every value comes from the data of {name}, version {version}.', 'version.search': 'Every value of {name} comes from a search, version {version}.',
  },
  ja: {
    loading: '読み込み中…', absent: '{name} にはこの表示に必要なテーブルがありません。表示できるもの：{panes}', skip: '盤面へ', panes: '表示の切り替え', what: '小さなゲームの完全解析。',
    'pane.moves': '着手', 'pane.ais': 'AI', 'pane.map': 'ゲーム木', 'pane.search': '探索', 'pane.leaderboard': 'AI の検証', 'pane.data': 'データ',
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

const places = Object.fromEntries(['workspace', 'board', 'panes', 'pane', 'languages', 'version', 'picker'].map((id) => [id, document.getElementById(id)]));
let made = new Map(); // The panes of this game and language.
let board = null;
let shown = null; // What frame was built: { name, language, about }.
let wanted = 0; // How often a pane was to be shown.
let showing = null; // Ends when what the address says is shown.

/** Build the frame when game or language are others, and show what the address says. */
async function show() {
  const asked = address();
  const code = LANGUAGES.some(([each]) => each === asked.get('lang')) ? asked.get('lang') : language();
  if (!board) places.board.textContent = t('loading');
  const first = await start();
  const name = asked.get('game') ?? first.game;
  if (code !== language()) setLanguage(code);
  if (shown?.name !== name || shown.language !== code) await frame(first, name, code);
  await board.show();
}

async function frame(first, name, code) {
  const hadFocus = places.languages.contains(document.activeElement);
  chooseGame(name);
  places.board.setAttribute('aria-busy', 'true');
  const about = await game();
  places.board.removeAttribute('aria-busy');
  for (const pane of made.values()) (await pane).hide?.({ returns: true });
  board?.hide();
  made = new Map();
  shown = { name, language: code, about };
  document.documentElement.lang = code;
  document.title = `${about.name} | marubatsu`;
  document.querySelector('.skip').textContent = t('skip');
  document.querySelector('.what').textContent = t('what');
  places.version.textContent = t(about.tables.length ? 'version' : 'version.search', about);
  places.panes.setAttribute('aria-label', t('panes'));
  places.panes.replaceChildren(...panesOf(about).map((each) => el('a', linkOf(each), t(`pane.${each}`))));
  places.picker.replaceChildren(new GamePicker(first, about).element);
  places.languages.replaceChildren(...LANGUAGES.map(([each, own]) =>
    button(own, () => go({ lang: each }, { replace: true }), { lang: each, 'aria-pressed': String(each === code) })));
  if (hadFocus) places.languages.querySelector('[aria-pressed="true"]').focus();
  board = new BoardView(about, (record) => { showPane(record); });
  places.board.replaceChildren(board.element);
  tell('');
}

const linkOf = (pane) => {
  const link = linkTo({ pane: pane === 'moves' ? null : pane });
  return { ...link, dataset: { ...link.dataset, pane } };
};

/** Show the pane that the address names, for the position of a record. */
async function showPane(record) {
  const mine = ++wanted;
  const { about } = shown;
  const name = address().get('pane') ?? 'moves';
  for (const link of places.panes.children) {
    if (link.dataset.pane === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  try {
    if (!panesOf(about).includes(name)) {
      throw new Error(t('absent', { name: about.name, panes: listed(panesOf(about).map((each) => t(`pane.${each}`))) }));
    }
    const here = made;
    for (const [each, pane] of made) if (each !== name) (await pane).hide?.({});
    if (!here.has(name)) here.set(name, import(moduleOf(name, about)).then((module) => module.create(about)));
    const pane = await here.get(name);
    if (mine !== wanted) return; // Something else is shown by now.
    if (places.pane.firstChild !== pane.element) places.pane.replaceChildren(pane.element);
    await pane.show(record);
  } catch (error) {
    made.delete(name); // Try again next time.
    if (mine === wanted) places.pane.replaceChildren(el('p', { class: 'error', role: 'alert' }, error.message));
  }
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
  const pane = await made.get(changes.pane);
  await pane?.take(file, target);
}

async function showOrTell() {
  try {
    await show();
  } catch (error) {
    places.board.replaceChildren(el('p', { class: 'error', role: 'alert' }, error.message));
    shown = null; // What stands there now is no frame.
  }
}

document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault(); // The address says what is shown, and stays.
  places.workspace.focus();
});
window.addEventListener('dragover', (event) => event.preventDefault());
window.addEventListener('drop', drop);
const showAddress = () => { showing = showOrTell(); };
onAddress(showAddress);
showAddress();
