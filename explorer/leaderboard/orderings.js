// What each move ordering costs alpha-beta, as a chart of bars and a table.

import { sentence, wide, yesNo } from '../audit/audit-pieces.js';
import { choice, el, svg, table } from '../elements/dom.js';
import { number, t } from '../words/i18n.js';
import { inLanguage } from '../words/japanese.js';

const OPTIONS = ['order_all', 'shortest_victory', 'init_window', 'use_table'];
const ROW = 46; // pixels of a bar with its label
const settings = { scope: null, options: {} }; // Kept when the language or the view changes.

export async function makeOrderings(game) {
  const rows = await game.rowsOf('orderings');
  const scopes = [...new Set(rows.map((row) => row.scope))];
  settings.scope ??= scopes[0];
  const place = el('div');
  const draw = () => {
    const chosen = rows.filter((row) => row.scope === settings.scope && OPTIONS.every((option) => row[option] === Boolean(settings.options[option])));
    place.replaceChildren(...drawOrderings(chosen.toSorted((a, b) => b.nodes - a.nodes)));
  };
  draw();
  return {
    element: el('div', {},
      el('div', { class: 'row' },
        choice(t('audit.scope'), scopes.map((scope) => [scope, inLanguage('scope', scope, scope)]), settings.scope, (scope) => { settings.scope = scope; draw(); }),
        el('fieldset', {}, el('legend', {}, t('audit.options')), OPTIONS.map((option) => el('label', {},
          el('input', { type: 'checkbox', checked: settings.options[option], onchange: ({ target }) => { settings.options[option] = target.checked; draw(); } }),
          t(`audit.option.${option}`))))),
      place),
  };
}

function drawOrderings(rows) {
  if (!rows.length) return [el('p', {}, t('audit.nosearch'))];
  const caption = t('audit.bars');
  const most = Math.max(...rows.map((row) => Math.max(row.greatest, row.published ?? 0)));
  return [
    el('h2', {}, caption),
    svg('svg', { class: 'bars', width: '100%', height: rows.length * ROW, role: 'img', 'aria-label': `${caption}: ${rows.map(barText).join('; ')}` },
      rows.map((row, index) => drawBar(row, index * ROW, (nodes) => `${(98 * nodes) / most}%`))),
    el('p', { class: 'soft' }, t('audit.legend')),
    wide(caption, table(caption, ['ordering', 'nodes', 'published', 'agrees', 'why'].map((each) => t(`audit.${each}`)), rows.map(cellsOf))),
  ];
}

const orderingOf = ({ ordering, drawn, runs }) => {
  const name = ordering ?? t('audit.unordered');
  return drawn ? t('audit.drawn', { ordering: name, runs: number(runs) }) : name;
};

const nodesOf = ({ least, nodes, greatest }) =>
  (least === greatest ? number(nodes) : t('audit.median', { nodes: number(nodes), least: number(least), greatest: number(greatest) }));

const barText = (row) => `${orderingOf(row)} ${nodesOf(row)}`;

const withPublished = (nodes, { published }) => (published === null ? nodes : t('audit.publishednodes', { nodes, published: number(published) }));

const cellsOf = (row) => [
  orderingOf(row), el('div', { class: 'chance' }, nodesOf(row)), el('div', { class: 'chance' }, row.published === null ? '' : number(row.published)),
  row.agrees === null ? '' : yesNo(row.agrees), row.why === null ? '' : whyOf(row),
];

/** Why a figure differs from the published one; the same sentence for any number of runs. */
function whyOf({ why, runs }) {
  const text = inLanguage('why', why.replace(/\d+$/, '{runs}'), why).replace('{runs}', runs);
  return sentence('span', text, why, { class: 'why' });
}

/** A bar from the left, its label and its numbers above it. */
function drawBar(row, y, at) {
  const middle = y + 33;
  return svg('g', {},
    svg('title', {}, withPublished(barText(row), row)),
    svg('text', { x: 0, y: y + 18 }, orderingOf(row)),
    svg('text', { x: '100%', y: y + 18, 'text-anchor': 'end' }, withPublished(number(row.nodes), row)),
    svg('rect', { class: 'bar', x: 0, y: y + 25, width: at(row.nodes), height: 16 }),
    row.least !== row.greatest && svg('line', { class: 'spread', x1: at(row.least), x2: at(row.greatest), y1: middle, y2: middle }),
    row.published !== null && svg('line', { class: 'mark', x1: at(row.published), x2: at(row.published), y1: y + 22, y2: y + 44 }));
}
