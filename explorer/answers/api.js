// Answers of the API about positions and by AIs. A server is asked; the files of a static site hold the
// same answers as documents, or the values of a solution. This module and those above it hold no rule of
// the game: what is legal, what it leads to and what it is worth comes from the API.

import { plyOf } from '../words/moves.js';
import { ask, get, load, once, start } from './request.js';

const games = new Map(); // Promises of games, by path.

/** Open a game by its name, the first game without one; a promise of the same Game each time. */
export async function openGame(name) {
  const { server, game: first } = await start();
  const path = `games/${encodeURIComponent(name ?? first)}/`;
  return once(games, path, async () => new Game(path, await get(`${path}game.json`), server));
}

/**
 * A game: all that game.json says of it (rules as data, what there is of the game, AIs, traces,
 * reports), and the answers about its positions and by its AIs.
 */
class Game {
  name = '';
  plies = []; // What there is of each ply, where there are tables.
  tables = [];
  ais = []; // Those of the tables.
  #path;
  #isServed;
  #solution = null; // A promise, when a static site has values of a solution.

  constructor(path, facts, isServed) {
    Object.assign(this, facts);
    this.#path = path;
    this.#isServed = isServed;
  }

  /** The path below api/v2/ of something about the game. */
  path(name) {
    return this.#path + name;
  }

  /** A document of the game. */
  document(name) {
    return get(this.path(name));
  }

  /** All positions of a ply, as an array of records; see `recordAt`. */
  async ofPly(ply) {
    const table = await this.document(`plies/${ply}.json`);
    if (!table.records) {
      let move = table.first_move;
      const records = table.board.map((_, index) => {
        const made = recordAt(table, index, move);
        move += made.moves.length;
        return made;
      });
      Object.defineProperties(table, {
        records: { value: records },
        byBoard: { value: new Map(records.map((position) => [position.board, position])) },
      });
    }
    return table.records;
  }

  /**
   * The record of the position that a board text shows, or undefined: then play cannot reach it. Every
   * move leaves one mark, so the number of marks says which document holds it.
   */
  async recordOf(board) {
    const ply = plyOf(board);
    if (!this.plies.some((row) => row.ply === ply)) return undefined;
    await this.ofPly(ply);
    return (await this.document(`plies/${ply}.json`)).byBoard.get(board);
  }

  /** The record of the empty board. */
  async root() {
    return (await this.ofPly(0))[0];
  }

  /** The records of the positions after each legal move of a record, in the order of `moves`. */
  async children(record) {
    if (!record.moves.length) return [];
    const next = await this.ofPly(record.ply + 1);
    const first = next[0].position;
    return record.children.map((number) => next[number - first]);
  }

  /** Follow a line (cells in order) from the empty board: the positions, the first one included. */
  async follow(cells) {
    const path = [await this.root()];
    for (const cell of cells) {
      const here = path.at(-1);
      const index = here.moves.indexOf(cell);
      if (index < 0) return undefined;
      path.push((await this.children(here))[index]);
    }
    return path;
  }

  /**
   * The answer about the position that a board text shows, as the command `show` gives it: its facts,
   * null where they are unknown, and its moves, best first. Undefined when play cannot reach it.
   * Where a search ran out of time, bounds stand in place of values; see `valuesFromBounds`.
   */
  position(board) {
    return this.#isServed ? this.#fromServer(board) : this.#fromFiles(board);
  }

  /**
   * What is known of a position at once. In a game that only a search answers about, that is what the
   * search begins with: then `is_glance` is true, and `position` returns more.
   */
  async glance(board) {
    if (!this.#isServed || this.tables.length) return this.position(board);
    const answer = await this.#fromServer(board, '?search=no');
    return answer?.is_bounded ? { ...answer, is_glance: true } : answer;
  }

  /** The answer of the server; undefined when play cannot reach the position. */
  async #fromServer(board, query = '') {
    try {
      const answer = await this.document(pathOf(board) + query);
      return 'at_least' in answer ? valuesFromBounds(answer) : answer;
    } catch (error) {
      if (error.status === 404) return undefined;
      throw error;
    }
  }

  /** The answer that the files of a site hold: the document of a ply, or values of a solution. */
  async #fromFiles(board) {
    if (this.plies.length) return this.#answerOf(await this.recordOf(board));
    this.#solution ??= this.#openSolution().catch((error) => { this.#solution = undefined; throw error; });
    return (await this.#solution).answer(board);
  }

