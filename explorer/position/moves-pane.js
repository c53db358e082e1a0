// Every move of the position shown, with what it leads to, and what is known of the position.

import { el, facts, renew, wide } from '../elements/dom.js';
import { drawBoard } from '../elements/drawing.js';
import { linkTo } from '../state/address.js';
import { resultOf } from '../words/game-names.js';
import { addTexts, number, percent, t } from '../words/i18n.js';
import { cellName, kindOf, kindText, lineText, markOf, scoreFor, valueOf } from '../words/moves.js';

addTexts({
  'moves.caption': ['Every move and what it leads to; scores are in circle’s view', '各合法手とその結果（評価値は〇から見た値）'],
  'moves.over': ['The game is over: there are no moves.', '対局は終わっているので、合法手はありません。'], 'moves.move': ['move', '着手'],
  'moves.move.why': ['The cell: a letter for the column, a number for the row from below', 'マス：列の文字と、下から数えた行の数字'], 'moves.value': ['best play', '結果'],
  'moves.value.why': ['The result with best play', '双方が最善を尽くしたときの結果'], 'moves.kind': ['kind', '種類'],
  'moves.kind.why': ['Best, the only best, or what it gives away', '最善手か、唯一の最善手か、どれだけ損をするか'], 'moves.distance': ['moves', '手数'],
  'moves.distance.why': ['Moves to the end, this one included: the winner plays the fastest win, the loser the slowest loss', 'この着手を含めた、決着までの手数。勝つ側は最短で勝ち、負ける側はできるだけ長引かせる'],
  'moves.score': ['score', '評価値'], 'moves.score.why': ['1 circle wins, 0 draw, -1 cross wins', '〇の勝ちは 1、引き分けは 0、×の勝ちは -1'], 'moves.sv': ['by speed', '早さ'],
  'moves.sv.why': ['Shortest-victory score: quick wins score higher', '最短勝利の評価値：早い勝ちほど大きい'], 'moves.svrd': ['draws ranked', '引き分けの優劣'],
  'moves.svrd.why': ['As by speed, but a draw counts for the side that can still win', '「早さ」と同じ。ただし引き分けは、まだ勝つ可能性のある側に有利と見なす'],
  'moves.loses': ['loses', '損失'], 'moves.loses.why': ['How much the mover’s score drops: 0, 1 or 2', '手番側の評価値がどれだけ下がるか（0、1、2）'],
  'moves.random': ['random play 〇 △ ×', 'ランダム対局 〇 △ ×'],
  'moves.random.why': ['The chances of the results when both sides move at random', '双方がランダムに打つときの、結果の確率'],
  'moves.bounds': ['what the search knows', '探索で分かったこと'], 'moves.bounds.why': ['What the search found in its time', '時間内に探索で分かったこと'],
  'moves.facts': ['This position', 'この局面'], 'moves.fact.number': ['position', '局面番号'], 'moves.fact.class': ['class', '対称形のグループの番号'],
  'moves.fact.orbit': ['rotated and mirrored', '回転・反転した局面'], 'moves.fact.nodes': ['nodes of the tree that show it', 'この局面を表すノードの数'],
  'moves.fact.scores': ['score, by speed, draws ranked', '評価値、早さ、引き分けの優劣'], 'moves.fact.twoscores': ['score, by speed', '評価値、早さ'],
  'moves.fact.critical': ['a move can be wrong', '悪手のある局面'], 'moves.fact.random': ['random play 〇 △ ×', 'ランダム対局 〇 △ ×'],
});

/** The chances of random play: circle, draw, cross; null where they are unknown. */
const chancesOf = (position) => (typeof position.random_circle === 'number'
  ? ['circle', 'draw', 'cross'].map((side) => percent(position[`random_${side}`])).join(' · ') : null);

/** Make the pane; see panes.js. */
export function create(game) {
  const moves = wide(t('moves.caption'));
  const known = el('div', { class: 'facts' });
  return {
    element: el('section', { class: 'moves-pane' }, moves, known),
    async show(record, isLatest) {
      const { here } = record;
      const rows = await game.movesOf(here);
      if (!isLatest()) return;
      renew(moves, rows.length ? movesTable(record, rows) : el('p', { class: 'soft' }, t('moves.over')));
      renew(known, el('h2', {}, t('moves.facts')), factsOf(game, here));
    },
  };
}

