// What the tables say about a position, and its images under the symmetries of the board.

import { ofPly } from './api.js';
import { chancesOf } from './board-moves.js';
import { el } from './dom.js';
import { drawBoard } from './drawing.js';
import { number, t } from './i18n.js';

const fact = (name, value) => [el('dt', {}, t(`board.${name}`)), el('dd', { dataset: { fact: name } }, value)];

/** The facts of a position as an element. */
export async function factsOf({ columns }, here) {
  const members = (await ofPly(here.ply)).filter((each) => each.class === here.class);
  const images = members.map((each) => el('a', { href: `#board?board=${each.board}`, 'aria-current': each === here ? 'true' : null },
    drawBoard(columns, each.board, { size: 44 })));
  return el('dl', {},
    fact('number', number(here.position)), fact('class', number(here.class)),
    fact('scores', `${here.score}, ${here.score_sv}, ${here.score_svrd}`),
    fact('random', chancesOf(here)), fact('critical', t(here.critical ? 'board.yes' : 'board.no')),
    fact('nodes', number(here.nodes)), fact('subtree', number(here.subtree)),
    fact('orbit', el('span', { class: 'images' }, images)));
}
