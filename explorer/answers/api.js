// Answers of the API about positions and by AIs, and its documents, each fetched once. A server is
// asked; the files of a static site hold the same answers as documents, or the values of a solution.
// This module and those above it hold no rule of the game: what is legal, what it leads to and
// what it is worth comes from the API.

import { request } from './request.js';

const documents = new Map();

/** Fetch a document below api/v2/; a promise of the same object each time. */
function get(path) {
  if (!documents.has(path)) {
    const fetched = ask(path);
    fetched.catch(() => documents.delete(path)); // Ask again next time.
    documents.set(path, fetched);
  }
  return documents.get(path);
}

/** Ask the API anew; what it refuses is an error with its status, which is 0 when no answer came. */
async function ask(path, options) {
  const response = await request(`api/v2/${path}`, options);
  if (!response.ok) throw Object.assign(new Error(await sentenceOf(response)), { status: response.status });
  return response.json();
}

/** What went wrong, in the server's words. */
export async function sentenceOf(response) {
  try {
    return (await response.json()).error ?? response.statusText;
  } catch {
    return `${response.status} ${response.statusText}`;
  }
}

/** What the page asks for first: the version, whether a server answers, the games, the first game. */
export const start = () => get('start.json');

let chosen = null; // The name of the game that the answers are about; the first game without.

/** Choose the game that all answers are about. */
export const chooseGame = (name) => { chosen = name; };

/** The path below api/v2/ of something about the chosen game. */
export const pathOf = async (path) => `games/${encodeURIComponent(chosen ?? (await start()).game)}/${path}`;

/** A document of the chosen game. */
export const ofGame = async (path) => get(await pathOf(path));

/** The document game.json: rules as data, what there is of the game, AIs, traces, reports. */
export const game = () => ofGame('game.json');

/** All positions of a ply, as an array of records; see `record`. */
export async function ofPly(ply) {
  const table = await ofGame(`plies/${ply}.json`);
  if (!table.records) {
    let move = table.first_move;
    const made = table.board.map((_, index) => {
      const made = record(table, index, move);
      move += made.moves.length;
      return made;
    });
    Object.defineProperties(table, {
      records: { value: made },
      byBoard: { value: new Map(made.map((position) => [position.board, position])) },
    });
  }
  return table.records;
}

const LISTS = new Set(['ply', 'first', 'first_move']);

/**
 * One position with every column of its row, named as in an answer, and subtree; the lists moves,
 * children (numbers of positions) and loss go together; firstMove is the place of its first move in
 * the table of moves.
 */
function record(table, index, firstMove) {
  const made = { position: table.first + index, ply: table.ply, firstMove };
  for (const column of Object.keys(table)) if (!LISTS.has(column)) made[column] = table[column][index];
  return made;
}

/**
 * The record of the position that a board text shows, or undefined: then play cannot reach it. Every
 * move leaves one mark, so the number of marks says in which document it stands.
 */
export async function recordOf(board) {
  const ply = [...board].filter((mark) => mark !== '.').length;
  const { plies } = await game();
  if (!plies.some((row) => row.ply === ply)) return undefined;
  await ofPly(ply);
  return (await ofGame(`plies/${ply}.json`)).byBoard.get(board);
}

const OUTCOMES = { 1: 'circle wins', 0: 'draw', '-1': 'cross wins' };

/**
 * The answer about the position that a board text shows, as the command `show` gives it: its facts,
 * null where they are unknown, and its moves, best first. Undefined when play cannot reach it.
 * Where a search ran out of time, bounds stand in place of values; see `whatIsKnown`.
 */
export async function position(board) {
  return (await start()).server ? fromServer(board) : fromFiles(await game(), board);
}

/**
 * What is known of a position at once. In a game that only a search answers about, that is what the
 * search begins with: then `is_glance` is true, and `position` tells more.
 */
export async function glance(board) {
  const [{ server }, { tables }] = await Promise.all([start(), game()]);
  if (!server || tables.length) return position(board);
  const found = await fromServer(board, '?search=no');
  return found?.is_bounded ? { ...found, is_glance: true } : found;
}

/** The answer of the server; undefined when play cannot reach the position. */
async function fromServer(board, query = '') {
  try {
    const found = await get(await pathOf(`positions/${encodeURIComponent(board)}${query}`));
    return 'at_least' in found ? whatIsKnown(found) : found;
  } catch (error) {
    if (error.status === 404) return undefined;
    throw error;
  }
}