/** The moves, best first; each heading says what it means, when one points at it; a move leads to what follows. */
function movesTable(record, moves) {
  const { here, game } = record;
  /** @type {any[][]} Names, each with what a move has there. */
  const columns = [...columnsOf(record), ...(here.is_bounded ? [['bounds', ({ outcome }) => outcome]] : valueColumns(here))];
  return el('table', { class: 'moves' }, el('caption', {}, t('moves.caption')),
    el('thead', {}, el('tr', {}, columns.map(([name]) => el('th', { scope: 'col', dataset: { column: name }, title: t(`moves.${name}.why`) }, el('abbr', { title: t(`moves.${name}.why`) }, t(`moves.${name}`)))))),
    el('tbody', {}, moves.map((move) => {
      const name = cellName(game, move.move);
      const point = (isOn) => () => document.querySelector(`[data-cell="${name}"]`)?.classList.toggle('pointed', isOn);
      return el('tr', { dataset: { move: name }, onpointerenter: point(true), onpointerleave: point(false), onfocusin: point(true), onfocusout: point(false) },
        columns.map(([column, cell]) => el('td', { dataset: { column } }, cell(move))));
    })));
}

const marked = (text, isBest) => el('span', { class: isBest ? 'best' : null }, String(text));

const columnsOf = ({ game, here, cells, at }) => [
  ['move', ({ move }) => el('a', linkTo({ line: lineText(game, [...cells.slice(0, at), move], '.'), at: null }), cellName(game, move))],
  ['value', (move) => {
    const value = valueOf(scoreFor(here.turn, move));
    return el('span', { class: `tag ${value}` }, resultOf(move.score));
  }],
  ['kind', (move) => {
    if (kindOf(here, move) === 'unknown' && move.score !== null) return ''; // Its value is known, what it loses is not.
    return el('span', { class: move.loss ? 'blunder' : move.is_best ? 'best' : null }, `${markOf(here, move)} ${kindText(here, move)}`.trim());
  }],
];

const valueColumns = (here) => [
  ['distance', ({ distance }) => distance + 1],
  ['score', (move) => marked(move.score, move.is_best)],
  ['sv', (move) => marked(move.score_sv, move.is_best_sv)],
  ...(here.score_svrd === null ? [] : [['svrd', (move) => marked(move.score_svrd, here.best_moves_svrd.includes(move.move))]]),
  ['loses', ({ loss }) => loss || ''],
  ...(here.score_svrd === null ? [] : [['random', (move) => el('span', { class: 'chances' }, chancesOf(move))]]),
];

/** A fact with its name; nothing where it is not known. */
const fact = (name, value) => (value === null || value === undefined ? null : [t(`moves.fact.${name}`), value, name]);

/** The facts of a position. */
function factsOf(game, here) {
  const counted = (value) => (value === null ? null : number(value));
  const scores = [here.score, here.score_sv, here.score_svrd].filter((score) => score !== null);
  const images = imagesOf(game, here.board).map((board) => el('a', { ...linkTo({ start: board, line: null, at: null }), 'aria-current': board === here.board ? 'true' : null },
    drawBoard(game.columns, board, { size: 44 })));
  return facts([
    fact('number', counted(here.position)), fact('class', counted(here.class)),
    scores.length > 0 && fact(scores.length > 2 ? 'scores' : 'twoscores', scores.join(', ')),
    fact('random', chancesOf(here)), fact('critical', here.critical === null ? null : t(here.critical ? 'yes' : 'no')),
    fact('nodes', counted(here.nodes)), fact('orbit', el('span', { class: 'images' }, images)),
  ]);
}

/** The boards that the symmetries of a game make of a board. */
const imagesOf = ({ symmetries }, board) =>
  [...new Set(symmetries.map(({ image }) => image.map((cell) => board[cell]).join('')))];