  async #openSolution() {
    const [{ Solution }, shape] = await Promise.all([load(import.meta.resolve('./solution.js')), this.document('solution.json')]);
    return new Solution(this, shape, (ply) => this.document(`blocks/${ply}.json`), `api/v2/${this.path('tables/')}`);
  }

  /** The answer that a record of the documents holds. */
  async #answerOf(record) {
    if (!record) return undefined;
    const { children: numbers, loss, firstMove, subtree, ...facts } = record;
    const after = await this.children(record);
    const sign = record.turn === 'circle' ? 1 : -1;
    const moves = record.moves.map((move, index) => {
      const { board, score, score_sv, distance } = after[index];
      return {
        move, board_after: board, score, score_sv, distance, loss: loss[index],
        is_best: record.best_moves.includes(move), is_best_sv: record.best_moves_sv.includes(move), outcome: OUTCOMES[score],
      };
    });
    moves.sort((one, other) => one.loss - other.loss || sign * (one.score * one.distance - other.score * other.distance) || one.move - other.move);
    return { game: this.name, key: null, ...facts, moves };
  }

  /** The moves of an answer, best first, each with what is known of the position after it and not of the move. */
  async movesOf(here) {
    if (here.score_svrd === null) return here.moves;
    return Promise.all(here.moves.map(async (move) => ({ ...await this.position(move.board_after), ...move })));
  }

  /**
   * What an AI makes of each legal move of a position: a list of { move, ai_score, is_candidate,
   * probability } by cell; ai_score is null when the AI gives none.
   */
  async choices(ai, { board }) {
    if (this.#isServed) return ask(this.path(`ais/${encodeURIComponent(ai)}/${pathOf(board)}`));
    if (!this.ais.length) return choicesByValues(ai, await this.position(board));
    const { moves, firstMove } = await this.recordOf(board);
    const table = await this.document(`ais/${encodeURIComponent(ai)}.json`);
    const areCandidates = moves.map((_, index) => table.candidates[firstMove + index] === '1');
    const count = areCandidates.filter(Boolean).length;
    return moves.map((move, index) => ({
      move,
      ai_score: table.ai_scores ? table.ai_scores[table.codes[firstMove + index]] : null,
      is_candidate: areCandidates[index],
      probability: table.probabilities ? table.probabilities[firstMove + index] : areCandidates[index] / count,
    }));
  }

  /** The rows of a report, each by column. */
  async rowsOf(report) {
    const { columns, rows } = await this.document(`reports/${report}.json`);
    return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  }
}

/** The path of a board; browsers leave . and .. out of paths, which are the empty boards of one and of two cells. */
const pathOf = (board) => `positions/${encodeURIComponent(/^\.{1,2}$/.test(board) ? board.replaceAll('.', '_') : board)}`;

const LISTS = new Set(['ply', 'first', 'first_move']);

/**
 * One position with every column of its row, named as in an answer, and subtree; the lists moves,
 * children (numbers of positions) and loss go together; firstMove is the place of its first move in
 * the table of moves.
 */
function recordAt(table, index, firstMove) {
  const made = { position: table.first + index, ply: table.ply, firstMove };
  for (const column of Object.keys(table)) if (!LISTS.has(column)) made[column] = table[column][index];
  return made;
}

const OUTCOMES = { 1: 'circle wins', 0: 'draw', '-1': 'cross wins' };

/** An answer with bounds as an answer with values: null where the bounds leave one open. */
function valuesFromBounds({ moves, ...facts }) {
  const scoreOf = ({ at_least, at_most }) => (Math.sign(at_least) === Math.sign(at_most) ? Math.sign(at_least) : null);
  const unknown = { score_sv: null, distance: null };
  return {
    status: 'playing', score_svrd: null, position: null, class: null, critical: null, is_bounded: true, ...unknown, ...facts,
    nodes: null, // Those that the search has visited are not those of the tree.
    moves: moves.map((move) => ({ ...unknown, score: scoreOf(move), is_best: move.loss === 0, is_best_sv: false, ...move })),
  };
}

/** The AIs that need no program: which moves each may choose, and what a move is worth to it when circle is to move. */
const BY_VALUES = {
  perfect: [({ is_best: isBest }) => isBest, ({ score }) => score],
  perfect_sv: [({ is_best_sv: isBest }) => isBest, ({ score_sv: score }) => score],
  ai2: [() => true, () => null],
};

/** What an AI makes of each legal move of an answer, by cell; see `choices` of a game. */
function choicesByValues(ai, { turn, moves }) {
  const [mayPlay, worth] = BY_VALUES[ai];
  const sign = turn === 'circle' ? 1 : -1;
  const count = moves.filter(mayPlay).length;
  return moves.toSorted((one, other) => one.move - other.move).map((each) => {
    const score = worth(each);
    return { move: each.move, ai_score: score === null ? null : sign * score, is_candidate: mayPlay(each), probability: mayPlay(each) ? 1 / count : 0 };
  });
}
