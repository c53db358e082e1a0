// Every move of a position with what it leads to, as a table.

import { settings } from './board-shown.js';
import { el, table } from './dom.js';
import { OUTCOME, outcomeClass } from './drawing.js';
import { percent, t } from './i18n.js';

const COLUMNS = ['move', 'outcome', 'score', 'sv', 'svrd', 'distance', 'loss', 'best'];

/** The chances of random play: circle, draw, cross. */
export const chancesOf = (position) => ['circle', 'draw', 'cross'].map((side) => percent(position[`random_${side}`])).join(' · ');

/** The table, in cell order: the best moves are marked, and the blunders of the AI that is asked. */
export function movesTable(here, after, advice) {
  const headings = COLUMNS.map((each) => t(`board.${each}`));
  if (advice) headings.push(t('board.value', { ai: settings.adviser }), t('board.candidate'));
  const rows = after.map((child, index) => [
    ...worthOf(here, child, index), ...(advice ? adviceOf(here, advice[index]) : []), el('span', { class: 'chances' }, chancesOf(child)),
  ]);
  const made = table(t('board.moves'), [...headings, t('board.random')], rows, { class: 'moves' });
  for (const [index, row] of [...made.tBodies[0].rows].entries()) row.dataset.move = here.moves[index];
  return made;
}

/** The cells of a move, for each of the columns. */
function worthOf(here, child, index) {
  const move = here.moves[index];
  const marked = (text, list) => el('span', { class: here[list].includes(move) ? 'best' : null }, String(text));
  return [
    move, el('span', { class: outcomeClass(child.score) }, OUTCOME[child.score]),
    marked(child.score, 'best'), marked(child.score_sv, 'best_sv'), marked(child.score_svrd, 'best_svrd'),
    child.distance, here.loss[index] || '', here.best.includes(move) ? marked(t('board.best'), 'best') : '',
  ];
}

/** What the AI makes of a move: its value, and whether it plays it. */
function adviceOf(here, { move, candidate, value }) {
  const plays = here.best.includes(move) ? t('board.yes') : el('span', { class: 'blunder' }, t('board.blunder'));
  return [value ?? '', candidate ? plays : ''];
}
