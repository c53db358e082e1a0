// A chart of two columns of a result: bars, or a line. The address keeps which.

import { drawBars, drawLine } from '../charts/charts.js';
import { choice, el } from '../elements/dom.js';
import { address, go } from '../state/address.js';
import { figure, number, t } from '../words/i18n.js';

const KINDS = ['none', 'bar', 'line'];
const BARS = 100; // rows shown as bars, at most

const isNumber = (value) => typeof value === 'number';

/** The choice of a chart and the chart: `update(rows)` shows rows in this order. */
export function makeChart(columns, rows) {
  const numeric = columns.filter((_, index) => rows.some((row) => isNumber(row[index])));
  const place = el('div', { class: 'chart' });
  if (!numeric.length) return { element: place, update: () => {} };
  let shown = rows;
  const chosen = () => {
    const asked = address();
    const of = (name, known, usual) => (known.includes(asked.get(name)) ? asked.get(name) : usual);
    return { kind: of('chart', KINDS, 'none'), x: of('x', columns, columns[0]), y: of('y', numeric, numeric.find((each) => each !== columns[0]) ?? numeric[0]) };
  };
  const draw = () => {
    const { kind, x, y } = chosen();
    if (kind === 'none') place.replaceChildren();
    else place.replaceChildren(...(kind === 'bar' ? barsOf : lineOf)(columns, shown, x, y));
    fields.hidden = kind === 'none';
  };
  const change = (name, value) => {
    go({ [name]: value === 'none' ? null : value }, { replace: true, quiet: true });
    draw();
  };
  const { kind, x, y } = chosen();
  const fields = el('span', { class: 'row' },
    choice(t('sql.chart.of'), columns.map((each) => [each, each]), x, (value) => change('x', value), { dataset: { control: 'x' } }),
    choice(t('sql.chart.values'), numeric.map((each) => [each, each]), y, (value) => change('y', value), { dataset: { control: 'y' } }));
  const pick = choice(t('sql.chart'), KINDS.map((each) => [each, t(`sql.chart.${each}`)]), kind, (value) => change('chart', value), { dataset: { control: 'chart' } });
  draw();
  return { element: el('div', {}, el('div', { class: 'row' }, pick, fields), place), update: (sorted) => { shown = sorted; draw(); } };
}

/** The values of two columns, without rows that have no number to show, or nothing to show it at. */
function pairsOf(columns, rows, x, y) {
  const [atX, atY] = [columns.indexOf(x), columns.indexOf(y)];
  return rows.map((row) => [row[atX], row[atY]]).filter(([place, value]) => place !== null && isNumber(value));
}

const asText = (value) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : isNumber(value) ? figure(value) : String(value));

/** A bar for each row. */
function barsOf(columns, rows, x, y) {
  const all = pairsOf(columns, rows, x, y);
  if (!all.length) return [el('p', {}, t('sql.chart.nothing'))];
  const pairs = all.slice(0, BARS);
  return [
    drawBars(t('sql.chart.title', { x, y }), pairs.map(([name, value]) => ({ name: asText(name), value }))),
    pairs.length < all.length && el('p', { class: 'soft' }, t('sql.chart.cut', { shown: number(pairs.length), all: number(all.length) })),
  ].filter(Boolean);
}

/** A line through the rows in the order of x; where x has no numbers, in the order of the rows. */
function lineOf(columns, rows, x, y) {
  const pairs = pairsOf(columns, rows, x, y);
  if (!pairs.length) return [el('p', {}, t('sql.chart.nothing'))];
  const title = t('sql.chart.title', { x, y });
  if (pairs.every(([place]) => isNumber(place))) return [drawLine(title, pairs.toSorted(([one], [other]) => one - other))];
  return [drawLine(title, pairs.map(([, value], index) => [index, value]), pairs.map(([place]) => asText(place)))];
}
