// The whole tree by ply: how many nodes show what is won for circle, drawn, and won for cross.

import { drawShares } from '../charts/charts.js';
import { el, setCurrent, table, wide } from '../elements/dom.js';
import { number, t } from '../words/i18n.js';

const OUTCOMES = ['won', 'drawn', 'lost'];
const COLUMNS = ['ply', 'positions', 'nodes', ...OUTCOMES, 'shares'];

export class Overview {
  constructor({ plies, tree }) {
    this.plies = plies;
    this.tree = tree;
    this.ply = null; // The one that is marked.
    this.place = wide(t('tree.overview'));
    this.element = el('details', { ontoggle: () => this.show() }, el('summary', {}, t('tree.overview')), this.place);
  }

  /** Make the table, once. */
  show() {
    if (this.place.hasChildNodes()) return;
    const made = table(t('tree.caption'), COLUMNS.map((each) => t(`tree.column.${each}`)), [
      ...this.plies.map((row) => cellsOf(row, String(row.ply))), cellsOf(this.tree, t('tree.all')),
    ], { class: 'plies' });
    for (const [index, { ply }] of this.plies.entries()) made.tBodies[0].rows[index].dataset.ply = ply;
    this.place.replaceChildren(made);
    this.mark(this.ply);
  }

  /** Mark a ply. */
  mark(ply) {
    this.ply = ply;
    for (const row of this.place.querySelectorAll('tr[data-ply]')) setCurrent(row, Number(row.dataset.ply) === ply);
  }
}

/** The cells of a row; the bar shows the shares that the numbers say. */
function cellsOf(row, name) {
  return [name, row.positions, row.nodes, ...OUTCOMES.map((each) => el('span', { class: `number ${each}` }, number(row[each]))),
    drawShares(OUTCOMES.map((each) => [each, row[each]]))];
}