/** An answer with bounds as an answer with values: null where the bounds leave one open. */
function whatIsKnown({ moves, ...facts }) {
  const scoreOf = ({ at_least, at_most }) => (Math.sign(at_least) === Math.sign(at_most) ? Math.sign(at_least) : null);
  const unknown = { score_sv: null, distance: null };
  return {
    status: 'playing', score_svrd: null, position: null, class: null, critical: null, is_bounded: true, ...unknown, ...facts,
    nodes: null, // Those that the search has visited are not those of the tree.
    moves: moves.map((move) => ({ ...unknown, score: scoreOf(move), is_best: move.loss === 0, is_best_sv: false, ...move })),
  };
}

/** The answer that the files of a site hold: the document of a ply, or values of a solution. */
async function fromFiles(about, board) {
  if (about.plies.length) return answerOf(about, await recordOf(board));
  const path = await pathOf('');
  if (!solutions.has(path)) solutions.set(path, openSolution(about, path));
  return (await solutions.get(path)).answer(board);
}

const solutions = new Map(); // Promises, by the path of the game.

async function openSolution(about, path) {
  const [{ Solution }, shape] = await Promise.all([import('./solution.js'), get(`${path}solution.json`)]);
  return new Solution(about, shape, (ply) => get(`${path}blocks/${ply}.json`), `api/v2/${path}tables/`);
}

/** The answer that a record of the documents holds. */
async function answerOf({ name }, found) {
  if (!found) return undefined;
  const { children: numbers, loss, firstMove, subtree, ...facts } = found;
  const after = await children(found);
  const sign = found.turn === 'circle' ? 1 : -1;
  const moves = found.moves.map((move, index) => {
    const { board, score, score_sv, distance } = after[index];
    return {
      move, board_after: board, score, score_sv, distance, loss: loss[index],
      is_best: found.best_moves.includes(move), is_best_sv: found.best_moves_sv.includes(move), outcome: OUTCOMES[score],
    };
  });
  moves.sort((one, other) => one.loss - other.loss || sign * (one.score * one.distance - other.score * other.distance) || one.move - other.move);
  return { game: name, key: null, ...facts, moves };
}

/** The moves of an answer by cell, each with what is known of the position after it and not of the move. */
export async function movesOf(here) {
  const moves = [...here.moves].sort((one, other) => one.move - other.move);
  if (here.score_svrd === null) return moves;
  return Promise.all(moves.map(async (move) => ({ ...await position(move.board_after), ...move })));
}

/** The records of the positions after each legal move of a record, in the order of `moves`. */
export async function children(position) {
  if (!position.moves.length) return [];
  const next = await ofPly(position.ply + 1);
  const first = next[0].position;
  return position.children.map((number) => next[number - first]);
}

/** The record of the empty board. */
export const root = async () => (await ofPly(0))[0];

/**
 * What an AI makes of each legal move of a position: a list of { move, ai_score, is_candidate,
 * probability } by cell; ai_score is null when the AI gives none.
 */
export async function choices(ai, { board }) {
  if ((await start()).server) return ask(await pathOf(`ais/${encodeURIComponent(ai)}/positions/${encodeURIComponent(board)}`));
  const { moves, firstMove } = await recordOf(board);
  const table = await ofGame(`ais/${encodeURIComponent(ai)}.json`);
  const chosen = moves.map((_, index) => table.candidates[firstMove + index] === '1');
  const count = chosen.filter(Boolean).length;
  return moves.map((move, index) => ({
    move,
    ai_score: table.ai_scores ? table.ai_scores[table.codes[firstMove + index]] : null,
    is_candidate: chosen[index],
    probability: table.probabilities ? table.probabilities[firstMove + index] : chosen[index] / count,
  }));
}

/** Follow a line (cells in order) from the empty board: the positions, the first one included. */
export async function follow(cells) {
  const path = [await root()];
  for (const cell of cells) {
    const here = path.at(-1);
    const index = here.moves.indexOf(cell);
    if (index < 0) return undefined;
    path.push((await children(here))[index]);
  }
  return path;
}

/** The rows of a report, each by column. */
export async function rowsOf(report) {
  const { columns, rows } = await ofGame(`reports/${report}.json`);
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
}
