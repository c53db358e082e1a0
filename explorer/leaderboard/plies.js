// How often each AI is right at each ply, as a map of colours; each field leads to a position.

import { atBlunder, briefly, heat, named } from '../audit/audit-pieces.js';
import { faults, judged, ranked, worst } from '../audit/judged.js';
import { el } from '../elements/dom.js';
import { figure, number, t } from '../words/i18n.js';
import { field, gridOf } from './audit-grid.js';

export async function makePlies(game) {
  const [everybody, faultsOf, hardest] = await Promise.all([judged(game), faults(game), game.rowsOf('critical_classes')]);
  const hardestAt = new Map(hardest.toReversed().map(({ board }) => [marksOf(board), board]));
  const rows = ranked(everybody);
  const plies = [...hardestAt.keys()].sort((a, b) => a - b);
  const cells = rows.map((row) => {
    const { byPly, blunders } = faultsOf(row.key);
    return plies.map((ply) => {
      const found = byPly.find((each) => each.ply === ply && each.critical);
      if (!found) return el('td', { tabindex: -1 });
      const blunder = worst(blunders.filter((each) => each.ply === ply));
      const where = blunder ? atBlunder(game, blunder) : found.wrong ? {} : { start: hardestAt.get(ply), line: null, at: null };
      return drawField(row, found, { ...where, hints: 'on', ai: row.key });
    });
  });
  return {
    element: el('div', {}, el('p', { class: 'soft' }, t('audit.plies.legend')),
      gridOf(t('audit.plies'), plies.map((ply) => t('audit.plies.ply', { ply })), rows.map(named), cells, { class: 'matrix plain' })),
  };
}

const marksOf = (board) => [...board].filter((mark) => mark !== '.').length;

function drawField({ ai }, { ply, critical, wrong, mean_chance_percent: chance }, opens) {
  const right = critical - wrong;
  const text = t('audit.plies.field', { ai, ply, right: number(right), all: number(critical), chance: figure(chance) });
  const cell = field({ text, style: heat((-100 * wrong) / critical), opens });
  cell.textContent = briefly((100 * right) / critical);
  return cell;
}
