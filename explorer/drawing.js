// Boards as pictures.

import { svg } from './dom.js';

const CELL = 40;

/**
 * Draw a board. `columns` of the game; `text` the board; options: size in pixels, label for
 * screen readers, marked: cells to ring, dim: draw faintly.
 */
export function drawBoard(columns, text, { size = 60, label = text, marked = [], dim = false } = {}) {
  const rows = text.length / columns;
  return svg(
    'svg',
    {
      class: dim ? 'board-picture dim' : 'board-picture',
      viewBox: `-2 -2 ${columns * CELL + 4} ${rows * CELL + 4}`,
      width: size,
      height: (size * rows) / columns,
      role: 'img',
      'aria-label': label,
    },
    grid(columns, rows),
    [...text].map((mark, cell) => drawMark(mark, (cell % columns) * CELL, Math.floor(cell / columns) * CELL)),
    marked.map((cell) => svg('rect', {
      class: 'ring', x: (cell % columns) * CELL + 2, y: Math.floor(cell / columns) * CELL + 2,
      width: CELL - 4, height: CELL - 4,
    })),
  );
}

function grid(columns, rows) {
  const across = Array.from({ length: rows + 1 }, (_, y) => `M0 ${y * CELL}h${columns * CELL}`);
  const down = Array.from({ length: columns + 1 }, (_, x) => `M${x * CELL} 0v${rows * CELL}`);
  return svg('path', { class: 'grid', d: [...across, ...down].join('') });
}

/** A circle or a cross in the cell whose corner is at x, y; nothing for an empty one. */
export function drawMark(mark, x = 0, y = 0) {
  if (mark === 'o') return svg('circle', { class: 'o', cx: x + 20, cy: y + 20, r: 12 });
  if (mark === 'x') return svg('path', { class: 'x', d: `M${x + 8} ${y + 8}l24 24m0-24l-24 24` });
  return null;
}

/** The symbol of a result for circle: won, drawn, lost. */
export const OUTCOME = { 1: '〇', 0: '△', '-1': '×' };

/** The class of style for a score in circle's view. */
export const outcomeClass = (score) => ['lost', 'drawn', 'won'][Math.sign(score) + 1];
