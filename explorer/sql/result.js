// The answer to a statement or a report: a table to sort, a chart of two of its columns, and a file.

import { drawBars, drawLine } from '../charts/charts.js';
import { button, choice, el, save, wide } from '../elements/dom.js';
import { address, complaintAbout, go } from '../state/address.js';
import { addTexts, figure, isRounded, natural, number, t } from '../words/i18n.js';
import { inLanguage } from '../words/japanese.js';

addTexts({
  'sql.sort': ['Sort by {column}', '{column} で並べ替え'], 'sql.grain': ['One row: {grain}.', '1 行の単位：{grain}'], 'sql.result': ['Result of the query', '問い合わせの結果'],
  'sql.rows': ['{rows} {rows|row|rows} in {seconds} s', '{rows} 行（{seconds} 秒）'], 'sql.answer': ['{rows} {rows|row|rows}', '{rows} 行'],
  'sql.cut': ['The server left out the rows after these {rows}; this is not all of the answer.', 'サーバーが返したのは最初の {rows} 行だけです。結果の全体ではありません。'],
  'sql.more': ['Show more rows ({left} left)', '続きの行を表示（残り {left} 行）'], 'sql.download': ['Download as CSV', 'CSV をダウンロード'], 'sql.chart': ['Chart', 'グラフ'],
  'sql.chart.none': ['none', 'なし'], 'sql.chart.bar': ['bars', '棒'], 'sql.chart.line': ['line', '折れ線'], 'sql.chart.of': ['Of', '横軸'], 'sql.chart.values': ['Values', '値'],
  'sql.chart.title': ['{y} by {x}', '{x} ごとの {y}'],
  'sql.chart.cut': ['The chart shows the first {shown} of {all} {all|row|rows}.', 'グラフに表示しているのは、{all} 行のうち最初の {shown} 行です。'],
  'sql.chart.nothing': ['No row has numbers to draw.', 'グラフにできる数値の行がありません。'],
});

const AT_ONCE = 200; // rows put on the page at a time
const KINDS = ['none', 'bar', 'line'];
const BARS = 100; // rows shown as bars, at most

const isNumber = (value) => typeof value === 'number';

/** The elements of an answer: what it is, a download, its chart, its table, a part at a time. */
export function drawAnswer(answer) {
  const { report, question, grain, columns, rows, more } = answer;
  const count = number(rows.length);
  const title = question ? inLanguage('question', report, question) : t('sql.result');
  const isNumeric = columns.map((_, index) => rows.some((row) => isNumber(row[index])));
  const body = el('tbody');
  let shown = rows; // In the selected order.
  const next = button('', () => {
    const from = body.rows.length;
    body.append(...shown.slice(from, from + AT_ONCE).map((row) => el('tr', {}, row.map((value, index) => drawCell(value, isNumeric[index])))));
    const left = rows.length - body.rows.length;
    next.hidden = !left;
    next.textContent = t('sql.more', { left: number(left) });
  });
  const numeric = columns.filter((_, index) => isNumeric[index]);
  const strange = complaint(columns, numeric);
  const chart = makeChart(columns, numeric, rows);
  const heads = columns.map((each, index) => el('th', { scope: 'col', class: isNumeric[index] ? 'number' : null },
    button(each, () => sortBy(index), { class: 'sorter', title: t('sql.sort', { column: each }) })));
  const sortBy = (index) => {
    const sign = heads[index].getAttribute('aria-sort') === 'ascending' ? '-' : '';
    go({ sort: sign + columns[index] }, { replace: true, quiet: true });
    sort();
  };
  const sort = () => {
    const { index, sign } = orderOf(columns);
    heads.forEach((head, at) => head.setAttribute('aria-sort', at !== index ? 'none' : sign > 0 ? 'ascending' : 'descending'));
    shown = index < 0 ? rows : rows.toSorted((one, other) => sign * compare(one[index], other[index]));
    body.replaceChildren();
    next.click();
    chart.update(shown);
  };
  sort();
  return [
    el('h2', { lang: title === question ? 'en' : null }, title),
    grain && el('p', { class: 'soft' }, t('sql.grain', { grain: inLanguage('grain', report, grain) })),
    more && el('p', { class: 'error', role: 'status' }, t('sql.cut', { rows: count })),
    strange && el('p', { class: 'error', role: 'alert' }, strange),
    el('div', { class: 'row' }, button(t('sql.download'), () => save(toCsv(columns, rows), 'text/csv;charset=utf-8', `${report ?? 'query'}.csv`))),
    chart.element,
    wide(title,
      el('table', {},
        el('caption', {}, report ? t('sql.answer', { rows: count }) : t('sql.rows', { rows: count, seconds: answer.seconds })),
        el('thead', {}, el('tr', {}, heads)), body)),
    next,
  ].filter(Boolean);
}

