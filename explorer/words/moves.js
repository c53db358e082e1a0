// Moves as people write and type them: the name of a cell, a letter for the column and a number for the
// row from below; and what a move was: best, the only one, forced, or a blunder, and what it gave away.

import { addTexts, t } from './i18n.js';

addTexts({
  'kind.forced': ['forced move', '唯一の合法手'], 'kind.only': ['only move', '唯一の最善手'], 'kind.best': ['best move', '最善手'],
  'kind.unknown': ['value unknown', '評価値は不明'], 'kind.gives': ['it turns {before} into {after}', '{before} → {after}'],
  'kind.score.1': ['a win', '勝ち'], 'kind.score.0': ['a draw', '引き分け'], 'kind.score.-1': ['a loss', '負け'], 'kind.score.null': ['an unknown value', '不明'],
  'leads.1': ['circle wins', '〇の勝ち'], 'leads.0': ['a draw', '引き分け'], 'leads.-1': ['cross wins', '×の勝ち'], 'leads.null': ['value unknown', '評価値は不明'],
  'mark.o': ['circle', '〇'], 'mark.x': ['cross', '×'],
});

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The letters of a column: after z comes aa. */
export const columnName = (x) => (x < LETTERS.length ? '' : columnName(Math.floor(x / LETTERS.length) - 1)) + LETTERS[x % LETTERS.length];

/** The name of a cell, such as b2. */
export const cellName = ({ columns, rows }, cell) => columnName(cell % columns) + (rows - Math.floor(cell / columns));

/** The names of cells, one after another. */
export const lineText = (game, cells, between = ' ') => cells.map((cell) => cellName(game, cell)).join(between);

/** What is typed on any keyboard as plain text. */
export const plain = (typed) => typed.normalize('NFKC').trim();

/**
 * The moves of a line that was typed, such as "b2 a3" or "b2a3": [{ part: as it was typed, cell }], none
 * for an empty text; undefined when it is no line. A name of no cell of this board gives the cell NaN.
 */
export function readLine({ columns, rows }, typed) {
  const text = plain(typed).toLowerCase().replace(/[\s,.、]+/g, '');
  if (!/^([a-z]+\d+)*$/.test(text)) return undefined;
  const names = Array.from({ length: columns * rows }, (_, cell) => cellName({ columns, rows }, cell));
  return (text.match(/[a-z]+\d+/g) ?? []).map((part) => ({ part, cell: names.includes(part) ? names.indexOf(part) : NaN }));
}

/** The cells of a line in the address; undefined when it is no line. */
export const cellsOf = (game, text) => readLine(game, text)?.map(({ cell }) => cell);

/** How many moves made a board. */
export const plyOf = (board) => [...board].filter((mark) => mark !== '.').length;

/** The lines of a game that hold one mark only: they end it. */
export const fullLines = ({ lines }, { board }) => lines.filter(([first, ...others]) => board[first] !== '.' && others.every((cell) => board[cell] === board[first]));

const PADS = { '3x3': '789456123' };

/** The digits of the cells of a game, in order; nothing when its board is not like a pad. */
export const padOf = ({ columns, rows }) => PADS[`${columns}x${rows}`] ?? '';

/** The score of a position or a move from the view of a side: 1, 0, -1; null where it is unknown. */
export const scoreFor = (side, { score }) => (score === null ? null : side === 'circle' ? score : -score);

/**
 * The kind of a move of a position: 'forced' (there was no other), 'only' (no other loses nothing),
 * 'best', 'blunder' (it loses 1 or 2), 'unknown'.
 */
export function kindOf(here, move) {
  if (here.moves.length === 1) return 'forced';
  if (move.loss === null) return 'unknown';
  if (move.loss) return 'blunder';
  return here.moves.every((each) => each === move || each.loss > 0) ? 'only' : 'best';
}

const MARK = { forced: '□', only: '!', best: '', unknown: '·' };

/** The mark of a move, as players write it: of a blunder, a question mark for each point that it loses. */
export const markOf = (here, move) => MARK[kindOf(here, move)] ?? '?'.repeat(move.loss);

/** The kind of a move in words: of one that loses something, what that is. */
export function kindText(here, move) {
  if (!move.loss) return t(`kind.${kindOf(here, move)}`);
  return t('kind.gives', { before: t(`kind.score.${scoreFor(here.turn, here)}`), after: t(`kind.score.${scoreFor(here.turn, move)}`) });
}

/** Who wins a position with best play, or has won it, from the view of its mover: 'win', 'draw', 'loss', 'unknown'. */
export const valueOf = (score) => (score === null ? 'unknown' : ['loss', 'draw', 'win'][score + 1]);
