// All AIs against all: what each pair of them comes to, as a map of colours.

import { exactly, heat, briefly, named } from '../audit/audit-pieces.js';
import { droppedOf } from '../audit/judged.js';
import { choice, el } from '../elements/dom.js';
import { t } from '../words/i18n.js';
import { field, gridOf } from './audit-grid.js';

const SHOWN = ['circle', 'draw', 'cross', 'expected'];
const settings = { shown: 'circle' }; // Kept when the language or the view changes.

export async function makeMatches(game) {
  const [rows, standings] = await Promise.all([game.rowsOf('pairs'), game.rowsOf('standings')]);
  const dropped = droppedOf(game);
  const order = [...dropped.map(({ ai }) => ({ ai, is_foreign: true })), ...standings]; // Of ours, the best first.
  const places = order.map(({ ai, is_foreign: isForeign }) => `${isForeign ? 'audit' : 'ours'} ${ai}`);
  const byPair = new Map([...rows.map((row) => [`ours ${row.circle_ai} ours ${row.cross_ai}`, row]), ...dropped.flatMap(pairsOf)]);
  const fields = places.map((circle) => places.map((cross) => fieldOf(byPair.get(`${circle} ${cross}`))));
  const draw = () => {
    for (const { cell, row } of fields.flat()) cell.textContent = row ? briefly(percentOf(row)) : '';
  };
  draw();
  const picker = choice(t('audit.shown'), SHOWN.map((each) => [each, t(`audit.shown.${each}`)]), settings.shown,
    (shown) => { settings.shown = shown; draw(); });
  const cells = fields.map((line) => line.map(({ cell }) => cell));
  return {
    element: el('div', {}, el('div', { class: 'row' }, picker, legend()),
      gridOf(t('audit.matrix'), order.map(({ ai }) => ai), order.map(named), cells, { class: 'matrix' })),
  };
}

/** The matches of a dropped audit as rows of the report, each with the place of its field. */
const pairsOf = ({ ai, matches }) => matches.filter(({ side }) => side !== 'total').map((row) => {
  const [won, lost] = row.side === 'circle' ? ['win', 'lose'] : ['lose', 'win'];
  const [circle, cross] = row.side === 'circle' ? [ai, row.opponent] : [row.opponent, ai];
  return [row.side === 'circle' ? `audit ${ai} ours ${row.opponent}` : `ours ${row.opponent} audit ${ai}`, {
    circle_ai: circle, cross_ai: cross, circle_percent: row[`${won}_percent`], draw_percent: row.draw_percent, cross_percent: row[`${lost}_percent`],
    fraction_circle: row[won], fraction_draw: row.draw, fraction_cross: row[lost], is_foreign: true,
  }];
});

/** A field of the map; one that the report has no row for stays empty. A click seats both of our AIs on the board. */
function fieldOf(row) {
  if (!row) return { cell: el('td', { tabindex: -1 }) };
  const text = t('audit.pair', {
    circle: row.circle_ai, cross: row.cross_ai, won: exactly(row.fraction_circle, row.circle_percent),
    drawn: exactly(row.fraction_draw, row.draw_percent), lost: exactly(row.fraction_cross, row.cross_percent),
  });
  const opens = row.is_foreign ? null : { circle: row.circle_ai, cross: row.cross_ai, start: null, line: null, at: null, hints: 'on' };
  return { cell: field({ text, style: heat(expectedOf(row)), opens }), row };
}

const expectedOf = (row) => row.circle_percent - row.cross_percent;

const percentOf = (row) => (settings.shown === 'expected' ? expectedOf(row) : row[`${settings.shown}_percent`]);

const legend = () => el('div', { class: 'legend' }, t('audit.heat'),
  el('span', {}, [-100, -50, 0, 50, 100].map((expected) => el('span', { class: 'heat', style: heat(expected) }, briefly(expected)))));