/** The order that the address asks for: sort=COLUMN, or -COLUMN for the other way round. */
function orderOf(columns) {
  const sort = address().get('sort') ?? '';
  const [name, sign] = columns.includes(sort) ? [sort, 1] : [sort.slice(1), -1];
  return { index: sign > 0 || sort.startsWith('-') ? columns.indexOf(name) : -1, sign };
}

/** That what the address says of the order and the chart means nothing for these columns; '' where it does not. */
function complaint(columns, numeric) {
  const right = new Map(Object.entries({
    sort: () => orderOf(columns).index >= 0, x: (value) => columns.includes(value), y: (value) => numeric.includes(value),
    chart: (value) => KINDS.includes(value) && (numeric.length > 0 || value === 'none'),
  }));
  return complaintAbout(address(), (name, value) => right.get(name)?.(value) === false);
}

/** The order of two values of a column: null comes last. */
function compare(one, other) {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return isNumber(one) && isNumber(other) ? one - other : natural(asText(one), asText(other));
}

/** The cell of a value; in a column with numbers all are on the right. */
function drawCell(value, isNumeric) {
  const side = isNumeric ? 'number' : '';
  if (value === null) return el('td', { class: `soft ${side}` }, 'null');
  if (!isNumber(value)) return el('td', { class: side }, asText(value));
  return el('td', { class: side, title: isRounded(value) ? String(value) : null }, figure(value));
}

/** A value as files hold it: lists and records as JSON. */
const asText = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** CSV after RFC 4180: null is nothing, an empty text is "". */
function toCsv(columns, rows) {
  const quoted = (text) => (text === '' || /^\s|[",\r\n]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [columns, ...rows].map((row) => `${row.map((value) => (value === null ? '' : quoted(asText(value)))).join(',')}\r\n`).join('');
}

/** The choice of a chart of two columns, which the address keeps, and the chart: `update(rows)` shows rows in this order. */
function makeChart(columns, numeric, rows) {
  const place = el('div', { class: 'chart' });
  if (!numeric.length) return { element: place, update: () => {} };
  let shown = rows;
  const selection = () => {
    const parameters = address();
    const of = (name, known, usual) => (known.includes(parameters.get(name)) ? parameters.get(name) : usual);
    return { kind: of('chart', KINDS, 'none'), x: of('x', columns, columns[0]), y: of('y', numeric, numeric.find((each) => each !== columns[0]) ?? numeric[0]) };
  };
  const draw = () => {
    const { kind, x, y } = selection();
    if (kind === 'none') place.replaceChildren();
    else place.replaceChildren(...(kind === 'bar' ? barsOf : lineOf)(columns, shown, x, y));
    fields.hidden = kind === 'none';
  };
  const change = (name, value) => {
    go({ [name]: value === 'none' ? null : value }, { replace: true, quiet: true });
    draw();
  };
  const { kind, x, y } = selection();
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

const nameOf = (value) => (isNumber(value) ? figure(value) : asText(value));

/** A bar for each row. */
function barsOf(columns, rows, x, y) {
  const all = pairsOf(columns, rows, x, y);
  if (!all.length) return [el('p', {}, t('sql.chart.nothing'))];
  const pairs = all.slice(0, BARS);
  return [
    drawBars(t('sql.chart.title', { x, y }), pairs.map(([name, value]) => ({ name: nameOf(name), value }))),
    pairs.length < all.length && el('p', { class: 'soft' }, t('sql.chart.cut', { shown: number(pairs.length), all: number(all.length) })),
  ].filter(Boolean);
}

/** A line through the rows in the order of x; where x has no numbers, in the order of the rows. */
function lineOf(columns, rows, x, y) {
  const pairs = pairsOf(columns, rows, x, y);
  if (!pairs.length) return [el('p', {}, t('sql.chart.nothing'))];
  const title = t('sql.chart.title', { x, y });
  if (pairs.every(([place]) => isNumber(place))) return [drawLine(title, pairs.toSorted(([one], [other]) => one - other))];
  return [drawLine(title, pairs.map(([, value], index) => [index, value]), pairs.map(([place]) => nameOf(place)))];
}
