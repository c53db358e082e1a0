// The record of a game: where it started, the cells played, and which step is shown. No elements
// here, and no rules: an answer says what a cell leads to.

import { cellsOf, lineText } from '../words/moves.js';

/** A course of a game: `start` is a position; `cells` were played from there; `at` of them are shown. */
export class GameRecord {
  constructor(game, start, path = [start], cells = [], at = cells.length) {
    this.game = game;
    this.start = start;
    this.cells = cells;
    this.at = at;
    this.path = path; // Positions: one more than cells.
    this.undone = []; // Cells taken back, the next one to be redone first.
    this.isSecret = false; // Whether what moves are worth is hidden from a player.
  }

  /** Read a game from an address: start=BOARD, line=b2.a3.c1, at=2; undefined when it is none. */
  static async from(game, parameters) {
    const start = await game.glance(parameters.get('start') || emptyBoard(game));
    const cells = cellsOf(game, parameters.get('line') ?? '');
    if (!start || !cells) return undefined;
    const record = new GameRecord(game, start);
    for (const cell of cells) {
      if (!(await record.play(cell))) return undefined;
    }
    const at = Number(parameters.get('at') || record.cells.length);
    record.goTo(at >= 0 && Number.isInteger(at) ? at : record.cells.length);
    return record;
  }

  /** Read a saved game; undefined when the file holds none of this game. */
  static async fromSaved(game, saved) {
    const { marubatsu: version, game: name, start, cells } = saved ?? {};
    if (version !== 1 || name !== game.name || typeof start !== 'string' || !Array.isArray(cells) || !cells.every(Number.isInteger)) return undefined;
    const parameters = new URLSearchParams({ start, line: lineText(game, cells, '.') });
    return GameRecord.from(game, parameters);
  }

  /** What is written into a file: the game, and who plays it with which seed. */
  toSave({ players, seed }) {
    return { marubatsu: 1, game: this.game.name, start: this.start.board, cells: this.cells, players, seed };
  }

  /** What is written into the address. */
  toAddress() {
    return {
      start: this.start.ply ? this.start.board : null, line: lineText(this.game, this.cells, '.'),
      at: this.at < this.cells.length ? String(this.at) : null,
    };
  }

  /** The position that is shown. */
  get here() {
    return this.path[this.at];
  }

  /** The cell of the move that led to it; undefined at the start. */
  get last() {
    return this.cells[this.at - 1];
  }

  /** Whether the last position is shown, and not an earlier one of a replay. */
  get isAtEnd() {
    return this.at === this.cells.length;
  }

  /** Whether another record, if there is one, has the same moves and shows the same one. */
  isLike(other) {
    return Boolean(other) && this.start.board === other.start.board && this.at === other.at && this.cells.join() === other.cells.join();
  }

  /** A move of the record as its position knew it: { move, score, loss, is_best, … }. */
  moveAt(index) {
    return this.path[index].moves.find(({ move }) => move === this.cells[index]);
  }

  /** Play a cell from the position shown; later moves are dropped. False when it is no move there. */
  async play(cell) {
    const { here, at } = this;
    const move = here.moves.find((each) => each.move === cell);
    if (!move) return false;
    const after = await this.game.glance(move.board_after);
    if (this.here !== here) return false; // The position changed meanwhile.
    this.cells = [...this.cells.slice(0, at), cell];
    this.path = [...this.path.slice(0, at + 1), after];
    this.at = at + 1;
    this.undone = [];
    return true;
  }

  /** Ask a search about a position, that shown first, then the last ones. False when all are known. */
  async learn() {
    const glanced = [this.here, ...this.path.toReversed()].find((each) => each.is_glance);
    if (glanced) Object.assign(glanced, { is_glance: false, is_bounded: false }, await this.game.position(glanced.board));
    return Boolean(glanced);
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

export const emptyBoard = ({ columns, rows }) => '.'.repeat(columns * rows);

/** A number from 0 to 1 for a seed and a place in the game: the same each time (mulberry32). */
export function chance(seed, place) {
  let state = (Math.imul(seed, 0x9e3779b1) + Math.imul(place + 1, 0x6d2b79f5)) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}

/** A new seed, short enough to be read. */
export const newSeed = () => crypto.getRandomValues(new Uint16Array(1))[0];
