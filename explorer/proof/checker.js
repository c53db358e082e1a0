// Proves every value of a solved game from the rules alone, in the file of `marubatsu export GAME --raw`.
// Nothing of marubatsu is used: lines, symmetries and the index of the rows are derived here.
//
// The file has lines of text and an empty line; then for each ply the masks of its blocks (64 bits, the
// lowest byte first, bit i for cell i) and a byte for each row, for the side to move: 64 - n when it wins
// in n plies, n - 64 when it loses in n, 0 for a draw, 127 where play does not come.
//
// Cells are counted row by row from the top left, places in the order that the file names. Without gravity
// a block is the cells of circle, and its rows are the ways to choose those of cross among the others; with
// gravity all filled cells, and the ways to choose those of circle. The choice of c1 < ... < ck, counted
// among the places that are left, is row C(c1, 1) + ... + C(ck, k). Of a class, the members with the
// greatest block are in the file, and the smallest of their rows has the value.

const WON = 64, NONE = 127;
const MOST_CELLS = 31; // A mask is a whole number of 32 bits.
const MOST_HEADER = 4000; // characters
const OFTEN = 1 << 20; // rows between two reports
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [-1, 1]];

/** A value that does not follow, or a file that holds something else; `board` shows the position, or is null. */
export class ProofError extends Error {
  name = 'ProofError';

  constructor(message, board = null) {
    super(message);
    this.board = board;
  }
}

/**
 * Check all rows of a file, from the empty board on; two plies are in memory.
 * `report` is called with { ply, plies, share, classes } now and then: share is the part of the ply's rows checked. The
 * promise is of { game, plies }, with { rows, classes, won, drawn, lost } of each ply.
 */
export async function prove(stream, report = (_) => {}) {
  const bytes = new Bytes(stream);
  const game = new Rules(await header(bytes));
  const counts = [];
  let classes = 0;
  let ply = await readPly(bytes, game, 0);
  ply.reached[0] = 1;
  for (let number = 0; number < game.plies.length; number += 1) {
    const next = number + 1 < game.plies.length ? await readPly(bytes, game, number + 1) : null;
    const count = { rows: ply.values.length, classes: 0, won: 0, drawn: 0, lost: 0 };
    checkPly(game, ply, next, count, (share) => report({ ply: number, plies: game.plies.length, share, classes: classes + count.classes }));
    if (!count.classes) throw new ProofError(`ply ${number} is in the file, but play does not reach it`);
    counts.push(count);
    classes += count.classes;
    ply = next;
  }
  if (!(await bytes.isAtEnd())) throw new ProofError('the file goes on after its last ply');
  return { game: game.name, plies: counts };
}

/** The bytes of a stream, some at a time. */
class Bytes {
  constructor(stream) {
    this.reader = stream.getReader();
    this.chunk = new Uint8Array(0);
  }

  async isAtEnd() {
    while (!this.chunk.length) {
      const { done, value } = await this.reader.read();
      if (done) return true;
      this.chunk = value;
    }
    return false;
  }

  /** So many bytes; `what` they are of is named where they are not there. */
  async take(count, what) {
    const taken = new Uint8Array(count);
    for (let at = 0; at < count;) {
      if (await this.isAtEnd()) throw new ProofError(`${what}: the file ends too early`);
      const part = this.chunk.subarray(0, count - at);
      taken.set(part, at);
      at += part.length;
      this.chunk = this.chunk.subarray(part.length);
    }
    return taken;
  }
}

/**
 * The lines at the beginning, up to an empty one: marubatsu raw 1, game NAME, order CELL..., and for each ply
 * ply N blocks N rows N.
 */
async function header(bytes) {
  let text = '';
  while (text.length < MOST_HEADER && !text.endsWith('\n\n') && !(await bytes.isAtEnd())) text += String.fromCharCode((await bytes.take(1))[0]);
  const [kind, game, order, ...plies] = text.trimEnd().split('\n').map((line) => line.split(' '));
  const [, ...sizes] = /^(\d+)x(\d+)k(\d+)((?:-gravity|-misere|-torus)*)$/.exec(game?.[1]) ?? [];
  const [columns, rows, run] = sizes.map(Number);
  const rules = sizes.at(-1);
  const cells = columns * rows;
  if (kind.join(' ') !== 'marubatsu raw 1' || order?.[0] !== 'order' || !(run >= 1 && cells >= 1 && cells <= MOST_CELLS)) {
    throw new ProofError(`this is no file of \`marubatsu export GAME --raw\`, or its game has other rules or more than ${MOST_CELLS} cells`);
  }
  plies.forEach(([, ply], number) => {
    if (ply !== String(number) || number > cells) throw new ProofError(`expected the line of ply ${number}`);
  });
  return {
    name: game[1], columns, rows, run, cells, cellAt: order.slice(1).map(Number),
    gravity: rules.includes('gravity'), misere: rules.includes('misere'), torus: rules.includes('torus'),
    plies: plies.map(([, , , blocks, , size]) => ({ blocks: Number(blocks), rows: Number(size) })),
  };
}

