// The record of a game: where it started, the cells played, and which step is shown. No elements
// here, and no rules: an answer says what a cell leads to.

import { game, position, readCells } from './api.js';

/** A game: `start` is a position; `cells` were played from there; `at` of them are shown. */
export class GameRecord {
  constructor(start, path = [start], cells = [], at = cells.length) {
    this.start = start;
    this.cells = cells;
    this.at = at;
    this.path = path; // Positions: one more than cells.
    this.undone = []; // Cells taken back, the next one to be redone first.
  }

  /** Read a game from an address: start=BOARD, line=4,0,8, at=2; or board=BOARD alone. */
  static async from(parameters) {
    const text = parameters.get('start') ?? parameters.get('board');
    const start = await position(text || await emptyBoard());
    if (!start) return undefined;
    const record = new GameRecord(start);
    for (const cell of readCells(parameters.get('line') ?? '')) {
      if (!(await record.play(cell))) return undefined;
    }
    const at = Number(parameters.get('at') ?? record.cells.length);
    record.goTo(Number.isInteger(at) ? at : record.cells.length);
    return record;
  }

  /** Read a saved game; undefined when the file holds none of this game. */
  static async fromSaved(saved, game) {
    if (saved?.marubatsu !== 1 || saved.game !== game.name || !Array.isArray(saved.cells)) return undefined;
    const parameters = new URLSearchParams({ start: String(saved.start), line: saved.cells.join(',') });
    return GameRecord.from(parameters);
  }

  /** What is written into a file: the game, and who plays it with which seed. */
  toSave(game, { players, seed }) {
    return { marubatsu: 1, game: game.name, start: this.start.board, cells: this.cells, players, seed };
  }

  /** What is written into the address. */
  toAddress() {
    const parameters = {};
    if (this.start.ply) parameters.start = this.start.board;
    if (this.cells.length) parameters.line = this.cells.join(',');
    if (this.at < this.cells.length) parameters.at = this.at;
    return parameters;
  }

  /** The position that is shown. */
  get here() {
    return this.path[this.at];
  }

  /** Whether the last position is shown, and not an earlier one of a replay. */
  get isAtEnd() {
    return this.at === this.cells.length;
  }

  /** Whether another record, if there is one, has the same moves and shows the same one. */
  isLike(other) {
    return Boolean(other) && this.start.board === other.start.board && this.at === other.at && this.cells.join() === other.cells.join();
  }

  /** Play a cell from the position shown; later moves are dropped. False when it is no move there. */
  async play(cell) {
    const move = this.here.moves.find((each) => each.move === cell);
    if (!move) return false;
    const after = await position(move.board_after);
    this.cells = [...this.cells.slice(0, this.at), cell];
    this.path = [...this.path.slice(0, this.at + 1), after];
    this.at += 1;
    this.undone = [];
    return true;
  }

  /** Show another step. */
  goTo(at) {
    this.at = Math.max(0, Math.min(at, this.cells.length));
  }

  /** Take back the last move shown, and what came after it. */
  undo() {
    if (!this.at) return;
    this.undone = [...this.cells.slice(this.at - 1), ...this.undone];
    this.cells = this.cells.slice(0, this.at - 1);
    this.path = this.path.slice(0, this.at);
    this.at -= 1;
  }

  /** Play again the move that was taken back last. */
  async redo() {
    const [cell, ...rest] = this.undone;
    if (cell === undefined) return;
    this.goTo(this.cells.length); // It followed the last move that is left.
    await this.play(cell);
    this.undone = rest;
  }
}

async function emptyBoard() {
  const { columns, rows } = await game();
  return '.'.repeat(columns * rows);
}

/** A number from 0 to 1 for a seed and a place in the game: the same each time (mulberry32). */
export function chance(seed, place) {
  let state = (Math.imul(seed, 0x9e3779b1) + Math.imul(place + 1, 0x6d2b79f5)) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}
