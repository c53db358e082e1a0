// A chart of two columns of a result: bars, or a line. The address keeps which.

import { choice, el, svg } from '../elements/dom.js';
import { address, go } from '../state/address.js';
import { language, number, t } from '../words/i18n.js';

const KINDS = ['none', 'bar', 'line'];
const BARS = 100; // rows shown as bars, at most
const ROW = 46; // pixels of a bar with its label
const HEIGHT = 260; // pixels of a line
const TICKS = 5; // steps of a scale, about

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
    else place.replaceChildren(...(kind === 'bar' ? drawBars : drawLine)(columns, shown, x, y));
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

const asText = (value) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : isNumber(value) ? number(value) : String(value));

/** A bar for each row, from zero to the left or to the right, with its number. */
function drawBars(columns, rows, x, y) {
  const all = pairsOf(columns, rows, x, y);
  if (!all.length) return [el('p', {}, t('sql.chart.nothing'))];
  const pairs = all.slice(0, BARS);
  const [least, most] = [Math.min(0, ...pairs.map(([, value]) => value)), Math.max(0, ...pairs.map(([, value]) => value))];
  const at = (value) => (100 * (value - least)) / (most - least || 1);
  const title = t('sql.chart.title', { x, y });
  const label = `${title}: ${pairs.slice(0, 12).map(([name, value]) => `${asText(name)} ${number(value)}`).join('; ')}`;
  return [
    svg('svg', { class: 'bars', width: '100%', height: pairs.length * ROW, role: 'img', 'aria-label': label }, pairs.map(([name, value], index) => svg('g', {},
      svg('title', {}, `${asText(name)}: ${number(value)}`),
      svg('text', { x: 0, y: index * ROW + 18 }, asText(name).slice(0, 60)),
      svg('text', { x: '100%', y: index * ROW + 18, 'text-anchor': 'end' }, number(value)),
      svg('rect', { class: 'bar', x: `${at(Math.min(0, value))}%`, y: index * ROW + 25, width: `${at(Math.max(0, value)) - at(Math.min(0, value))}%`, height: 16 })))),
    pairs.length < all.length && el('p', { class: 'soft' }, t('sql.chart.cut', { shown: number(pairs.length), all: number(all.length) })),
  ].filter(Boolean);
}

/** A line through the rows in the order of x; where x has no numbers, in the order of the rows. */
function drawLine(columns, rows, x, y) {
  const pairs = pairsOf(columns, rows, x, y);
  if (!pairs.length) return [el('p', {}, t('sql.chart.nothing'))];
  const isScale = pairs.every(([place]) => isNumber(place));
  const points = isScale ? pairs.toSorted(([one], [other]) => one - other) : pairs.map(([, value], index) => [index, value]);
  const [across, up] = [scaleOf(points.map(([place]) => place), isScale ? 0 : 1), scaleOf(points.map(([, value]) => value))];
  const place = ([one, other]) => [1000 * across.at(one), HEIGHT * (1 - up.at(other))];
  const title = t('sql.chart.title', { x, y });
  const label = `${title}: ${points.slice(0, 12).map(([one, value]) => `${asText(isScale ? one : pairs[one][0])} ${number(value)}`).join('; ')}`;
  const nameOf = (tick) => (isScale ? across.text(tick) : tick in pairs ? asText(pairs[tick][0]).slice(0, 12) : '');
  return [el('div', { class: 'line-chart', style: `--height: ${HEIGHT}px`, role: 'img', 'aria-label': label },
    el('div', { class: 'up' }, up.ticks.toReversed().map((tick) => el('span', {}, up.text(tick)))),
    svg('svg', { viewBox: `0 0 1000 ${HEIGHT}`, preserveAspectRatio: 'none', width: '100%', height: HEIGHT, 'aria-hidden': 'true' },
      up.ticks.map((tick) => svg('line', { class: 'quarter', x1: 0, x2: 1000, y1: HEIGHT * (1 - up.at(tick)), y2: HEIGHT * (1 - up.at(tick)) })),
      svg('polyline', { class: 'edge', points: points.map((point) => place(point).map((each) => each.toFixed(1)).join()).join(' ') })),
    el('div', { class: 'across' }, across.ticks.map((tick) => el('span', { style: `--at: ${100 * across.at(tick)}%` }, nameOf(tick)))))];
}

/** A scale over some numbers, in round steps of at least so much: its ticks, where a number is (0 to 1), a tick as text. */
function scaleOf(values, least = 0) {
  const [first, last] = [Math.min(...values), Math.max(...values)];
  const wanted = Math.max((last - first) / TICKS, least) || 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = power * [1, 2, 5, 10].find((each) => each * power >= wanted);
  const from = Math.floor(first / step);
  const to = Math.max(Math.ceil(last / step), from + 1);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return {
    ticks: Array.from({ length: to - from + 1 }, (_, tick) => (from + tick) * step),
    at: (value) => (value / step - from) / (to - from),
    text: (tick) => tick.toLocaleString(language(), { maximumFractionDigits: decimals }),
  };
}
