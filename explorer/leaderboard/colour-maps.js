// Maps of colours with a number in each field: what each pair of AIs comes to, and how often each AI is
// right at each ply. One walks over them with the arrow keys, reads exactly where one points, and opens a
// field with a click or Enter.

import { choice, el, onKey, wide } from '../elements/dom.js';
import { go } from '../state/address.js';
import { addTexts, figure, number, t } from '../words/i18n.js';
import { plyOf } from '../words/moves.js';
import { atBlunder, briefly, exactly, heat, named, showBoard } from './audit-pieces.js';
import { droppedOf, faults, judged, ranked, worst } from './judged.js';

addTexts({
  'audit.plies': ['Percent of the critical positions in which each AI is right, by ply', '各 AI の手数ごとの正解率（悪手のある局面での割合、%）'],
  'audit.plies.ply': ['ply {ply}', '手数 {ply}'],
  'audit.plies.legend': ['Right: each move that the AI may choose is a best move. A field opens the worst blunder at that ply, or the hardest position where there is none.', '正解とは、選びうる着手がすべて最善手であること。表の欄を選ぶと、その手数での最もひどい悪手（なければ最も難しい局面）を盤面に表示します。'],
  'audit.plies.field': ['{ai}, ply {ply}: right in {right} of {all} critical positions; mean chance to go wrong {chance}\u00a0%', '{ai}、手数 {ply}：悪手のある局面 {all} 個のうち {right} 個で正解。間違える確率の平均は {chance}\u00a0%'],
  'audit.matrix': ['All AIs against all: circle in the rows, cross in the columns', 'すべての AI どうしの対戦表（行が〇、列が×）'],
  'audit.shown': ['Numbers in percent', '表示する割合（%）'], 'audit.shown.circle': ['circle wins', '〇の勝ち'], 'audit.shown.draw': ['draws', '引き分け'],
  'audit.shown.cross': ['cross wins', '×の勝ち'], 'audit.shown.expected': ['circle wins minus cross wins', '〇の勝ち − ×の勝ち'],
  'audit.heat': ['Colour: circle wins minus cross wins', '色：〇の勝ち − ×の勝ち'],
  'audit.pair': ['{circle} (circle) – {cross} (cross): circle wins {won}, draws {drawn}, cross wins {lost}', '{circle}（〇）対 {cross}（×）：〇の勝ち {won}、引き分け {drawn}、×の勝ち {lost}'],
  'audit.readout': ['Point at a field, or walk with the arrow keys, to read it exactly. A click or Enter opens it on the board.', '表の欄にポインターを合わせるか、矢印キーで移動すると、正確な値を表示します。クリックするか Enter を押すと、盤面に表示します。'],
});

const SHOWN = ['circle', 'draw', 'cross', 'expected'];
const settings = { shown: 'circle' }; // Kept when the language or the view changes.

/** All AIs against all. */
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

/** How often each AI is right at each ply; each field leads to a position. */
export async function makePlies(game) {
  const [audited, faultsOf, hardest] = await Promise.all([judged(game), faults(game), game.rowsOf('critical_classes')]);
  const hardestAt = new Map(hardest.toReversed().map(({ board }) => [plyOf(board), board]));
  const rows = ranked(audited);
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

function drawField({ ai }, { ply, critical, wrong, mean_chance_percent: chance }, opens) {
  const right = critical - wrong;
  const text = t('audit.plies.field', { ai, ply, right: number(right), all: number(critical), chance: figure(chance) });
  const cell = field({ text, style: heat((-100 * wrong) / critical), opens });
  cell.textContent = briefly((100 * right) / critical);
  return cell;
}

/** A field that shows a number: `text` says it exactly, `style` is its colour, `opens` what the address says after a click. */
const field = ({ text, style, opens }) => el('td', { class: 'heat', tabindex: -1, title: text, style, onclick: () => {
  if (!opens) return;
  go(opens);
  showBoard();
} });

/** Fields in rows and columns with their heads: [the table in its place, the line that describes the field one points at]. */
function gridOf(caption, columns, rows, cells, attributes = {}) {
  const readout = el('p', { class: 'readout' }, t('audit.readout'));
  const grid = el('table', { role: 'grid', ...attributes }, el('caption', {}, caption),
    el('thead', {}, el('tr', {}, el('td'), columns.map((each) => el('th', { scope: 'col' }, el('span', {}, each))))),
    el('tbody', {}, cells.map((line, y) => el('tr', {}, el('th', { scope: 'row' }, rows[y]), line))));
  walk(grid, cells, (cell) => { readout.textContent = cell.title || t('audit.readout'); });
  return [readout, wide(caption, grid)];
}

/** Walk over a grid with the arrow keys; `point(cell)` hears which cell is pointed at. */
function walk(grid, cells, point) {
  let current = cells[0]?.[0];
  current?.setAttribute('tabindex', 0);
  grid.addEventListener('pointerover', ({ target }) => { if (target.tagName === 'TD') point(target); });
  grid.addEventListener('focusin', ({ target }) => {
    if (target.tagName !== 'TD') return; // A head may hold a link.
    current.tabIndex = -1;
    current = target;
    current.tabIndex = 0;
    point(target);
  });
  grid.addEventListener('keydown', (event) => {
    if (event.target !== current) return;
    const y = cells.findIndex((line) => line.includes(current));
    const x = cells[y].indexOf(current);
    const goTo = (column, row) => () => cells[row]?.[column]?.focus();
    onKey(event, {
      Enter: () => current.click(), Home: goTo(0, y), End: goTo(cells[y].length - 1, y),
      ArrowLeft: goTo(x - 1, y), ArrowRight: goTo(x + 1, y), ArrowUp: goTo(x, y - 1), ArrowDown: goTo(x, y + 1),
    });
  });
}