/** The lines and symmetries of a game, as masks of places. */
class Rules {
  constructor({ name, columns, rows, run, cells, cellAt, gravity, misere, torus, plies }) {
    this.name = name;
    this.columns = columns;
    this.rows = rows;
    this.run = run;
    this.gravity = gravity;
    this.misere = misere;
    this.torus = torus;
    this.cells = cells;
    this.cellAt = cellAt;
    this.plies = plies;
    this.placeOf = Array.from({ length: cells }, (_, cell) => cellAt.indexOf(cell));
    const isDown = cellAt.every((cell, place) => place % rows === 0 || cell === cellAt[place - 1] + columns);
    if (cellAt.length !== cells || this.placeOf.includes(-1) || (gravity && !isDown)) throw new ProofError('the order of cells is not one of all, with gravity down each column');
    this.full = 2 ** this.cells - 1;
    this.lines = Int32Array.from(this.allLines());
    this.images = this.allSymmetries();
    this.choose = Array.from({ length: this.cells + 1 }, (_, n) => Float64Array.from({ length: n + 2 }, (__, k) => binomial(n, k)));
  }

  * allLines() {
    for (let cell = 0; cell < this.cells; cell += 1) {
      for (const [right, down] of DIRECTIONS) {
        let line = 0, x = cell % this.columns, y = (cell - x) / this.columns, length = 0;
        for (; length < this.run; length += 1, x += right, y += down) {
          if (this.torus) [x, y] = [(x + this.columns) % this.columns, y % this.rows];
          if (x < 0 || x >= this.columns || y >= this.rows) break;
          const mark = 1 << this.placeOf[x + this.columns * y];
          if (line & mark) break; // No cell counts twice.
          line |= mark;
        }
        if (length === this.run) yield line;
      }
    }
  }

  /** For each symmetry, the images of the masks of every byte: 4 times 256. */
  allSymmetries() {
    const { columns, rows, cells } = this;
    const found = [];
    for (const turn of columns === rows && !this.gravity ? [false, true] : [false]) {
      for (let flip = 0; flip < (this.gravity ? 2 : 4); flip += 1) {
        for (let shift = 0; shift < (this.torus ? cells : 1); shift += 1) {
          const table = new Int32Array(1024);
          for (let cell = 0; cell < cells; cell += 1) {
            let x = cell % columns, y = (cell - x) / columns;
            if (flip & 1) x = columns - 1 - x;
            if (flip & 2) y = rows - 1 - y;
            if (turn) [x, y] = [y, x];
            const goal = 1 << this.placeOf[((x + shift) % columns) + ((y + Math.floor(shift / columns)) % rows) * columns];
            const place = this.placeOf[cell];
            for (let byte = 0; byte < 256; byte += 1) if ((byte >> (place & 7)) & 1) table[((place >> 3) << 8) | byte] |= goal;
          }
          found.push(table);
        }
      }
    }
    return found;
  }

  hasLine(mask) {
    const { lines } = this;
    for (let at = 0; at < lines.length; at += 1) if ((mask & lines[at]) === lines[at]) return true;
    return false;
  }

  /** The blocks of a ply, ascending: the masks of some marks, each the greatest of its images. */
  blocks(count) {
    const [columns, high] = this.gravity ? [this.columns, this.rows] : [this.cells, 1];
    const found = [];
    const fill = (column, missing, mask) => {
      if (column < 0) {
        if (this.images.every((table) => imageOf(table, mask) <= mask)) found.push(mask);
        return;
      }
      for (let height = Math.max(0, missing - column * high); height <= Math.min(high, missing); height += 1) {
        fill(column - 1, missing - height, mask | (((1 << height) - 1) << ((column + 1) * high - height)));
      }
    };
    fill(columns - 1, count, 0);
    return Int32Array.from(found);
  }

  /** A position as text, for a person. */
  board(block, choice) {
    const circle = this.gravity ? choice : block, cross = this.gravity ? block & ~choice : choice;
    return this.placeOf.map((place) => ((circle >> place) & 1 ? 'o' : (cross >> place) & 1 ? 'x' : '.')).join('');
  }
}

function binomial(n, k) {
  let found = k > n ? 0 : 1;
  for (let at = 0; at < k && at < n; at += 1) found = (found * (n - at)) / (at + 1);
  return Math.round(found);
}

const imageOf = (table, mask) => table[mask & 255] | table[256 | ((mask >> 8) & 255)] | table[512 | ((mask >> 16) & 255)] | table[768 | (mask >>> 24)];

