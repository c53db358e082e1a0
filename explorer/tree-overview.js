// The whole tree by ply: how many nodes show what is won for circle, drawn, and won for cross.

import { ofPly } from './api.js';
import { el, table } from './dom.js';
import { outcomeClass } from './drawing.js';
import { number, t } from './i18n.js';

const OUTCOMES = ['won', 'drawn', 'lost'];
const COLUMNS = ['ply', 'positions', 'nodes', ...OUTCOMES, 'shares'];

export class Overview {
  /** `attempt(promise)` tells what fails. */
  constructor({ plies }, attempt) {
    this.plies = plies;
    this.ply = null; // The one that is marked.
    this.place = el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('tree.overview') });
    this.element = el('details', { ontoggle: () => this.element.open && attempt(this.load()) }, el('summary', {}, t('tree.overview')), this.place);
  }

  /** Load every ply and count its nodes, once. */
  async load() {
    if (this.place.querySelector('table')) return;
    this.place.replaceChildren(t('tree.loading'));
    const counted = await Promise.all(this.plies.map(async ({ ply, positions, nodes }) => ({ ply, positions, nodes, ...countOf(await ofPly(ply)) })));
    const made = table(t('tree.caption'), COLUMNS.map((each) => t(`tree.column.${each}`)), [
      ...counted.map((row) => cellsOf(row, String(row.ply))), cellsOf(total(counted), t('tree.all')),
    ], { class: 'plies' });
    for (const [index, { ply }] of counted.entries()) made.tBodies[0].rows[index].dataset.ply = ply;
    this.place.replaceChildren(made);
    this.mark(this.ply);
  }

  /** Mark a ply. */
  mark(ply) {
    this.ply = ply;
    for (const row of this.place.querySelectorAll('tr[data-ply]')) {
      if (Number(row.dataset.ply) === ply) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }
}

function countOf(positions) {
  const counts = { won: 0, drawn: 0, lost: 0 };
  for (const { score, nodes } of positions) counts[outcomeClass(score)] += nodes;
  return counts;
}

const total = (rows) => Object.fromEntries(Object.keys(rows[0]).map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]));

/** The cells of a row; the bar shows the shares that the numbers say. */
function cellsOf(row, name) {
  const bar = OUTCOMES.map((each) => el('span', { class: each, style: `width: ${(100 * row[each]) / row.nodes}%` }));
  return [name, number(row.positions), number(row.nodes), ...OUTCOMES.map((each) => el('span', { class: each }, number(row[each]))),
    el('span', { class: 'bar', 'aria-hidden': 'true' }, bar)];
}
