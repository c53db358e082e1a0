// The verdicts on all AIs: a plot of dots, how often each is right where it can go wrong, above a table
// that is sorted by any column. Each dot leads to a position.

import { drawScale, drawTrack } from '../charts/charts.js';
import { button, el, wide } from '../elements/dom.js';
import { addTexts, figure, language, natural, t } from '../words/i18n.js';
import { atBlunder, named, sentence, share, toBoard, yesNo } from './audit-pieces.js';
import { faults, isJudged, judged, ranked, shareOf, worst } from './judged.js';

addTexts({
  'audit.verdicts': ['Verdicts on all AIs; a name leads to what the AI does wrong', 'すべての AI の判定（名前を選ぶと、その AI の悪手を表示します）'],
  'audit.strongly': ['strongly solved: no move that it may choose is wrong', '強解決：選びうる手がすべて最善手'],
  'audit.weakly': ['weakly solved: it never loses from the empty board', '弱解決：空の盤面から決して負けない'],
  'audit.counted': ['classes right: no move is wrong in any position of the class; plies wasted: by how many plies it wins later, or loses sooner, than it could, on average where it keeps the score', '正解した対称形のグループ：グループのどの局面でも、選びうる手がすべて最善手。無駄にした手数：評価値を保つとき、最善より何手遅く勝つか、または早く負けるか（平均）'],
  'audit.column.ai': ['AI', 'AI'], 'audit.column.family': ['family', '種類'], 'audit.column.rule': ['rule', '手の選び方'],
  'audit.column.classes_right': ['classes right', '正解した対称形のグループ'], 'audit.column.positions_right': ['positions right', '正解した局面'],
  'audit.column.strongly_solved': ['strongly solved', '強解決'], 'audit.column.mean_plies_lost': ['plies wasted', '無駄にした手数'],
  'audit.column.as_circle': ['never loses as circle', '〇で負けない'], 'audit.column.as_cross': ['never loses as cross', '×で負けない'],
  'audit.column.weakly_solved': ['weakly solved', '弱解決'], 'audit.dots': ['Critical accuracy', '悪手のある局面での正解率'],
  'audit.dots.legend': ['A position is critical when some of its moves are wrong. Dot: share of the critical positions in which each move that the AI may choose is a best move. Ring: mean chance that it plays a best move. A row opens the worst blunder on the board.', '点：悪手のある局面のうち、選びうる着手がすべて最善手であるものの割合。輪：最善手を打つ確率の平均。行を選ぶと、最もひどい悪手を盤面に表示します。'],
  'audit.dots.worst': ['{ai}: open its worst blunder', '{ai}：最もひどい悪手を表示する'],
  'audit.dots.hardest': ['{ai} makes no blunder: open the hardest position', '{ai} に悪手はありません：最も難しい局面を表示する'],
  'audit.dots.value': ['{percent}\u00a0% · {share}', '{percent}\u00a0% · {share}'],
});

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

/** The plot of some rows of `judged`; it leaves out those that cannot be judged. */
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
