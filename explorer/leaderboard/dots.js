// How often each AI is right where it can go wrong, as a plot of dots; each leads to a position.

import { atBlunder, share, toBoard } from '../audit/audit-pieces.js';
import { faults, isJudged, ranked, shareOf, worst } from '../audit/judged.js';
import { drawScale, drawTrack } from '../charts/charts.js';
import { el } from '../elements/dom.js';
import { language, t } from '../words/i18n.js';

/** The plot of some rows of `judged`; it leaves out those that nobody can judge. */
export async function makeDots(game, rows) {
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
