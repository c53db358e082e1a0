// Nodes of the tree as words, pictures and rows of links.

import { el } from '../elements/dom.js';
import { drawBoard, outcomeClass } from '../elements/drawing.js';
import { linkTo } from '../state/address.js';
import { listed, number, percent, t } from '../words/i18n.js';
import { cellName, lineText } from '../words/moves.js';
import { isBest, settings } from './tree-nodes.js';

/** What the address says of a node. */
export const changesOf = (game, cells) => ({
  start: null, at: null, line: lineText(game, cells, '.'), score: settings.score === 'score' ? null : settings.score,
});

/** Who wins: has won when the game is over, or wins with best play. */
const outcomeOf = ({ turn, status, score }) => t(turn ? `tree.leads.${score}` : `tree.status.${status}`);

/** The chances of random play; lines break between them only. */
const chancesOf = (position) => [['〇', 'circle'], ['△', 'draw'], ['×', 'cross']].map(([mark, result]) =>
  `${mark} ${percent(position[`random_${result}`])}`.replaceAll(' ', '\u00a0')).join(' ');

const moveOf = ({ parent, move }, game) => (parent ? cellName(game, move) : t('icicle.root'));

/** What the reader wants to see at each node. */
function valueOf({ position }) {
  const value = {
    score: () => String(position[settings.score]), distance: () => number(position.distance),
    random: () => chancesOf(position), subtree: () => number(position.subtree),
  }[settings.shown]();
  return t(`tree.value.${settings.shown}`, { value, name: t(`tree.score.${settings.score}`) });
}

const moverOf = ({ parent, move, position }) => parent && t(`tree.move.${position.board[move]}`);

/** A node in words, to be said. */
export const sentenceOf = (node, game) =>
  listed([moveOf(node, game), moverOf(node), outcomeOf(node.position), valueOf(node), node.parent && isBest(node) && t('tree.best')]);

/** The words beside or below the board of a node; the board shows who moved, and screen readers say it. */
export const wordsOf = (node, game) => [
  ['move', moveOf(node, game)], ['outcome', outcomeOf(node.position)], ['value', valueOf(node)],
  ['best', node.parent && isBest(node) && t('tree.best')], ['spoken', moverOf(node)],
].filter(([, text]) => text).flatMap(([name, text]) => [el('span', { class: name }, text), ' ']);

export const classOf = (node) => `node ${outcomeClass(node.position.score)} ${isBest(node) ? '' : 'other'}`;

/** The board of a node, its last move ringed; the words say it to screen readers. */
export const pictureOf = ({ parent, move, position }, columns, size) =>
  el('span', { 'aria-hidden': 'true' }, drawBoard(columns, position.board, { size, marked: parent ? [move] : [] }));

/** A row of nodes, each a link to itself; `current` is the one shown. */
export function rowOf(nodes, game, current) {
  return el('ol', { class: 'nodes' }, nodes.map((node) => el('li', {}, el('a', {
    ...linkTo(changesOf(game, node.cells)), class: classOf(node), 'aria-current': node === current ? 'true' : null,
  }, pictureOf(node, game.columns, 56), wordsOf(node, game)))));
}

/** The facts of a node, and where else to look at it. */
export function factsOf(game, { cells, position }) {
  const fact = (name, value) => [el('dt', {}, t(`tree.fact.${name}`)), el('dd', { dataset: { fact: name } }, value)];
  return el('section', { dataset: { part: 'facts' } }, el('h2', {}, t('tree.facts')),
    el('dl', {},
      fact('line', cells.length ? lineText(game, cells) : t('tree.noline')),
      fact('ply', String(position.ply)), fact('board', el('code', {}, position.board)),
      fact('state', position.turn ? t(`tree.turn.${position.turn}`) : outcomeOf(position)),
      position.turn && fact('outcome', el('span', { class: outcomeClass(position.score) }, outcomeOf(position))),
      fact('scores', `${position.score}, ${position.score_sv}, ${position.score_svrd}`),
      fact('distance', number(position.distance)), fact('random', chancesOf(position)),
      fact('position', number(position.position)), fact('class', number(position.class)),
      fact('nodes', number(position.nodes)), fact('subtree', number(position.subtree))),
    el('p', { class: 'row' },
      el('a', linkTo({ ...changesOf(game, cells), pane: 'search' }), t('tree.tosearch'))));
}
