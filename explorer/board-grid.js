// The board that is played on: a button for each cell, by mouse, touch, arrows and digits.

import { hintOf, settings } from './board-shown.js';
import { el, svg } from './dom.js';
import { drawMark, outcomeClass } from './drawing.js';
import { t } from './i18n.js';
import { padOf } from './number-pad.js';

const WIDE = 8; // columns that a phone has room for

/** A cell in words: where it is, and what is to be said of it. */
export const cellText = ({ columns }, cell, what) =>
  t('board.cell', { x: (cell % columns) + 1, y: Math.floor(cell / columns) + 1, what });

export class Grid {
  /** `play(cell)` is called when the reader chooses a cell. */
  constructor(game, play) {
    const { columns, rows } = game;
    this.game = game;
    this.play = play;
    this.focused = 0;
    this.cells = Array.from({ length: columns * rows }, (_, cell) => el('button', {
      type: 'button', role: 'gridcell', class: 'cell', tabindex: cell ? -1 : 0, dataset: { cell },
      onclick: () => play(cell), onfocus: () => this.focus(cell),
    }));
    this.element = el('div', {
      class: `grid-board ${columns > WIDE ? 'wide' : ''}`, role: 'grid', 'aria-label': t(padOf(game) ? 'board.gridpad' : 'board.grid'), style: `--columns: ${columns}`,
      onkeydown: (event) => this.key(event),
    }, Array.from({ length: rows }, (_, y) => el('div', { role: 'row' }, this.cells.slice(y * columns, (y + 1) * columns))));
  }

  /** Show a position, its moves and what the AI that is asked makes of them. */
  update(here, moves, advice) {
    const ofMove = new Map(moves.map((move, index) => [move.move, { move, advised: advice?.[index] }]));
    for (const [cell, element] of this.cells.entries()) {
      const mark = here.board[cell];
      const { move, advised } = ofMove.get(cell) ?? {};
      const hint = move ? hintOf(move, advised) : '';
      const what = mark !== '.' ? t(`board.${mark}`)
        : [t('board.empty'), move && t(`board.leads.${move.score}`), hint].filter(Boolean).join(', ');
      element.setAttribute('aria-label', cellText(this.game, cell, what));
      element.setAttribute('aria-disabled', String(!move));
      element.className = ['cell', move && outcomeClass(move.score), advised?.is_candidate && 'candidate',
        settings.shown !== 'nothing' && move?.is_best && 'best-cell'].filter(Boolean).join(' ');
      element.replaceChildren(mark === '.' ? el('span', { class: 'hint' }, hint)
        : svg('svg', { viewBox: '0 0 40 40', 'aria-hidden': 'true' }, drawMark(mark)));
    }
  }

  focus(cell) {
    this.cells[this.focused].tabIndex = -1;
    this.focused = cell;
    this.cells[cell].tabIndex = 0;
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { columns, rows } = this.game;
    const x = this.focused % columns;
    const y = Math.floor(this.focused / columns);
    const digit = event.key.length === 1 ? padOf(this.game).indexOf(event.key) : -1;
    const to = {
      ArrowLeft: x > 0 && this.focused - 1, ArrowRight: x < columns - 1 && this.focused + 1,
      ArrowUp: y > 0 && this.focused - columns, ArrowDown: y < rows - 1 && this.focused + columns,
    }[event.key];
    if (digit < 0 && to === undefined) return;
    event.preventDefault();
    if (to !== false) this.cells[digit < 0 ? to : digit].focus();
    if (digit >= 0) this.play(digit);
  }
}
