// The answers of a solved game on a static site: the row of a position in the solution by the formula
// of `engine/large/index.py`, its value from the Parquet file of its ply, and the answer that the API
// gives. A move is an empty cell after which the board has a value: no rule is needed.

import { plyOf } from '../words/moves.js';
import { ValueFile } from './parquet-values.js';

const FAR = 64; // The size of a decided value at distance 0: see engine/large/values.py.
const OUTCOMES = { 1: 'circle wins', 0: 'draw', '-1': 'cross wins' };
const ENDS = { 1: 'circle', 0: 'draw', '-1': 'cross' };
const MARKS = { circle: 'o', cross: 'x' };

const signed = (sign, score) => 0 + sign * score; // Not -0.

export class Solution {
  /** `about` is game.json, `shape` is solution.json; `blocksOf(ply)` is a promise of its blocks; `address` is that of the tables. */
  constructor(about, shape, blocksOf, address) {
    this.about = about;
    this.shape = shape;
    this.blocksOf = blocksOf;
    this.address = address;
    this.files = new Map();
  }

  /** The answer about the position that a board text shows, as the API gives it; undefined when play cannot reach it. */
  async answer(board) {
    const { columns, rows, name } = this.about;
    if (board.length !== columns * rows || !/^[ox.]*$/.test(board)) return undefined;
    const row = await this.rowOf(board);
    const value = row === null ? null : await this.valueAt(plyOf(board), row);
    if (value === null) return undefined;
    const ply = plyOf(board);
    const side = ply % 2 ? 'cross' : 'circle';
    const facts = this.facts(board, value, side === 'circle' ? 1 : -1);
    const isOver = facts.distance === 0;
    const moves = isOver ? [] : await this.moves(board, side, value);
    const best = (flag) => moves.filter((move) => move[flag]).map(({ move }) => move).sort((one, other) => one - other);
    return {
      game: name, board, ply, turn: isOver ? null : side, status: isOver ? ENDS[facts.score] : 'playing', ...facts,
      moves, orbit: new Set(this.images(board)).size, class: null, representative: null, symmetry: null, position: null, nodes: null,
      score_svrd: null, best_moves_svrd: null, random_circle: null, random_draw: null, random_cross: null, key: row,
      critical: moves.some(({ loss }) => loss > 0), best_moves: best('is_best'), best_moves_sv: best('is_best_sv'),
    };
  }

  /** Score, shortest-victory score and distance of a board, from its mover's value. */
  facts(board, value, sign) {
    const empty = board.length - plyOf(board);
    const score = signed(sign, Math.sign(value));
    const distance = value ? FAR - Math.abs(value) : empty;
    return { score, score_sv: signed(score, 1 + ((empty - distance) >> 1)), distance };
  }

  /** The moves, the best first: among equal scores a win is better soon, and a loss late. */
  async moves(board, side, value) {
    const sign = side === 'circle' ? 1 : -1;
    const cells = [...board].flatMap((mark, cell) => (mark === '.' ? cell : []));
    const found = await Promise.all(cells.map(async (cell) => {
      const after = board.slice(0, cell) + MARKS[side] + board.slice(cell + 1);
      const worth = await this.valueOf(after); // The opponent's.
      if (worth === null) return null;
      const facts = this.facts(after, worth, -sign);
      const loss = Math.sign(value) + Math.sign(worth);
      return { move: cell, board_after: after, ...facts, loss, is_best: loss === 0, speed: -Math.sign(worth) * facts.distance, outcome: OUTCOMES[facts.score] };
    }));
    const moves = found.filter(Boolean).sort((one, other) => one.loss - other.loss || one.speed - other.speed || one.move - other.move);
    return moves.map(({ speed, ...move }) => ({ ...move, is_best_sv: move.is_best && speed === moves[0].speed }));
  }

  /** The mover's value of a board; null when play cannot reach it. */
  async valueOf(board) {
    const row = await this.rowOf(board);
    return row === null ? null : this.valueAt(plyOf(board), row);
  }

  async valueAt(ply, row) {
    const { rows, parts } = this.shape.plies[ply];
    const { path, bytes } = parts[Math.floor(row / rows)];
    if (!this.files.has(path)) this.files.set(path, new ValueFile(this.address + path, bytes));
    const { group } = this.shape, place = row % rows;
    return this.files.get(path).value(Math.floor(place / group), place % group);
  }

  /** The row of the class of a board in its ply; null where the index has none. */
  async rowOf(board) {
    const ply = plyOf(board);
    const shape = this.shape.plies[ply];
    if (!shape || countOf(board, 'o') !== Math.ceil(ply / 2)) return null;
    const images = this.images(board);
    const masks = images.map((image) => this.mask(image));
    const greatest = Math.max(...masks);
    const number = find(await this.blocksOf(ply), greatest);
    if (number < 0) return null;
    const offsets = images.filter((_, index) => masks[index] === greatest).map((image) => this.offset(image));
    return number * choose(shape.cells, shape.chosen) + Math.min(...offsets);
  }

  /** The boards that the symmetries of the game make of a board, in the order of places. */
  images(board) {
    return this.about.symmetries.map(({ image }) => this.shape.order.map((cell) => board[image[cell]]).join(''));
  }

  /** The cells of the block of a board, as a number: circle's marks, or with gravity all marks. */
  mask(image) {
    return [...image].reduce((sum, mark, place) => sum + (this.isInBlock(mark) ? 2 ** place : 0), 0);
  }

  isInBlock(mark) {
    return this.about.gravity ? mark !== '.' : mark === 'o';
  }

  /** The number of the choice among the cells that are left: those outside of the block, or with gravity those in it. */
  offset(image) {
    const chosen = this.about.gravity ? 'o' : 'x';
    const left = [...image].filter((mark) => this.isInBlock(mark) === this.about.gravity);
    let [sum, count] = [0, 0];
    left.forEach((mark, place) => {
      if (mark === chosen) sum += choose(place, count += 1);
    });
    return sum;
  }
}

const countOf = (board, mark) => [...board].filter((each) => each === mark).length;

/** The place of a number in an ascending list, -1 where it is not there. */
function find(list, wanted) {
  let [first, end] = [0, list.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (list[middle] < wanted) first = middle + 1;
    else end = middle;
  }
  return list[first] === wanted ? first : -1;
}

/** How many ways there are to choose k of m things. */
function choose(m, k) {
  let found = k > m ? 0 : 1;
  for (let at = 0; at < Math.min(k, m - k); at += 1) found = (found * (m - at)) / (at + 1);
  return found;
}
