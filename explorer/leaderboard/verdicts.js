// The verdicts on all AIs: who is right how often, and a table to sort.

import { named, share, sentence, wide, yesNo } from '../audit/audit-pieces.js';
import { judged } from '../audit/judged.js';
import { button, el } from '../elements/dom.js';
import { figure, t } from '../words/i18n.js';
import { makeDots } from './dots.js';

const WORDS = ['ai', 'family', 'rule'];
const COUNTS = { classes_right: 'classes', positions_right: 'positions' };
const FLAGS = ['strongly_solved', 'as_circle', 'as_cross', 'weakly_solved'];
const PLIES = 'mean_plies_lost';
const COLUMNS = [...WORDS, ...Object.keys(COUNTS), ...FLAGS, PLIES];

const settings = { column: null, sign: 1 }; // How the table is sorted; kept when the language or the view changes.

/** What is right, each with its name: of our AIs and of a foreign one. */
export const verdictPairs = (row) => [...Object.keys(COUNTS), ...FLAGS, PLIES].map((column) => [t(`audit.column.${column}`), shown(row, column)]);

const shown = (row, column) => (row[column] === null || row[column] === undefined ? '—' : column in COUNTS ? share(row[column], row[COUNTS[column]]) : column === PLIES ? figure(row[column]) : yesNo(row[column]));

export async function makeVerdicts(game) {
  const rows = await judged(game);
  const dots = await makeDots(game, rows);
  const body = el('tbody');
  const heads = COLUMNS.map((column) => el('th', { scope: 'col', class: [...Object.keys(COUNTS), PLIES].includes(column) ? 'number' : null },
    button(t(`audit.column.${column}`), () => { sortBy(column); draw(); }, { class: 'sorter' })));
  const draw = () => {
    const { column, sign } = settings;
    const sorted = column ? rows.toSorted((a, b) => sign * compare(a[column], b[column])) : rows;
    COLUMNS.forEach((each, index) => heads[index].setAttribute('aria-sort', each !== column ? 'none' : sign > 0 ? 'ascending' : 'descending'));
    body.replaceChildren(...sorted.map(rowOf));
  };
  draw();
  const caption = t('audit.verdicts');
  return {
    element: el('div', {}, dots,
      el('p', { class: 'soft' }, t('audit.strongly'), el('br'), t('audit.weakly'), el('br'), t('audit.counted')),
      wide(caption, el('table', { class: 'verdicts' }, el('caption', {}, caption), el('thead', {}, el('tr', {}, heads)), body))),
  };
}

/** Sort by a column; once more, the other way round. Numbers and verdicts begin with the best. */
function sortBy(column) {
  settings.sign = column === settings.column ? -settings.sign : [...WORDS, PLIES].includes(column) ? 1 : -1;
  settings.column = column;
}

const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : Number(a) - Number(b));

const rowOf = (row) => el('tr', { class: row.is_foreign ? 'foreign' : null },
  el('th', { scope: 'row' }, named(row)),
  el('td', {}, row.family), sentence('td', row.rule, row.english, { class: 'rule' }),
  Object.keys(COUNTS).map((column) => el('td', { class: 'number' }, shown(row, column))),
  FLAGS.map((column) => el('td', {}, shown(row, column))), el('td', { class: 'number' }, shown(row, PLIES)));
