// The board that is played on: a button for each cell, by mouse, touch, arrows and digits.

import { el, onKey, svg } from '../elements/dom.js';
import { drawMark } from '../elements/drawing.js';
import { addTexts, listed, t } from '../words/i18n.js';
import { cellName, columnName, fullLines, padOf, scoreFor, valueOf } from '../words/moves.js';

addTexts({
  'board.grid': ['Board: arrow keys move, Enter plays', '盤面：矢印キーで移動、Enter で着手'],
  'board.gridpad': ['Board: arrow keys move, Enter plays, digits play like a number pad', '盤面：矢印キーで移動、Enter で着手、数字キーはテンキーの位置に着手'],
  'board.cell': ['{cell}: {what}', '{cell}：{what}'], 'board.empty': ['empty', '空き'], 'board.last': ['the last move', '直前の着手'],
  'board.winning': ['in the line', '完成した並びの一部'], 'board.worth': ['{what} in {distance}', '{distance} 手で{what}'],
});

const WIDE = 8; // columns that a phone has room for

export class Grid {
  /** `play(cell)` is called when the reader chooses a cell. */
  constructor(game, play) {
    const { columns, rows } = game;
    this.game = game;
    this.play = play;
    this.focused = 0;
    this.cells = Array.from({ length: columns * rows }, (_, cell) => el('button', {
      type: 'button', role: 'gridcell', class: 'cell', tabindex: cell ? -1 : 0, dataset: { cell: cellName(game, cell) },
      onclick: () => play(cell), onfocus: () => this.focus(cell),
    }));
    const line = (y) => [el('span', { class: 'edge', 'aria-hidden': 'true' }, String(rows - y)), this.cells.slice(y * columns, (y + 1) * columns)];
    this.element = el('div', { class: `grid-board ${columns > WIDE ? 'wide' : ''}`, style: `--columns: ${columns}; --rows: ${rows}` },
      el('div', {
        role: 'grid', 'aria-label': t(padOf(game) ? 'board.gridpad' : 'board.grid'), onkeydown: (event) => this.key(event),
      }, Array.from({ length: rows }, (_, y) => el('div', { role: 'row' }, line(y)))),
      el('div', { class: 'letters', 'aria-hidden': 'true' }, el('span', {}), Array.from({ length: columns }, (_, x) => el('span', {}, columnName(x)))));
  }

  /** Show a position; `hints`: what each move is worth; `last`: the cell of the move before; `fault`: that of the move that gave the game away. */
  update(here, { hints, last, fault }) {
    const won = fullLines(this.game, here).flat();
    const ofMove = new Map(here.moves.map((move) => [move.move, move]));
    const longest = Math.max(1, ...here.moves.map(({ distance }) => distance ?? 0));
    for (const [cell, element] of this.cells.entries()) {
      const mark = here.board[cell];
      const move = ofMove.get(cell);
      const value = hints && move ? valueOf(scoreFor(here.turn, move)) : null;
      const what = mark !== '.' ? t(`mark.${mark}`) : listed([t('board.empty'), value && worthOf(move)]);
      element.setAttribute('aria-label', t('board.cell', { cell: cellName(this.game, cell), what: listed([what, cell === last && t('board.last'), won.includes(cell) && t('board.winning')]) }));
      element.setAttribute('aria-disabled', String(!move));
      element.className = ['cell', value, value && move.is_best && 'best-cell', cell === last && 'last', won.includes(cell) && 'won-cell', cell === fault && 'fault-cell'].filter(Boolean).join(' ');
      element.style.setProperty('--near', value ? (1 - 0.7 * ((move.distance ?? longest) / longest)).toFixed(2) : 0);
      element.replaceChildren(mark === '.' ? el('span', { class: 'hint' }, value ? hintOf(move) : '')
        : svg('svg', { viewBox: '0 0 40 40', 'aria-hidden': 'true' }, drawMark(mark)));
    }
  }

  focus(cell) {
    this.cells[this.focused].tabIndex = -1;
    this.focused = cell;
    this.cells[cell].tabIndex = 0;
  }

  key(event) {
    const { columns, rows } = this.game;
    const [x, y] = [this.focused % columns, Math.floor(this.focused / columns)];
    const goTo = (column, row) => () => { if (column >= 0 && column < columns && row >= 0 && row < rows) this.cells[row * columns + column].focus(); };
    const play = (digit, cell) => [digit, () => {
      this.cells[cell].focus();
      this.play(cell);
    }];
    onKey(event, {
      ArrowLeft: goTo(x - 1, y), ArrowRight: goTo(x + 1, y), ArrowUp: goTo(x, y - 1), ArrowDown: goTo(x, y + 1),
      ...Object.fromEntries([...padOf(this.game)].map(play)),
    });
  }
}

/** The moves to the end, that move included, as a cell shows them. */
const hintOf = ({ distance }) => (distance === null ? '?' : String(distance + 1));

/** What a move is worth, in words; moves are counted as in the cell. */
const worthOf = ({ score, distance }) => (score === null || distance === null ? t(`leads.${score}`)
  : t('board.worth', { what: t(`leads.${score}`), distance: distance + 1 }));
