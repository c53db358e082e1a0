// The answer to a statement or a report: a table to sort, a chart, and a file.

import { button, el, save, wide } from '../elements/dom.js';
import { address, go } from '../state/address.js';
import { figure, isRounded, natural, number, t } from '../words/i18n.js';
import { inLanguage } from '../words/japanese.js';
import { makeChart } from './chart.js';

const AT_ONCE = 200; // rows put on the page at a time

/** The elements of an answer: what it is, a download, its chart, its table, a part at a time. */
export function drawAnswer(answer) {
  const { report, question, grain, columns, rows, more } = answer;
  const count = number(rows.length);
  const title = question ? inLanguage('question', report, question) : t('sql.result');
  const isNumeric = columns.map((_, index) => rows.some((row) => typeof row[index] === 'number'));
  const body = el('tbody');
  let shown = rows; // In the order that the reader has chosen.
  const next = button('', () => {
    const from = body.rows.length;
    body.append(...shown.slice(from, from + AT_ONCE).map((row) => el('tr', {}, row.map((value, index) => drawCell(value, isNumeric[index])))));
    const left = rows.length - body.rows.length;
    next.hidden = !left;
    next.textContent = t('sql.more', { left: number(left) });
  });
  const chart = makeChart(columns, rows);
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
  const asked = address().get('sort') ?? '';
  const [name, sign] = columns.includes(asked) ? [asked, 1] : [asked.slice(1), -1];
  return { index: sign > 0 || asked.startsWith('-') ? columns.indexOf(name) : -1, sign };
}

/** The order of two values of a column: nothing stands last. */
function compare(one, other) {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return typeof one === 'number' && typeof other === 'number' ? one - other : natural(asText(one), asText(other));
}

/** The cell of a value; in a column with numbers all are on the right. */
function drawCell(value, isNumeric) {
  const side = isNumeric ? 'number' : '';
  if (value === null) return el('td', { class: `soft ${side}` }, 'null');
  if (typeof value !== 'number') return el('td', { class: side }, asText(value));
  return el('td', { class: side, title: isRounded(value) ? String(value) : null }, figure(value));
}

/** A value as it stands in a file: lists and records as JSON. */
const asText = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** CSV after RFC 4180: null is nothing, an empty text is "". */
function toCsv(columns, rows) {
  const quoted = (text) => (text === '' || /^\s|[",\r\n]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [columns, ...rows].map((row) => `${row.map((value) => (value === null ? '' : quoted(asText(value)))).join(',')}\r\n`).join('');
}
