// The verdicts on all AIs: a plot of dots, how often each is right where it can go wrong, above a table
// that is sorted by any column. Each dot leads to a position.

import { atBlunder, named, sentence, share, toBoard, yesNo } from '../audit/audit-pieces.js';
import { faults, isJudged, judged, ranked, shareOf, worst } from '../audit/judged.js';
import { drawScale, drawTrack } from '../charts/charts.js';
import { button, el, wide } from '../elements/dom.js';
import { figure, language, natural, t } from '../words/i18n.js';

const WORDS = ['ai', 'family', 'rule'];
const COUNTS = { classes_right: 'classes', positions_right: 'positions' };
const FLAGS = ['strongly_solved', 'as_circle', 'as_cross', 'weakly_solved'];
const PLIES = 'mean_plies_lost';
const COLUMNS = [...WORDS, ...Object.keys(COUNTS), ...FLAGS, PLIES];

const settings = { column: null, sign: 1 }; // How the table is sorted; kept when the language or the view changes.

/** What is right, each with its name: of our AIs and of a foreign one. */
export const verdictPairs = (row) => [...Object.keys(COUNTS), ...FLAGS, PLIES].map((column) => [t(`audit.column.${column}`), shown(row, column)]);

const shown = (row, column) => (row[column] === null || row[column] === undefined ? '—' : column in COUNTS ? share(row[column], row[COUNTS[column]]) : column === PLIES ? figure(row[column]) : yesNo(row[column]));

/** The plot and the table. */
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

const compare = (a, b) => (typeof a === 'string' ? natural(a, b) : Number(a) - Number(b));

const rowOf = (row) => el('tr', { class: row.is_foreign ? 'foreign' : null },
  el('th', { scope: 'row' }, named(row)),
  el('td', {}, row.family), sentence('td', row.rule, row.english, { class: 'rule' }),
  Object.keys(COUNTS).map((column) => el('td', { class: 'number' }, shown(row, column))),
  FLAGS.map((column) => el('td', {}, shown(row, column))), el('td', { class: 'number' }, shown(row, PLIES)));

/** The plot of some rows of `judged`; it leaves out those that nobody can judge. */
async function makeDots(game, rows) {
  const [faultsOf, hardest] = await Promise.all([faults(game), game.rowsOf('critical_classes')]);
  return el('figure', { class: 'dots' },
    el('figcaption', {}, el('h2', {}, t('audit.dots')), el('p', { class: 'soft' }, t('audit.dots.legend'))),
    el('ol', {}, ranked(rows.filter(isJudged)).map((row) => el('li', { class: row.is_foreign ? 'foreign' : null }, drawRow(game, row, worst(faultsOf(row.key).blunders), hardest[0])))),
    drawScale());
}

/** A row leads to the AI's worst blunder; of one that makes none, to the hardest position. */
function drawRow(game, row, blunder, hardest) {
  const where = blunder ? atBlunder(game, blunder) : hardest && { start: hardest.board, line: null, at: null };
  const link = toBoard({ ...where, hints: 'on', ai: row.key, part: 'blunders' });
  const title = t(blunder ? 'audit.dots.worst' : 'audit.dots.hardest', row);
  return el('a', { ...link, title, dataset: { ...link.dataset, dot: row.key } },
    el('span', { class: 'who' }, row.ai, row.is_foreign && [' ', el('span', { class: 'badge' }, row.family)]),
    drawTrack(100 * shareOf(row), row.best_move_percent), // The ring is the chance of a best move.
    el('span', { class: 'value' }, t('audit.dots.value', { percent: percentOf(row), share: share(row.positions_right, row.positions) })));
}

/** Nothing and everything are only written when they are exact. */
const percentOf = (row) => Math.min(Math.max(100 * shareOf(row), row.positions_right && 0.1), row.positions_right < row.positions ? 99.9 : 100)
  .toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
