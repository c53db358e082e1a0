// All AIs against all: what each pair of them comes to, as a map of colours.

import { rowsOf } from './api.js';
import { exactly, heat, wide } from './audit-pieces.js';
import { choice, el } from './dom.js';
import { t } from './i18n.js';

const SHOWN = ['circle', 'draw', 'cross', 'expected'];
const settings = { shown: 'circle' }; // Kept when the language or the view changes.

export async function makeMatches() {
  const [rows, standings] = await Promise.all([rowsOf('pairs'), rowsOf('standings')]);
  const order = standings.map(({ ai }) => ai); // The best first.
  const byPair = new Map(rows.map((row) => [`${row.circle_ai} ${row.cross_ai}`, row]));
  const fields = order.map((circle) => order.map((cross) => fieldOf(byPair.get(`${circle} ${cross}`))));
  const draw = () => {
    for (const { cell, row } of fields.flat()) cell.textContent = row ? short(percentOf(row)) : '';
  };
  draw();
  const readout = el('p', { class: 'readout' }, t('audit.readout'));
  const caption = t('audit.matrix');
  const cells = fields.map((line) => line.map(({ cell }) => cell));
  const grid = el('table', { class: 'matrix', role: 'grid' }, el('caption', {}, caption),
    el('thead', {}, el('tr', {}, el('td'), order.map((ai) => el('th', { scope: 'col' }, el('span', {}, ai))))),
    el('tbody', {}, cells.map((line, y) => el('tr', {}, el('th', { scope: 'row' }, order[y]), line))));
  walk(grid, cells, (cell) => { readout.textContent = cell.title || t('audit.readout'); });
  const picker = choice(t('audit.shown'), SHOWN.map((each) => [each, t(`audit.shown.${each}`)]), settings.shown,
    (shown) => { settings.shown = shown; draw(); });
  return { element: el('div', {}, el('div', { class: 'row' }, picker, legend()), readout, wide(caption, grid)) };
}

/** A field of the map; one that the report has no row for stays empty. */
function fieldOf(row) {
  if (!row) return { cell: el('td', { tabindex: -1 }) };
  const text = t('audit.pair', {
    circle: row.circle_ai, cross: row.cross_ai, won: exactly(row.fraction_circle, row.circle_percent),
    drawn: exactly(row.fraction_draw, row.draw_percent), lost: exactly(row.fraction_cross, row.cross_percent),
  });
  return { cell: el('td', { class: 'heat', tabindex: -1, title: text, 'aria-label': text, style: heat(expectedOf(row)) }), row };
}

const expectedOf = (row) => row.circle_percent - row.cross_percent;

const percentOf = (row) => (settings.shown === 'expected' ? expectedOf(row) : row[`${settings.shown}_percent`]);

/** A percentage in little room; nothing and everything are only written when they are exact. */
function short(percent) {
  const rounded = Math.round(percent);
  if (rounded === 0 && percent) return percent < 0 ? '>−1' : '<1';
  if (Math.abs(rounded) === 100 && Math.abs(percent) < 100) return percent < 0 ? '>−100' : '<100';
  return String(rounded).replace('-', '−');
}

const legend = () => el('div', { class: 'legend' }, t('audit.heat'),
  el('span', {}, [-100, -50, 0, 50, 100].map((expected) => el('span', { class: 'heat', style: heat(expected) }, short(expected)))));

/** Walk over a grid with the arrow keys; `point(cell)` hears which cell is pointed at. */
function walk(grid, cells, point) {
  let current = cells[0]?.[0];
  current?.setAttribute('tabindex', 0);
  grid.addEventListener('pointerover', ({ target }) => { if (target.tagName === 'TD') point(target); });
  grid.addEventListener('focusin', ({ target }) => {
    current.tabIndex = -1;
    current = target;
    current.tabIndex = 0;
    point(target);
  });
  grid.addEventListener('keydown', (event) => {
    const y = cells.findIndex((line) => line.includes(current));
    const x = cells[y]?.indexOf(current);
    const to = {
      ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y], ArrowUp: [x, y - 1], ArrowDown: [x, y + 1], Home: [0, y], End: [cells.length - 1, y],
    }[event.key];
    if (!to) return;
    event.preventDefault();
    cells[to[1]]?.[to[0]]?.focus();
  });
}
