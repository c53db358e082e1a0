// The nodes of a replay: which hangs on which, and where each lies in the picture of the full tree.
// They are kept in arrays by node, for there are many.
//
// The document of a tree has only the moves that make its nodes, in the order of its builder. That
// order says which node is the parent of each; that the parent has this move is checked.

import { breathe } from '../elements/latest.js';
import { sharesOf } from '../tree/icicle.js';

/** In place of a node where there is none. */
export const NONE = -1;

export class Nodes {
  /** Make room for so many nodes of the tree below a record. */
  constructor(records, root, count) {
    this.records = records;
    this.roots = []; // Filled by the caller with the nodes that have no parent: a search may start over.
    this.count = count;
    this.parent = new Int32Array(count).fill(NONE);
    this.position = new Int32Array(count).fill(root.position);
    this.cell = new Uint8Array(count);
    this.ply = new Uint8Array(count); // From the root.
    this.from = new Float64Array(count); // Where it begins in the picture of the tree, ...
    this.wide = new Float64Array(count).fill(1); // ... and how wide it is there.
    this.child = new Int32Array(count).fill(NONE); // The newest child, ...
    this.sibling = new Int32Array(count).fill(NONE); // ... from which one gets to the older ones.
  }

  /** Hang a node on its parent, by the number of the move in the parent's list. */
  hang(node, parent, index) {
    const record = this.record(parent);
    [this.from[node], this.wide[node]] = this.partBelow(parent, index);
    this.parent[node] = parent;
    this.position[node] = record.children[index];
    this.cell[node] = record.moves[index];
    this.ply[node] = this.ply[parent] + 1;
    this.sibling[node] = this.child[parent];
    this.child[parent] = node;
  }

  /** Where the child after a move lies, [from, wide, ply], by the number of the move in the node's list. */
  partBelow(node, index) {
    const ends = sharesOf(this.records, this.record(node));
    const wide = this.wide[node];
    return [this.from[node] + wide * ends[index], wide * (ends[index + 1] - ends[index]), this.ply[node] + 1];
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

  /** The children of a node, the newest first; a search may enter one several times. */
  below(node) {
    const found = [];
    for (let at = this.child[node]; at !== NONE; at = this.sibling[at]) found.push(at);
    return found;
  }

  /** The nodes that a line (cells in order) leads to. */
  ofLine(cells) {
    let found = this.roots;
    for (const cell of cells) found = found.flatMap((node) => this.below(node).filter((each) => this.cell[each] === cell));
    return found;
  }
}

/** Make the nodes of a full tree in the order of its builder. */
export async function growTree(game, order, records) {
  const { moves } = await game.document(`trees/${order}.json`);
  const nodes = new Nodes(records, records[0], moves.length + 1);
  const made = new Uint8Array(nodes.count);
  nodes.roots.push(0);
  let parent = 0;
  for (let node = 1; node < nodes.count; node++) {
    parent = waiting(order, nodes, made, order === 'bfs' ? parent : node - 1);
    if (nodes.record(parent)?.moves[made[parent]] !== Number(moves[node - 1])) {
      throw new Error(`trees/${order}.json does not fit the positions at node ${node}`);
    }
    nodes.hang(node, parent, made[parent]);
    made[parent] += 1;
    if (node % 1024 === 0) await breathe();
  }
  return nodes;
}

/** The node that gets the next child: from `node` on, onwards or upwards, one that lacks children. */
function waiting(order, nodes, made, node) {
  let at = node;
  while (nodes.record(at)?.moves.length === made[at] && at in made) at = order === 'bfs' ? at + 1 : nodes.parent[at];
  return at;
}
