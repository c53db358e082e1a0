// What is known about a position, and its images under the symmetries of the board.

import { chancesOf } from './board-moves.js';
import { el } from './dom.js';
import { drawBoard } from './drawing.js';
import { number, t } from './i18n.js';

/** A fact with its name; nothing where it is not known. */
const fact = (name, value) => value !== null && [el('dt', {}, t(`board.${name}`)), el('dd', { dataset: { fact: name } }, value)];

/** The facts of a position as an element. */
export function factsOf(game, here) {
  const counted = (value) => (value === null ? null : number(value));
  const scores = [here.score, here.score_sv, here.score_svrd].filter((score) => score !== null);
  const images = imagesOf(game, here.board).map((board) => el('a', { href: `#board?board=${board}`, 'aria-current': board === here.board ? 'true' : null },
    drawBoard(game.columns, board, { size: 44 })));
  return el('dl', {},
    fact('number', counted(here.position)), fact('class', counted(here.class)),
    fact(scores.length > 2 ? 'scores' : 'twoscores', scores.join(', ')),
    fact('random', chancesOf(here)), fact('critical', t(here.critical ? 'board.yes' : 'board.no')),
    fact('nodes', counted(here.nodes)),
    fact('orbit', el('span', { class: 'images' }, images)));
}

/** The boards that the symmetries of a game make of a board. */
const imagesOf = ({ symmetries }, board) =>
  [...new Set(symmetries.map(({ image }) => image.map((cell) => board[cell]).join('')))];
