// The documents of the API, each fetched once, and positions found in them by board text.
// This module and those above it hold no rule of the game: what is legal, what it leads to and
// what it is worth stands in the documents.

const documents = new Map();

/** Fetch a document below api/v1/; a promise of the same object each time. */
export function get(path) {
  if (!documents.has(path)) {
    const fetched = fetch(`api/v1/${path}`).then(async (response) => {
      if (!response.ok) throw new Error(await sentenceOf(response));
      return response.json();
    });
    fetched.catch(() => documents.delete(path)); // Ask again next time.
    documents.set(path, fetched);
  }
  return documents.get(path);
}

/** What went wrong, in the server's words. */
export async function sentenceOf(response) {
  try {
    return (await response.json()).error ?? response.statusText;
  } catch {
    return `${response.status} ${response.statusText}`;
  }
}

/** The document game.json: rules as data, AIs, traces, reports. */
export const game = () => get('game.json');

/** All positions of a ply, as an array of records; see `record`. */
export async function ofPly(ply) {
  const table = await get(`positions/${ply}.json`);
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
 * One position with every column of its row: position, board, ply, status, turn, class, symmetry,
 * nodes, subtree, score, score_sv, score_svrd, distance, critical, random_circle, random_draw,
 * random_cross, and the lists moves, children (numbers of positions), loss, best, best_sv,
 * best_svrd (moves); firstMove is the place of its first move in the table of moves.
 */
function record(table, index, firstMove) {
  const made = { position: table.first + index, ply: table.ply, firstMove };
  for (const column of Object.keys(table)) if (!LISTS.has(column)) made[column] = table[column][index];
  return made;
}

/**
 * The position that a board text shows, or undefined: then play cannot reach it. Every move leaves
 * one mark, so the number of marks says in which document it stands.
 */
export async function position(board) {
  const ply = [...board].filter((mark) => mark !== '.').length;
  const { plies } = await game();
  if (!plies.some((row) => row.ply === ply)) return undefined;
  await ofPly(ply);
  return (await get(`positions/${ply}.json`)).byBoard.get(board);
}

/** The positions after each legal move, in the order of `moves`. */
export async function children(position) {
  if (!position.moves.length) return [];
  const next = await ofPly(position.ply + 1);
  const first = next[0].position;
  return position.children.map((number) => next[number - first]);
}

/** The position of the empty board. */
export const root = async () => (await ofPly(0))[0];

/**
 * What an AI makes of each legal move of a position: a list of {move, candidate, value}, in the
 * order of `moves`; value is null when the AI gives none.
 */
export async function choices(ai, position) {
  const table = await get(`ais/${encodeURIComponent(ai)}.json`);
  return position.moves.map((move, index) => {
    const place = position.firstMove + index;
    return {
      move,
      candidate: table.candidates[place] === '1',
      value: table.ai_scores ? table.ai_scores[table.codes[place]] : null,
    };
  });
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

/** The cells of a line that is written with commas. */
export const readCells = (text) => text.split(',').filter((each) => each.trim()).map(Number);

/** The rows of a report, each by column. */
export async function rowsOf(report) {
  const { columns, rows } = await get(`reports/${report}.json`);
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
}
