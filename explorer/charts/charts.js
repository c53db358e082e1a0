// The charts of the page, each an element that is as wide as its place: bars, a line, dots on a track,
// and the shares of a whole. Colours and widths are in leaderboard/leaderboard.css.

import { el, svg } from '../elements/dom.js';
import { figure, language } from '../words/i18n.js';

const BAR = 46; // pixels of a bar with its label
const HEIGHT = 260; // pixels of a line
const TICKS = 5; // steps of a scale, about
const LABELLED = 12; // values that the label of a chart lists
const QUARTERS = [0, 25, 50, 75, 100];

/**
 * Bars from zero to the left or to the right, each with its name and its number above it. Rows are
 * { name, value, and where there are any: text of the number, title, least and greatest of several runs, mark }.
 */
export function drawBars(title, rows) {
  const numbers = rows.flatMap(({ value, greatest = value, mark = 0 }) => [value, greatest, mark]);
  const [least, most] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const at = (value) => `${(100 * (value - least)) / (most - least || 1)}%`;
  const wide = (value) => `${(100 * Math.abs(value)) / (most - least || 1)}%`;
  return svg('svg', { class: 'bars', width: '100%', height: rows.length * BAR, role: 'img', 'aria-label': labelOf(title, rows.map(({ name, value }) => [name, value])) },
    rows.map(({ name, value, text = figure(value), title: tooltip = `${name}: ${text}`, least: from = value, greatest: to = value, mark }, index) => svg('g', { transform: `translate(0 ${index * BAR})` },
      svg('title', {}, tooltip),
      svg('text', { x: 0, y: 18 }, name.slice(0, 60)), svg('text', { x: '100%', y: 18, 'text-anchor': 'end' }, text),
      svg('rect', { class: 'bar', x: at(Math.min(0, value)), y: 25, width: wide(value), height: 16 }),
      from !== to && svg('line', { class: 'spread', x1: at(from), x2: at(to), y1: 33, y2: 33 }),
      mark !== undefined && svg('line', { class: 'mark', x1: at(mark), x2: at(mark), y1: 22, y2: 44 }))));
}

/** A line through points [x, y] in this order. With `names`, x is a place in that list. */
export function drawLine(title, points, names) {
  const [across, up] = [scaleOf(points.map(([x]) => x), names ? 1 : 0), scaleOf(points.map(([, y]) => y))];
  const nameOf = (x) => (names ? names[x] ?? '' : across.text(x));
  const heightOf = (y) => HEIGHT * (1 - up.at(y));
  const path = points.map(([x, y]) => `${(1000 * across.at(x)).toFixed(1)},${heightOf(y).toFixed(1)}`).join(' ');
  return el('div', { class: 'line-chart', style: `--height: ${HEIGHT}px`, role: 'img', 'aria-label': labelOf(title, points.map(([x, y]) => [nameOf(x), y])) },
    el('div', { class: 'up' }, up.ticks.toReversed().map((tick) => el('span', {}, up.text(tick)))),
    svg('svg', { viewBox: `0 0 1000 ${HEIGHT}`, preserveAspectRatio: 'none', width: '100%', height: HEIGHT, 'aria-hidden': 'true' },
      up.ticks.map((tick) => svg('line', { class: 'quarter', x1: 0, x2: 1000, y1: heightOf(tick), y2: heightOf(tick) })),
      svg('polyline', { class: 'edge', points: path })),
    el('div', { class: 'across' }, across.ticks.map((tick) => el('span', { style: `--at: ${100 * across.at(tick)}%` }, nameOf(tick).slice(0, 12)))));
}

/** A track from 0 to 100 with a dot, and a ring where that is a number. */
export const drawTrack = (dot, ring) => svg('svg', { class: 'track', width: '100%', height: 20, 'aria-hidden': 'true' },
  QUARTERS.map((each) => svg('line', { class: 'quarter', x1: `${each}%`, x2: `${each}%`, y1: 2, y2: 18 })),
  svg('line', { class: 'way', x1: '0%', x2: '100%', y1: 10, y2: 10 }),
  Number.isFinite(ring) && svg('circle', { class: 'chance-ring', cx: `${ring}%`, cy: 10, r: 7 }),
  svg('circle', { class: 'dot', cx: `${dot}%`, cy: 10, r: 5 }));

/** The scale below tracks. */
export const drawScale = () => el('p', { class: 'scale soft', 'aria-hidden': 'true' }, QUARTERS.map((each) => el('span', {}, `${each} %`)));

/** The shares of a whole from left to right: [class, count] pairs. */
export function drawShares(parts) {
  const whole = parts.reduce((sum, [, count]) => sum + count, 0);
  return el('span', { class: 'bar', 'aria-hidden': 'true' }, parts.map(([name, count]) => el('span', { class: name, style: `width: ${(100 * count) / whole}%` })));
}

const labelOf = (title, pairs) => `${title}: ${pairs.slice(0, LABELLED).map(([name, value]) => `${name} ${figure(value)}`).join('; ')}`;

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
