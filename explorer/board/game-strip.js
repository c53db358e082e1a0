// The choice of a game as a strip of cards: those with data, and with a server every game that a
// search answers about.

import { button, el } from '../elements/dom.js';
import { drawBoard } from '../elements/drawing.js';
import { go, linkTo } from '../state/address.js';
import { emptyBoard } from '../state/record.js';
import { nameOfGame, resultOf } from '../words/game-names.js';
import { addTexts, t } from '../words/i18n.js';

addTexts({
  'games.label': ['Games', 'ゲームの選択'], 'games.other': ['Another game…', 'ほかのゲーム…'], 'games.name': ['Name of a game', 'ゲームの名前'], 'games.go': ['Open', '開く'],
  'games.hint': ['COLUMNSxROWSkRUN, with -gravity, -misere or -torus, such as 6x5k4-gravity', '「列数x行数k並べる数」の形で入力します。-gravity、-misere、-torus も付けられます。例：6x5k4-gravity'],
  'games.best': ['Best play: {result}', '最善なら{result}'],
});

const SIZE = 56; // pixels of the board of a card

/** What the address no longer says when another game is shown; without a name that is the first game. */
export const toGame = (name = null) => ({ game: name, start: null, line: null, at: null, show: null, step: null, node: null });

/** The cards; `first` is what the page asked for first, `about` the game shown, null without one. */
export function makeStrip(first, about) {
  const isListed = !about || first.games.some(({ name }) => name === about.name);
  const games = isListed ? first.games : [...first.games, about];
  const cards = games.map((game) => card(game, game.name === about?.name));
  const strip = el('ul', { class: 'strip', 'aria-label': t('games.label') }, cards, first.server && other());
  strip.hidden = strip.children.length < 2;
  return strip;
}

function card(game, isShown) {
  const link = linkTo(toGame(game.name));
  const size = (SIZE * game.columns) / Math.max(game.columns, game.rows);
  return el('li', {}, el('a', { ...link, class: 'card', 'aria-current': isShown ? 'true' : null, dataset: { ...link.dataset, game: game.name } },
    el('span', { class: 'card-board', 'aria-hidden': 'true' }, drawBoard(game.columns, emptyBoard(game), { size })),
    el('span', { class: 'card-words' }, el('strong', {}, nameOfGame(game)),
      el('span', { class: 'soft' }, bestOf(game)))));
}

/** The result of best play, or whether the data here includes it; a game that is not listed has no data. */
function bestOf({ score, source = 'search' }) {
  if (score !== null) return t('games.best', { result: resultOf(score) });
  return source === 'search' ? resultOf(null) : t('whole.solved');
}

/** The card of a game that the reader names. */
function other() {
  const name = el('input', { type: 'text', size: 14, autocapitalize: 'none', spellcheck: 'false', autocomplete: 'off', 'aria-label': t('games.name'), 'aria-describedby': 'games-hint', placeholder: '6x5k4-gravity' });
  const form = el('form', { hidden: true, onsubmit: (event) => {
    event.preventDefault();
    if (name.value.trim()) go(toGame(name.value.trim()));
  } }, el('span', { class: 'row' }, name, el('button', { type: 'submit' }, t('games.go'))), el('span', { class: 'soft', id: 'games-hint' }, t('games.hint')));
  const open = button(t('games.other'), () => {
    open.hidden = true;
    form.hidden = false;
    name.focus();
  }, { class: 'card', dataset: { control: 'other-game' } });
  return el('li', {}, open, form);
}
