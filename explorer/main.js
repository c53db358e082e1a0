// The way in: the game, the language, the first screen, and the panes below it.

import { openGame } from './answers/api.js';
import { load, start } from './answers/request.js';
import { BoardView } from './board/board-view.js';
import { makeStrip, toGame } from './board/game-strip.js';
import { isSavedGame } from './board/more-menu.js';
import { announce, button, el, renew } from './elements/dom.js';
import { Latest, reasonOf } from './elements/latest.js';
import { Panes } from './panes.js';
import { address, go, linkTo, onAddress } from './state/address.js';
import { nameOfGame } from './words/game-names.js';
import { addTexts, LANGUAGES, language, listed, setLanguage, t } from './words/i18n.js';

addTexts({
  skip: ['Skip to the board', '盤面へ'], what: ['Small games, completely solved.', '小さなゲームの完全解析。'],
  failed: ['The game “{name}” cannot be shown.', 'ゲーム「{name}」は表示できません。'], elsewhere: ['This site has: {games}.', 'このサイトにあるゲーム：{games}'],
  home: ['Go to {name}', '{name} を表示'],
  version: ['Every value comes from the data of {name}, version {version}.', '値はすべて {name} のデータによるものです（バージョン {version}）。'],
  'version.search': ['Every value of {name} comes from a search, version {version}.', '{name} の値はすべて探索によるものです（バージョン {version}）。'],
  dropped: ['{name} has no pane for the file “{file}”.', '{name} には、ファイル「{file}」を読み込める表示がありません。'], api: ['API', 'API'],
  licence: ['MIT licence', 'MIT ライセンス'],
  credit: ['AIs and searches after the series 「Pythonで〇×ゲームのAIを一から作成する」', 'AI と探索は連載「Pythonで〇×ゲームのAIを一から作成する」によります'],
});

const places = Object.fromEntries(['workspace', 'board', 'whole', 'games', 'languages', 'foot'].map((id) => [id, document.getElementById(id)]));
const workspaceAnswer = new Latest(places.workspace);
const boardAnswer = new Latest(places.board, { keeps: true });
const panes = new Panes();
let board = null;
let shown = null; // The frame of a game that was built: { name, language, game, first: the name of the first game }.
let showing = null; // Ends when what the address says is shown.

/** Build the frame when game or language are others, and show what the address says. */
async function show() {
  const parameters = address();
  const code = LANGUAGES.some(([each]) => each === parameters.get('lang')) ? parameters.get('lang') : language();
  if (code !== language()) setLanguage(code);
  if (shown?.language === code && shown.name === (parameters.get('game') || shown.first)) {
    workspaceAnswer.drop();
    await showBoard();
    return;
  }
  let isShown; // Ends when the board of another game is shown, which may be later than its frame.
  await workspaceAnswer.take(async () => {
    const first = await start();
    const name = parameters.get('game') || first.game;
    return { first, name, ...await gameOf(first, name) };
  }, (answer) => {
    if (answer.error) showFailure(answer, code);
    else {
      showGame(answer, code);
      isShown = showBoard();
    }
  });
  await isShown;
}

/** Show what the address says on the board of the game. */
const showBoard = () => boardAnswer.take(async () => {}, (_, isLatest) => board.show(isLatest));

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
  board = new BoardView(game, async (record) => {
    await panes.show(record);
    places.foot.hidden = false;
  });
  places.board.replaceChildren(board.element);
  places.whole.replaceChildren(board.whole.element);
}

/** Say why a game is not shown, in the words of the API, which are English; and lead to the first game. */
function showFailure({ first, name, error }, code) {
  frame(first, null, code);
  places.board.replaceChildren(
    el('p', { class: 'error', role: 'alert' }, t('failed', { name }), t('space'), reasonOf(error)),
    name !== first.game ? el('p', {}, el('a', linkTo(toGame()), t('home', { name: first.game }))) : '');
}

/** Build what is around the board of a game; without one (null) what leads to others. */
function frame(first, game, code) {
  board?.hide();
  boardAnswer.drop();
  board = shown = null;
  document.documentElement.lang = code;
  document.title = game ? `${nameOfGame(game)} | marubatsu` : 'marubatsu';
  document.querySelector('.skip').textContent = t('skip');
  document.querySelector('.what').textContent = t('what');
  places.whole.hidden = !game;
  panes.frame(game);
  renew(places.games, makeStrip(first, game));
  renew(places.languages, ...LANGUAGES.map(([each, own]) =>
    button(own, () => go({ lang: each }, { replace: true }), { lang: each, 'aria-pressed': String(each === code) })));
  places.foot.replaceChildren(...makeFoot(first, game));
  places.foot.hidden = Boolean(game); // The pane above it comes first.
  announce('');
}

function makeFoot({ server }, game) {
  return [
    game && el('span', { id: 'version' }, t(game.tables.length ? 'version' : 'version.search', game)),
    server && el('a', { href: 'api/v2/openapi.json' }, t('api')), el('span', {}, t('licence')), el('span', {}, t('credit')),
  ].filter(Boolean);
}

/** Show a file that is dropped anywhere: a saved game, a trace of a search, or an audit. */
async function drop(event) {
  event.preventDefault();
  const { target, dataTransfer: { files: [file] } } = event;
  if (!board?.record) await showing; // The page is just opened.
  if (!file || !board?.record) return;
  if (await isSavedGame(file)) {
    await board.load(file);
    return;
  }
  const { isTrace } = await load(import.meta.resolve('./search/search-file.js'));
  const changes = await isTrace(file) ? { pane: 'search' } : { pane: 'leaderboard', part: 'file' };
  if (!panes.has(changes.pane)) {
    board.complain(t('dropped', { name: nameOfGame(board.game), file: file.name }));
    board.error.scrollIntoView({ block: 'nearest' });
    return;
  }
  go(changes, { quiet: true });
  await panes.show(board.record);
  const pane = await panes.open(changes.pane);
  await pane.take(file, target);
}

document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault(); // The address says what is shown, and stays.
  places.workspace.focus();
});
window.addEventListener('dragover', (event) => event.preventDefault());
window.addEventListener('drop', drop);
const showAddress = () => { showing = show(); };
onAddress(showAddress);
showAddress();
