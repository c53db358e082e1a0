// What each move ordering costs alpha-beta, as a chart of bars and a table.

import { sentence, yesNo } from '../audit/audit-pieces.js';
import { drawBars } from '../charts/charts.js';
import { choice, el, table, wide } from '../elements/dom.js';
import { number, t } from '../words/i18n.js';
import { inLanguage } from '../words/japanese.js';

const OPTIONS = ['order_all', 'shortest_victory', 'init_window', 'use_table'];
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
  return [
    el('h2', {}, caption),
    drawBars(caption, rows.map((row) => ({
      name: orderingOf(row), value: row.nodes, text: withPublished(number(row.nodes), row), title: withPublished(barText(row), row),
      least: row.least, greatest: row.greatest, mark: row.published ?? undefined,
    }))),
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
  orderingOf(row), el('span', { class: 'number' }, nodesOf(row)), el('span', { class: 'number' }, row.published === null ? '' : number(row.published)),
  row.agrees === null ? '' : yesNo(row.agrees), row.why === null ? '' : whyOf(row),
];

/** Why a figure differs from the published one; the same sentence for any number of runs. */
function whyOf({ why, runs }) {
  const text = inLanguage('why', why.replace(/\d+$/, '{runs}'), why).replace('{runs}', runs);
  return sentence('span', text, why, { class: 'why' });
}
