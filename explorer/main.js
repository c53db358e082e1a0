// The way in: the game, the language, the first screen with the board and the whole game, and one pane
// below it.

import { openGame, start } from './answers/api.js';
import { unanswered } from './answers/request.js';
import { BoardView } from './board/board-view.js';
import { makeStrip, toGame } from './board/game-strip.js';
import { button, el, tell } from './elements/dom.js';
import { Latest } from './elements/latest.js';
import { address, go, linkTo, onAddress } from './state/address.js';
import { nameOfGame } from './words/game-names.js';
import { addTexts, LANGUAGES, language, listed, number, setLanguage, t } from './words/i18n.js';

addTexts({
  en: {
    absent: '{name} has no pane “{pane}”. It has: {panes}.', untabled: 'This pane needs tables, which {name} does not have. It has: {panes}.',
    skip: 'Skip to the board', panes: 'Panes', what: 'Small games, completely solved.',
    'pane.moves': 'Every move', 'pane.ais': 'What AIs play here', 'pane.map': 'The whole tree', 'pane.search': 'Watch a search prune', 'pane.leaderboard': '{ais} AIs, judged', 'pane.file': 'Test yours', 'pane.data': 'Query it',
    'brief.moves': 'Moves', 'brief.ais': 'AIs', 'brief.map': 'Tree', 'brief.search': 'Search', 'brief.leaderboard': 'Judged', 'brief.file': 'Test', 'brief.data': 'Query',
    secret: 'What each move is worth is hidden while you play.', reveal: 'Show it',
    failed: 'The game “{name}” cannot be shown.', elsewhere: 'This site has: {games}.', home: 'Go to {name}',
    version: 'Every value comes from the data of {name}, version {version}.', 'version.search': 'Every value of {name} comes from a search, version {version}.',
    api: 'API', licence: 'MIT licence', credit: 'AIs and searches after the series 「Pythonで〇×ゲームのAIを一から作成する」',
  },
  ja: {
    absent: '{name} に「{pane}」という表示はありません。表示できるもの：{panes}', untabled: 'この表示に必要なテーブルが {name} にはありません。表示できるもの：{panes}',
    skip: '盤面へ', panes: '表示の切り替え', what: '小さなゲームの完全解析。',
    'pane.moves': 'すべての着手', 'pane.ais': 'AI ならどう打つか', 'pane.map': 'ゲーム木の全体', 'pane.search': '枝刈りを見る', 'pane.leaderboard': '{ais} 個の AI を検証', 'pane.file': '自分の AI を試す', 'pane.data': 'データを調べる',
    'brief.moves': '着手', 'brief.ais': 'AI', 'brief.map': '木', 'brief.search': '探索', 'brief.leaderboard': '検証', 'brief.file': '試す', 'brief.data': 'データ',
    secret: '対局中は、各合法手の評価値を隠しています。', reveal: '表示する',
    failed: 'ゲーム「{name}」は表示できません。', elsewhere: 'このサイトにあるゲーム：{games}', home: '{name} を表示',
    version: '値はすべて {name} のデータによるものです（バージョン {version}）。', 'version.search': '{name} の値はすべて探索によるものです（バージョン {version}）。',
    api: 'API', licence: 'MIT ライセンス', credit: 'AI と探索は連載「Pythonで〇×ゲームのAIを一から作成する」によります',
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
const TELLING = ['moves', 'ais', 'map']; // Panes that tell what moves are worth.
const moduleOf = (name, { tables }) => (name === 'map' && !tables.includes('tree_bfs') ? './tree/grown-map.js' : MODULES[name]);
const panesOf = ({ panes, opponents }) => Object.keys(MODULES).filter((name) => (name === 'ais' ? opponents.length : panes.includes(name)));

/** The tabs, each with what the address says of it; the part of the leaderboard for files has one of its own. */
const TABS = {
  moves: { pane: null, part: null }, search: { pane: 'search', part: null }, leaderboard: { pane: 'leaderboard', part: null }, file: { pane: 'leaderboard', part: 'file' },
  data: { pane: 'data', part: null }, map: { pane: 'map', part: null }, ais: { pane: 'ais', part: null },
};

const places = Object.fromEntries(['workspace', 'board', 'whole', 'games', 'explore', 'panes', 'pane', 'languages', 'foot'].map((id) => [id, document.getElementById(id)]));
const workspaceAnswer = new Latest(places.workspace);
const boardAnswer = new Latest(places.board, { keeps: true });
const paneAnswer = new Latest(places.pane);
let made = new Map(); // The panes of this game and language: { promise, value: null until it is there }.
let board = null;
let shown = null; // The frame of a game that was built: { name, language, game, first: the name of the first game }.
let showing = null; // Ends when what the address says is shown.
let isToScroll = address().has('pane'); // Whether the page is opened for its pane.

/** Build the frame when game or language are others, and show what the address says. */
async function show() {
  const parameters = address();
  const code = LANGUAGES.some(([each]) => each === parameters.get('lang')) ? parameters.get('lang') : language();
  if (code !== language()) setLanguage(code);
  if (shown?.language === code && shown.name === (parameters.get('game') ?? shown.first)) workspaceAnswer.drop();
  else {
    const isThere = await workspaceAnswer.take(async () => {
      const first = await start();
      const name = parameters.get('game') ?? first.game;
      return { first, name, ...await gameOf(first, name) };
    }, (answer) => (answer.error ? showFailure(answer, code) : showGame(answer, code)));
    if (!isThere || !board) return;
  }
  await boardAnswer.take(async () => {}, () => board.show());
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
  shown = { name, language: code, game, first: first.game };
  board = new BoardView(game, (record) => { showPane(record); });
  places.board.replaceChildren(board.element);
  places.whole.replaceChildren(board.whole.element);
}

/** Say why a game is not shown, in the words of the API, which are English; and lead to the first game. */
function showFailure({ first, name, error: { message, status } }, code) {
  frame(first, null, code);
  places.board.replaceChildren(
    el('p', { class: 'error', role: 'alert' }, t('failed', { name }), t('space'), el('span', { lang: status ? 'en' : null }, message)),
    name !== first.game ? el('p', {}, el('a', linkTo(toGame()), t('home', { name: first.game }))) : '');
}

/** Build what is around the board of a game; without one (null) what leads to others. */
function frame(first, game, code) {
  for (const { value } of made.values()) value?.hide?.({ returns: true });
  const hadFocus = places.languages.contains(document.activeElement);
  board?.hide();
  made = new Map();
  boardAnswer.drop();
  paneAnswer.drop(); // A pane that still loads belongs to what was shown before.
  board = shown = null;
  document.documentElement.lang = code;
  document.title = game ? `${nameOfGame(game)} | marubatsu` : 'marubatsu';
  document.querySelector('.skip').textContent = t('skip');
  document.querySelector('.what').textContent = t('what');
  for (const each of ['whole', 'explore']) places[each].hidden = !game;
  places.panes.setAttribute('aria-label', t('panes'));
  places.panes.replaceChildren(...(game ? tabsOf(game).map((tab) => makeTab(tab, game)) : []));
  places.games.replaceChildren(makeStrip(first, game));
  places.languages.replaceChildren(...LANGUAGES.map(([each, own]) =>
    button(own, () => go({ lang: each }, { replace: true }), { lang: each, 'aria-pressed': String(each === code) })));
  places.foot.replaceChildren(...makeFoot(first, game));
  places.foot.hidden = false;
  if (hadFocus) places.languages.querySelector('[aria-pressed="true"]').focus();
  tell('');
}

/** The tabs that a game has something for. */
const tabsOf = (game) => Object.keys(TABS).filter((tab) => panesOf(game).includes(TABS[tab].pane ?? tab));

const titleOf = (tab, game) => t(`pane.${tab}`, { ais: number(game.ais.length) });

function makeTab(tab, game) {
  const link = linkTo(TABS[tab]);
  return el('a', { ...link, dataset: { ...link.dataset, pane: tab } }, el('span', { class: 'full' }, titleOf(tab, game)), el('span', { class: 'brief' }, t(`brief.${tab}`)));
}

/** The tab of what the address says. */
function tabShown() {
  const [pane, part] = ['pane', 'part'].map((name) => address().get(name));
  return pane === 'leaderboard' && part === 'file' ? 'file' : pane ?? 'moves';
}

function makeFoot({ server }, game) {
  return [
    game && el('span', { id: 'version' }, t(game.tables.length ? 'version' : 'version.search', game)),
    server && el('a', { href: 'api/v2/openapi.json' }, t('api')), el('span', {}, t('licence')), el('span', {}, t('credit')),
  ].filter(Boolean);
}

/** Show the pane that the address names, for the position of a record. */
async function showPane(record) {
  const { game } = shown;
  const name = address().get('pane') ?? 'moves';
  for (const link of /** @type {Iterable<HTMLElement>} */ (places.panes.children)) {
    if (link.dataset.pane === tabShown()) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  places.explore.dataset.pane = name;
  for (const [each, { value }] of made) if (each !== name) value?.hide?.({});
  await paneAnswer.take(async () => {
    if (!panesOf(game).includes(name)) throw new Error(absence(game, name));
    return record.isSecret && TELLING.includes(name) ? null : paneOf(name, game);
  }, async (pane) => {
    if (!pane) paneAnswer.put(secret());
    else {
      if (!places.pane.contains(pane.element)) paneAnswer.put(pane.element);
      await pane.show(record);
    }
  });
  if (isToScroll) places.explore.scrollIntoView({ behavior: 'instant' });
  isToScroll = false;
}

/** Why there is no pane of a name. */
function absence(game, name) {
  const panes = listed(panesOf(game).map((each) => titleOf(each, game)));
  return t(Object.hasOwn(MODULES, name) ? 'untabled' : 'absent', { name: game.name, pane: name, panes });
}

/** What stands in place of values while somebody plays. */
const secret = () => el('p', { class: 'secret' }, t('secret'), ' ', el('a', linkTo({ hints: 'on' }), t('reveal')));

/** The pane of a name, made once; one that cannot be loaded is made again when it is asked for again. */
function paneOf(name, game) {
  const here = made;
  if (!here.has(name)) {
    const module = import(moduleOf(name, game)).catch((cause) => { throw unanswered(cause); });
    const entry = { promise: module.then(({ create }) => create(game)), value: null };
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
places.panes.addEventListener('click', ({ target }) => {
  if (/** @type {HTMLElement} */ (target).closest('a')) places.explore.scrollIntoView();
});
window.addEventListener('dragover', (event) => event.preventDefault());
window.addEventListener('drop', drop);
const showAddress = () => { showing = show(); };
onAddress(showAddress);
showAddress();
