// What an AI does wrong, ours or a foreign one: by ply, the lines by which it loses, its blunders.

import { choice, el, table, wide } from '../elements/dom.js';
import { drawBoard } from '../elements/drawing.js';
import { figure, language, number, t } from '../words/i18n.js';
import { cellName, lineText } from '../words/moves.js';
import { atBlunder, growing, toBoard } from './audit-pieces.js';

const settings = { ply: '' }; // Whose blunders are shown; kept when the language or the view changes.

export function plyTable(rows) {
  const caption = t('audit.byply');
  return wide(caption, table(caption, [t('audit.ply'), t('audit.critical'), t('audit.wrong'), t('audit.wonlost'), t('audit.mean')],
    rows.map((row) => [row.ply, row.critical, row.wrong, row.loses_a_won_game,
      el('span', { class: 'number' }, `${figure(row.mean_chance_percent)} %`)])));
}

/** The lines by which an AI loses, as rows of boards. */
export async function refutations(game, rows) {
  const lines = await Promise.all(rows.map(async ({ side, length, moves }) => {
    const path = await game.follow(moves);
    const boards = path?.map(({ board }, at) => drawBoard(game.columns, board, {
      size: 62, marked: at ? [moves[at - 1]] : [],
      label: at ? t('audit.step', { at, cell: cellName(game, moves[at - 1]), board }) : t('audit.start'),
    }));
    const name = t(`audit.refuted.${side}`, { length });
    if (!boards) return [el('h3', {}, name), el('p', {}, t('audit.badline'))];
    const link = el('a', toBoard({ start: null, line: lineText(game, moves, '.'), at: '0', hints: 'on' }), t('audit.replay'));
    return [el('h3', {}, name), wide(name, el('ol', { class: 'line' }, boards.map((board) => el('li', {}, board)))), el('p', {}, link)];
  }));
  return [el('h2', {}, t('audit.refutations')), rows.length ? lines : el('p', {}, t('audit.unbeaten'))].flat(2);
}

/** The blunders, filtered by ply. */
export function gallery(game, blunders) {
  const title = el('h2', {}, t('audit.gallery'));
  if (!blunders.length) return [title, el('p', {}, t('audit.none'))];
  const plies = [...new Set(blunders.map((row) => String(row.ply)))].sort((a, b) => a - b);
  if (!plies.includes(settings.ply)) settings.ply = '';
  const place = el('div');
  const count = el('p', { class: 'soft', role: 'status' });
  const draw = () => {
    const rows = blunders.filter((row) => settings.ply === '' || String(row.ply) === settings.ply);
    const grown = (shown) => { count.textContent = t('audit.count', { shown: number(shown), all: number(rows.length) }); };
    place.replaceChildren(...growing(el('ul', { class: 'gallery' }), rows, (row) => blunderCard(game, row), grown));
  };
  draw();
  const filter = choice(t('audit.ply'), [['', t('audit.all')], ...plies.map((ply) => [ply, ply])], settings.ply,
    (ply) => { settings.ply = ply; draw(); });
  return [title, filter, count, place];
}

/** One blunder: the board after it, and the board before it with the best moves. */
function blunderCard(game, row) {
  const cells = row.best_moves.map((cell) => cellName(game, cell)).join(language() === 'ja' ? '、' : '; ');
  const after = t('audit.board.after', { turn: t(`audit.turn.${row.turn}`), cell: cellName(game, row.move), board: row.board_after });
  const picture = (name, text, label, marked) => el('figure', { class: name }, drawBoard(game.columns, text, { size: 78, label, marked }),
    el('figcaption', {}, t(`audit.${name}`)));
  return el('li', {},
    el('div', { class: 'pair' },
      picture('after', row.board_after, after, [row.move]),
      picture('instead', row.board, t('audit.board.best', { cells, board: row.board }), row.best_moves)),
    el('a', toBoard(atBlunder(game, row)), t('audit.open')),
    el('strong', {}, t('audit.loses', { before: t(`audit.score.${row.score}`), after: t(`audit.score.${row.score_after}`) })),
    el('span', { class: 'soft' }, t('audit.chance', { ply: row.ply, chance: figure(row.chance_percent) })));
}
