// A map of colours with a number in each field: walked over with the arrow keys, told exactly where
// one points, and opened with a click or Enter.

import { showBoard, wide } from '../audit/audit-pieces.js';
import { el } from '../elements/dom.js';
import { go } from '../state/address.js';
import { t } from '../words/i18n.js';

/** A field that shows a number: `text` says it exactly, `style` is its colour, `opens` what the address says after a click. */
export const field = ({ text, style, opens }) => {
  const cell = el('td', { class: 'heat', tabindex: -1, title: text, style });
  opened.set(cell, opens);
  return cell;
};

const opened = new WeakMap();

/** Fields in rows and columns with their heads: [the table in its place, where it is told what one points at]. */
export function gridOf(caption, columns, rows, cells, attributes = {}) {
  const readout = el('p', { class: 'readout' }, t('audit.readout'));
  const grid = el('table', { role: 'grid', ...attributes }, el('caption', {}, caption),
    el('thead', {}, el('tr', {}, el('td'), columns.map((each) => el('th', { scope: 'col' }, el('span', {}, each))))),
    el('tbody', {}, cells.map((line, y) => el('tr', {}, el('th', { scope: 'row' }, rows[y]), line))));
  walk(grid, cells, (cell) => { readout.textContent = cell.title || t('audit.readout'); });
  return [readout, wide(caption, grid)];
}

/** Walk over a grid with the arrow keys; `point(cell)` hears which cell is pointed at. */
function walk(grid, cells, point) {
  let current = cells[0]?.[0];
  current?.setAttribute('tabindex', 0);
  const open = (cell) => {
    if (!opened.get(cell)) return;
    go(opened.get(cell));
    showBoard();
  };
  grid.addEventListener('pointerover', ({ target }) => { if (target.tagName === 'TD') point(target); });
  grid.addEventListener('click', ({ target }) => open(target));
  grid.addEventListener('focusin', ({ target }) => {
    if (target.tagName !== 'TD') return; // A head may hold a link.
    current.tabIndex = -1;
    current = target;
    current.tabIndex = 0;
    point(target);
  });
  grid.addEventListener('keydown', (event) => {
    if (event.target !== current) return;
    const y = cells.findIndex((line) => line.includes(current));
    const x = cells[y].indexOf(current);
    const to = {
      ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y], ArrowUp: [x, y - 1], ArrowDown: [x, y + 1], Home: [0, y], End: [cells[y].length - 1, y],
    }[event.key];
    if (event.key === 'Enter') open(current);
    else if (to) cells[to[1]]?.[to[0]]?.focus();
    else return;
    event.preventDefault();
  });
}
