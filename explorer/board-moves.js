// Every move of a position with what it leads to, as a table.

import { settings } from './board-shown.js';
import { el, table } from './dom.js';
import { OUTCOME, outcomeClass } from './drawing.js';
import { percent, t } from './i18n.js';

/** The chances of random play: circle, draw, cross; null where they are unknown. */
export const chancesOf = (position) => (typeof position.random_circle === 'number'
  ? ['circle', 'draw', 'cross'].map((side) => percent(position[`random_${side}`])).join(' · ') : null);

/** The table, in cell order: the best moves are marked, and the blunders of the AI that is asked. */
export function movesTable(here, moves, advice) {
  const columns = [...columnsOf(here), ...(advice ? adviceColumns(advice) : []), ...chanceColumn(here)];
  const made = table(t('board.moves'), columns.map(([heading]) => heading),
    moves.map((move, index) => columns.map(([, cell]) => cell(move, index))), { class: 'moves' });
  for (const [index, row] of [...made.tBodies[0].rows].entries()) row.dataset.move = moves[index].move;
  return made;
}

const marked = (text, isBest) => el('span', { class: isBest ? 'best' : null }, String(text));

/** The columns of what a move is worth: heading, and the cell of a move. */
const columnsOf = (here) => [
  [t('board.move'), ({ move }) => move],
  [t('board.outcome'), ({ score }) => el('span', { class: outcomeClass(score) }, OUTCOME[score])],
  [t('board.score'), (move) => marked(move.score, move.is_best)],
  [t('board.sv'), (move) => marked(move.score_sv, move.is_best_sv)],
  ...(here.score_svrd === null ? [] : [[t('board.svrd'), (move) => marked(move.score_svrd, here.best_moves_svrd.includes(move.move))]]),
  [t('board.distance'), ({ distance }) => distance],
  [t('board.loss'), ({ loss }) => loss || ''],
  [t('board.best'), (move) => (move.is_best ? marked(t('board.best'), true) : '')],
];

/** The columns of what the AI makes of a move: its value, and whether it plays it. */
const adviceColumns = (advice) => [
  [t('board.value', { ai: settings.adviser }), (_, index) => advice[index].ai_score ?? ''],
  [t('board.candidate'), ({ is_best }, index) => {
    const plays = is_best ? t('board.yes') : el('span', { class: 'blunder' }, t('board.blunder'));
    return advice[index].is_candidate ? plays : '';
  }],
];

const chanceColumn = (here) => (here.score_svrd === null ? []
  : [[t('board.random'), (move) => el('span', { class: 'chances' }, chancesOf(move))]]);
