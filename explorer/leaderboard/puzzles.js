// The mistakes of an AI as puzzles: it has just made one, and the reader answers it on the board.

import { MARKS } from '../board/players.js';
import { choice, el, setCurrent } from '../elements/dom.js';
import { drawBoard } from '../elements/drawing.js';
import { address, go } from '../state/address.js';
import { addTexts, natural, number, t } from '../words/i18n.js';
import { cellName } from '../words/moves.js';
import { growing, toBoard } from './audit-pieces.js';
import { faults, nameOf, worst } from './judged.js';

addTexts({
  'puzzles.title': ['Beat {ai}', '{ai} に勝つ'],
  'puzzles.about': ['{ai} goes wrong in {count} {count|class|classes} of positions. On each card it has just made the ringed move. Answer it, then play on against {ai}.', '{ai} が悪手を打つ局面は、対称形をまとめて {count} 通りあります。枠で囲んだ手が、いま打った悪手です。とがめる手を打ち、そのまま {ai} と対局してください。'],
  'puzzles.ai': ['Opponent', '相手'], 'puzzles.option': ['{ai}: {count} {count|puzzle|puzzles}', '{ai}（{count} 問）'],
  'puzzles.none': ['{ai} makes no blunders: there is nothing to answer.', '{ai} は悪手を打たないので、問題はありません。'],
  'puzzles.unknown': ['Only AIs in the list above have puzzles, and {ai} is not among them.', '問題があるのは上の一覧の AI だけです。{ai} はその中にありません。'],
  'puzzles.solved': ['{solved} of {count} solved', '{count} 問中 {solved} 問を正解'], 'puzzles.win': ['win', '勝つ'], 'puzzles.draw': ['hold the draw', '引き分けに持ち込む'],
  'puzzles.goal': ['You are {side}: {goal}', '{side}の番：{goal}'], 'puzzles.done': ['solved', '正解'],
  'puzzles.board': ['{ai} has played {cell}: {board}', '{ai} が {cell} に着手：{board}'],
});

const solved = new Set(); // What the reader has solved, by game, AI and board; kept as long as the page is open.

/** The puzzles of an AI: for each class in which it errs, its worst mistake in one position. */
function puzzlesOf(game, ai, blunders) {
  return [...Map.groupBy(blunders, ({ board }) => board).values()].map(worst).map(({ board, move, turn, board_after: after, score_after: score }) => {
    const side = turn === 'circle' ? 'cross' : 'circle'; // The reader's.
    return { ai, board, move, after, side, goal: score === 0 ? 'draw' : 'win', key: [game.name, ai, board].join() };
  });
}

export async function makePuzzles(game) {
  const faultsOf = await faults(game);
  const all = new Map(game.opponents.map((ai) => [ai, puzzlesOf(game, ai, faultsOf(ai).blunders)]));
  const erring = [...all].filter(([, { length }]) => length).sort(([one, { length }], [other, { length: others }]) => length - others || natural(one, other));
  const options = erring.map(([ai, { length }]) => [ai, t('puzzles.option', { ai, count: number(length) })]);
  const picker = choice(t('puzzles.ai'), options, '', (ai) => go({ ai, part: 'puzzles' }), { 'data-control': 'opponent' });
  const place = el('div');
  let shown = null; // { ai, count, cards by puzzle }.

  const show = (ai) => {
    const puzzles = all.get(ai) ?? [];
    const cards = new Map();
    const count = el('p', { role: 'status', class: 'soft' });
    shown = { ai, count, cards };
    picker.querySelector('select').value = ai;
    const isMeasured = game.ais.some((row) => row.ai === ai);
    place.replaceChildren(el('h2', {}, t('puzzles.title', { ai: nameOf(ai) })),
      ...(puzzles.length ? [
        el('p', {}, t('puzzles.about', { ai, count: number(puzzles.length) })), count,
        ...growing(el('ul', { class: 'gallery puzzles' }), puzzles, (puzzle) => {
          const card = drawPuzzle(game, puzzle);
          cards.set(puzzle, card);
          return card;
        })] : [el('p', {}, t(isMeasured ? 'puzzles.none' : 'puzzles.unknown', { ai: nameOf(ai) }))]));
  };

  return {
    element: el('div', {}, el('div', { class: 'row' }, picker), place),
    update(ai, record) {
      if (shown?.ai !== ai) show(ai);
      const puzzles = all.get(ai) ?? [];
      const here = puzzles.find((puzzle) => isPlayed(puzzle, record));
      if (here && isSolved(here, record)) solved.add(here.key);
      for (const [puzzle, card] of shown.cards) mark(card, puzzle === here, solved.has(puzzle.key));
      shown.count.textContent = t('puzzles.solved', { solved: number(puzzles.filter(({ key }) => solved.has(key)).length), count: number(puzzles.length) });
    },
  };
}

/** Whether a record began with a puzzle, against its AI. */
const isPlayed = ({ ai, board, move, side }, { start, cells }) =>
  start.board === board && cells[0] === move && address().get(side === 'circle' ? 'cross' : 'circle') === ai;

/** Whether the game ended as the puzzle asks. */
const isSolved = ({ side, goal }, { here, isAtEnd }) => isAtEnd && !here.turn && [side, goal].includes(here.status);

function drawPuzzle(game, puzzle) {
  const { ai, board, move, after, side, goal } = puzzle;
  const label = t('puzzles.board', { ai, cell: cellName(game, move), board: after });
  const players = side === 'circle' ? { circle: 'person', cross: ai } : { circle: ai, cross: 'person' };
  return el('li', {}, el('a', toBoard({ ...players, start: board, line: cellName(game, move), at: null, hints: null, ai, part: 'puzzles' }),
    drawBoard(game.columns, after, { size: 110, label, marked: [move] }),
    el('span', {}, t('puzzles.goal', { side: MARKS[side], goal: t(`puzzles.${goal}`) })),
    el('span', { class: 'best' }, t('puzzles.done'))));
}

function mark(card, isHere, isDone) {
  setCurrent(card.querySelector('a'), isHere);
  card.querySelector('.best').hidden = !isDone;
}
