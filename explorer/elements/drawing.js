// Boards as pictures, and the style of each outcome.

import { svg } from './dom.js';

export const CELL = 40; // units of a cell

// What is drawn in a cell whose corner is at x, y.
export const OUTLINES = {
  o: (x, y) => `M${x + 8} ${y + 20}a12 12 0 1 0 24 0a12 12 0 1 0-24 0`,
  x: (x, y) => `M${x + 8} ${y + 8}l24 24m0-24l-24 24`,
  ring: (x, y) => `M${x + 2} ${y + 2}h36v36h-36z`,
};

/** A picture of a board that can show one board after another. */
export class BoardPicture {
  constructor(columns, rows, size) {
    this.columns = columns;
    this.paths = Object.fromEntries(Object.keys(OUTLINES).map((name) => [name, svg('path', { class: name })]));
    this.element = svg('svg', {
      class: 'board-picture', viewBox: `-2 -2 ${columns * CELL + 4} ${rows * CELL + 4}`, width: size, height: (size * rows) / columns, role: 'img',
    }, grid(columns, rows), Object.values(this.paths));
  }

  /** Show a board: its text, a label for screen readers, the cells to ring. */
  update(text, { label = text, marked = [] } = {}) {
    const marks = [...text];
    this.draw('o', marks.flatMap((mark, cell) => (mark === 'o' ? cell : [])));
    this.draw('x', marks.flatMap((mark, cell) => (mark === 'x' ? cell : [])));
    this.draw('ring', marked);
    this.element.setAttribute('aria-label', label);
  }

  draw(name, cells) {
    const outline = cells.map((cell) => OUTLINES[name]((cell % this.columns) * CELL, Math.floor(cell / this.columns) * CELL));
    this.paths[name].setAttribute('d', outline.join(''));
  }
}

/**
 * Draw a board: the columns of its game, its text, the size in pixels; label and marked as above.
 * @param {{ size?: number, label?: string, marked?: number[] }} [shown]
 */
export function drawBoard(columns, text, shown = {}) {
  const { size = 60, ...options } = shown;
  const picture = new BoardPicture(columns, text.length / columns, size);
  picture.update(text, options);
  return picture.element;
}

function grid(columns, rows) {
  const across = Array.from({ length: rows + 1 }, (_, y) => `M0 ${y * CELL}h${columns * CELL}`);
  const down = Array.from({ length: columns + 1 }, (_, x) => `M${x * CELL} 0v${rows * CELL}`);
  return svg('path', { class: 'grid', d: [...across, ...down].join('') });
}

/** A circle or a cross alone; nothing for an empty cell. */
export const drawMark = (mark) => (mark === '.' ? null : svg('path', { class: mark, d: OUTLINES[mark](0, 0) }));

/** The class of style for a score in circle's view. */
export const outcomeClass = (score) => ['lost', 'drawn', 'won'][Math.sign(score) + 1];
