// How often each AI is right where it can go wrong, as a plot of dots; each leads to a position.

import { atBlunder, share, toBoard } from '../audit/audit-pieces.js';
import { faults, isJudged, ranked, shareOf, worst } from '../audit/judged.js';
import { el, svg } from '../elements/dom.js';
import { language, t } from '../words/i18n.js';

const QUARTERS = [0, 25, 50, 75, 100];

/** The plot of some rows of `judged`; it leaves out those that nobody can judge. */
export async function makeDots(game, rows) {
  const [faultsOf, hardest] = await Promise.all([faults(game), game.rowsOf('critical_classes')]);
  return el('figure', { class: 'dots' },
    el('figcaption', {}, el('h2', {}, t('audit.dots')), el('p', { class: 'soft' }, t('audit.dots.legend'))),
    el('ol', {}, ranked(rows.filter(isJudged)).map((row) => el('li', { class: row.is_foreign ? 'foreign' : null }, drawRow(game, row, worst(faultsOf(row.key).blunders), hardest[0])))),
    el('p', { class: 'scale soft', 'aria-hidden': 'true' }, QUARTERS.map((each) => el('span', {}, `${each} %`))));
}

/** A row leads to the AI's worst blunder; of one that makes none, to the hardest position. */
function drawRow(game, row, blunder, hardest) {
  const where = blunder ? atBlunder(game, blunder) : hardest && { start: hardest.board, line: null, at: null };
  const link = toBoard({ ...where, hints: 'on', ai: row.key, part: 'blunders' });
  const title = t(blunder ? 'audit.dots.worst' : 'audit.dots.hardest', row);
  return el('a', { ...link, title, dataset: { ...link.dataset, dot: row.key } },
    el('span', { class: 'who' }, row.ai, row.is_foreign && [' ', el('span', { class: 'badge' }, row.family)]), drawDot(row),
    el('span', { class: 'value' }, t('audit.dots.value', { percent: percentOf(row), share: share(row.positions_right, row.positions) })));
}

/** Nothing and everything are only written when they are exact. */
const percentOf = (row) => Math.min(Math.max(100 * shareOf(row), row.positions_right && 0.1), row.positions_right < row.positions ? 99.9 : 100)
  .toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A dot for the share of positions, a ring for the chance of a best move. */
const drawDot = (row) => svg('svg', { class: 'track', width: '100%', height: 20, 'aria-hidden': 'true' },
  QUARTERS.map((each) => svg('line', { class: 'quarter', x1: `${each}%`, x2: `${each}%`, y1: 2, y2: 18 })),
  svg('line', { class: 'way', x1: '0%', x2: '100%', y1: 10, y2: 10 }),
  Number.isFinite(row.best_move_percent) && svg('circle', { class: 'chance-ring', cx: `${row.best_move_percent}%`, cy: 10, r: 7 }),
  svg('circle', { class: 'dot', cx: `${100 * shareOf(row)}%`, cy: 10, r: 5 }));
