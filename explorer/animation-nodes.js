// The nodes of the animations: which hangs on which, and how many of each ply come before one. They
// are kept in arrays by node, for there are many.
//
// The document of a tree has only the moves that make its nodes, in the order of its builder. That
// order says which node is the parent of each; that the parent has this move is checked.

import { ofGame } from './api.js';

const SLICE = 12; // milliseconds of work before the page gets its turn
const EVERY = 64; // nodes between two stored counts

/** In place of a node where there is none. */
export const NONE = -1;

/** Nodes that hang on each other: what both kinds of animation have. */
export class Nodes {
  constructor(records, count) {
    this.records = records;
    this.count = count;
    this.parent = new Int32Array(count).fill(NONE);
    this.position = new Int16Array(count).fill(records.findIndex(Boolean)); // The first, till hung.
    this.cell = new Uint8Array(count);
    this.ply = new Uint8Array(count);
    this.child = new Int32Array(count).fill(NONE); // One child, ...
    this.sibling = new Int32Array(count).fill(NONE); // ... from which one gets to the next.
  }

  /** Hang a node on its parent, by the number of the move in the parent's list. */
  hang(node, parent, index) {
    const record = this.record(parent);
    this.parent[node] = parent;
    this.position[node] = record.children[index];
    this.cell[node] = record.moves[index];
    this.ply[node] = this.ply[parent] + 1;
  }

  record(node) {
    return this.records[this.position[node]];
  }

  /** The nodes from the root to a node. */
  path(node) {
    const path = [];
    for (let at = node; at !== NONE; at = this.parent[at]) path.push(at);
    return path.reverse();
  }

  /** The children of a node that have a cell; a search may enter one several times. */
  below(node, cell) {
    const found = [];
    for (let at = this.child[node]; at !== NONE; at = this.sibling[at]) if (this.cell[at] === cell) found.push(at);
    return found;
  }

  /** The nodes that a line (cells in order) leads to. */
  ofLine(cells) {
    let found = [...this.roots()];
    for (const cell of cells) found = found.flatMap((node) => this.below(node, cell));
    return found;
  }

  /** Whether play can go along a line, even if nothing here does. */
  knows(cells) {
    let here = this.record(0);
    for (const cell of cells) here = this.records[here?.children[here.moves.indexOf(cell)]];
    return Boolean(here);
  }

  *roots() {
    for (let node = 0; node < this.count; node++) if (this.parent[node] === NONE) yield node;
  }
}

/** Make the nodes of a full tree in the order of its builder. */
export async function growTree(order, records, game, progress) {
  const { moves } = await ofGame(`trees/${order}.json`);
  const nodes = new Nodes(records, moves.length + 1);
  nodes.totals = game.plies.map((row) => row.nodes);
  nodes.before = new Int32Array(Math.ceil(nodes.count / EVERY) * nodes.totals.length);
  const made = new Uint8Array(nodes.count);
  const youngest = new Int32Array(nodes.count);
  const sofar = nodes.totals.map(() => 0);
  let parent = 0;
  let since = performance.now();
  for (let node = 0; node < nodes.count; node++) {
    if (node % EVERY === 0) nodes.before.set(sofar, (node / EVERY) * sofar.length);
    if (node) {
      parent = waiting(order, nodes, made, order === 'bfs' ? parent : node - 1);
      if (nodes.record(parent)?.moves[made[parent]] !== Number(moves[node - 1])) {
        throw new Error(`trees/${order}.json does not fit the positions at node ${node}`);
      }
      nodes.hang(node, parent, made[parent]);
      if (made[parent]++) nodes.sibling[youngest[parent]] = node;
      else nodes.child[parent] = node;
      youngest[parent] = node;
    }
    sofar[nodes.ply[node]] += 1;
    if (node % 1024 === 0 && performance.now() - since > SLICE) {
      progress(node / nodes.count);
      await new Promise((resolve) => setTimeout(resolve));
      since = performance.now();
    }
  }
  return nodes;
}

/** The node that gets the next child: from `node` on, onwards or upwards, one that lacks children. */
function waiting(order, nodes, made, node) {
  let at = node;
  while (nodes.record(at)?.moves.length === made[at] && at in made) at = order === 'bfs' ? at + 1 : nodes.parent[at];
  return at;
}

/** How many nodes of each ply come before a node. */
export function countsBefore(nodes, node) {
  const wide = nodes.totals.length;
  const stored = Math.min(Math.floor(node / EVERY), nodes.before.length / wide - 1);
  const counts = Array.from(nodes.before.subarray(stored * wide, (stored + 1) * wide));
  for (let at = stored * EVERY; at < node; at++) counts[nodes.ply[at]] += 1;
  return counts;
}