/** The blocks and values of a ply; which of its rows are reached is not yet known. */
async function readPly(bytes, game, number) {
  const circles = Math.ceil(number / 2);
  const masks = game.blocks(game.gravity ? number : circles);
  const [left, chosen] = game.gravity ? [number, circles] : [game.cells - circles, number - circles];
  const size = game.choose[left][chosen];
  const { blocks, rows } = game.plies[number];
  if (masks.length !== blocks || masks.length * size !== rows) throw new ProofError(`ply ${number}: expected ${masks.length} blocks and ${masks.length * size} rows`);
  const stored = new DataView((await bytes.take(8 * blocks, `ply ${number}`)).buffer);
  masks.forEach((mask, block) => {
    const expected = game.cellAt.reduce((sum, cell, place) => sum + ((mask >> place) & 1) * 2 ** cell, 0);
    if (stored.getUint32(8 * block, true) !== expected || stored.getUint32(8 * block + 4, true)) throw new ProofError(`ply ${number}, block ${block}: expected another mask`);
  });
  return { number, masks, size, chosen, values: new Int8Array((await bytes.take(rows, `ply ${number}`)).buffer), reached: new Uint8Array(rows) };
}

/** Compare every value of a ply with those of the next, and mark the rows there that moves lead to. */
function checkPly(game, ply, next, count, report) {
  const isCircles = ply.number % 2 === 0;
  let row = 0;
  for (const block of ply.masks) {
    const left = game.gravity ? block : game.full & ~block;
    const moves = next ? movesFrom(game, block, isCircles, next) : [];
    let choice = lowest(left, ply.chosen);
    for (let at = 0; at < ply.size; at += 1, row += 1, choice = nextChoice(left, choice)) {
      let expected = NONE;
      if (ply.reached[row]) {
        const circle = game.gravity ? choice : block, cross = game.gravity ? block & ~choice : choice;
        if (game.hasLine(isCircles ? cross : circle)) expected = game.misere ? WON : -WON; // Only who has moved can have a line.
        else if (ply.number === game.cells) expected = 0;
        else if (next) expected = valueOf(game, moves, choice, next);
        else throw new ProofError(`ply ${ply.number} is the last of the file, but play goes on`);
      }
      const value = ply.values[row];
      if (value !== expected) {
        throw new ProofError(`ply ${ply.number}, row ${row}: expected ${expected}, not ${value} (127 is null)`, game.board(block, choice));
      }
      if (value !== NONE) {
        count.classes += 1;
        if (value > 0) count.won += 1;
        else if (value < 0) count.lost += 1;
        else count.drawn += 1;
      }
      if (row % OFTEN === 0) report(row / ply.values.length);
    }
  }
}

/** The moves from the rows of a block: where they lead, and the symmetries that show the class there. */
function movesFrom(game, block, isCircles, next) {
  const moves = [];
  for (let place = 0; place < game.cells; place += 1) {
    const mark = 1 << place;
    const isOpen = !(block & mark) && (!game.gravity || (place + 1) % game.rows === 0 || block & (mark << 1));
    if (!isOpen) continue;
    const goal = game.gravity || isCircles ? block | mark : block;
    const images = game.images.map((table) => imageOf(table, goal));
    const greatest = Math.max(...images);
    moves.push({
      mark, greatest,
      chosen: game.gravity === isCircles ? mark : 0,
      first: indexOf(next.masks, greatest) * next.size,
      left: game.gravity ? greatest : game.full & ~greatest,
      symmetries: game.images.filter((_, at) => images[at] === greatest),
    });
  }
  return moves;
}

/** The value of a row from those of the rows that moves lead to, which are marked as reached. */
function valueOf(game, moves, choice, next) {
  let best = -NONE;
  for (let each = 0; each < moves.length; each += 1) {
    const { mark, chosen, first, left, symmetries } = moves[each];
    if (choice & mark) continue; // The choice has taken the cell.
    let least = Infinity;
    for (let at = 0; at < symmetries.length; at += 1) {
      least = Math.min(least, rowOf(game.choose, left, imageOf(symmetries[at], choice | chosen)));
    }
    next.reached[first + least] = 1;
    const after = next.values[first + least]; // For the other side, and a ply nearer to the end.
    best = Math.max(best, after > 0 ? 1 - after : after < 0 ? -1 - after : 0);
  }
  return best;
}

/** The row of a choice among the places that are left, counted in its block. */
function rowOf(choose, left, choice) {
  let row = 0, count = 0;
  for (let n = 0; choice; left >>>= 1, choice >>>= 1) {
    if (choice & 1) row += choose[n][count += 1];
    n += left & 1;
  }
  return row;
}

function lowest(left, count) {
  let choice = 0;
  for (let at = 0, rest = left; at < count; at += 1, rest &= rest - 1) choice |= rest & -rest;
  return choice;
}

/** The choice of the next row: the lowest mark that can go on does, and those below start again. */
function nextChoice(left, choice) {
  let next = ((choice | ~left) + (choice & -choice)) & left;
  let rest = choice & ~next;
  for (rest &= rest - 1; rest; rest &= rest - 1, left &= left - 1) next |= left & -left;
  return next;
}

function indexOf(masks, wanted) {
  let low = 0, high = masks.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (masks[middle] <= wanted) low = middle;
    else high = middle;
  }
  return low;
}
