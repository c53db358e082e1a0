// The models of the animations, without elements: which node stands at a step, the path to it, the
// state of the children along it, and counters. Everything is read from the documents once, into
// arrays by node and by step; asking for a step then takes no longer than the path is.
//
// A model has `count` steps; `at(step)` is { node, kind, counters, plies or nothing, and for a search
// the columns of the event }; `branches(node, step)` says for each move of a node { cell, record of
// the child, state: 'done' | 'now' | 'cut' | 'later', score or null }; `steps(cells)` lists, in
// order, the steps at which something happens to the nodes of a line.

import { countsBefore, growTree, Nodes, NONE } from './animation-nodes.js';
import { ofGame, ofPly } from './api.js';

/** The animations of trees: which document, and whether nodes are made or scored. */
export const TREES = { 'building-bfs': 'bfs', 'building-dfs': 'dfs', scoring: 'bfs' };

const models = new Map();

/** Load the animation with an id; `progress(share)` is called now and then. */
export function load(id, game, progress) {
  if (!models.has(id)) {
    const making = make(id, game, progress);
    making.catch(() => models.delete(id)); // Try again next time.
    models.set(id, making);
  }
  return models.get(id);
}

async function make(id, game, progress) {
  const records = await allRecords(game);
  if (!(id in TREES)) return new SearchSteps(records, await ofGame(`traces/${id.replace('search-', '')}.json`));
  const order = TREES[id];
  if (id === 'scoring') return new ScoringSteps((await load('building-bfs', game, progress)).nodes);
  return new BuildingSteps(await growTree(order, records, game, progress));
}

/** Every position's record, by number. */
async function allRecords(game) {
  const plies = await Promise.all(game.plies.map(({ ply }) => ofPly(ply)));
  const records = [];
  for (const record of plies.flat()) records[record.position] = record;
  return records;
}

/** Building a tree: step n makes node n; the root is there at step 0. */
class BuildingSteps {
  counters = ['created', 'moved'];

  constructor(nodes) {
    this.nodes = nodes;
    this.count = nodes.count;
  }

  at(step) {
    const plies = countsBefore(this.nodes, step + 1);
    return { node: step, kind: 'create', plies, counters: { created: step + 1, moved: step } };
  }

  branches(node, step) {
    return fullBranches(this.nodes, node, (child) => child <= step, () => null);
  }

  steps(cells) {
    return this.nodes.ofLine(cells);
  }
}

/** Scoring a tree: from the node made last back to the root. */
class ScoringSteps {
  counters = ['scored'];

  constructor(nodes) {
    this.nodes = nodes;
    this.count = nodes.count;
  }

  at(step) {
    const node = this.count - 1 - step;
    const { score } = this.nodes.record(node);
    const before = countsBefore(this.nodes, node);
    const plies = this.nodes.totals.map((total, ply) => total - before[ply]);
    return { node, kind: 'score', score, plies, counters: { scored: step + 1 } };
  }

  branches(node, step) {
    return fullBranches(this.nodes, node, (child) => child >= this.count - 1 - step, (record) => record.score);
  }

  steps(cells) {
    return this.nodes.ofLine(cells).map((node) => this.count - 1 - node);
  }
}

function fullBranches(nodes, node, isDone, scoreOf) {
  const { moves, children } = nodes.record(node);
  let at = nodes.child[node];
  return moves.map((cell, index) => {
    const record = nodes.records[children[index]];
    const done = isDone(at);
    at = nodes.sibling[at];
    return { cell, record, state: done ? 'done' : 'later', score: done ? scoreOf(record) : null };
  });
}

/** A search: each event of its trace is a step; each time it enters a node, that is a node here. */
class SearchSteps {
  counters = ['visited', 'hits', 'cuts', 'pruned'];

  constructor(records, { kinds, codes, cells, entered }) {
    this.nodes = new Nodes(records, entered);
    this.count = codes.length;
    this.kinds = kinds;
    this.codes = codes;
    this.current = new Int32Array(this.count); // By step.
    this.totals = this.counters.map(() => new Int32Array(this.count));
    this.enter = new Int32Array(entered); // Steps, by node.
    this.leave = new Int32Array(entered).fill(this.count);
    this.cut = new Int32Array(entered).fill(this.count);
    this.values = valuesOf(kinds);
    const sums = { enter: 0, hit: 0, cut: 0, skipped: 0 };
    let here = NONE;
    codes.forEach((code, step) => {
      const { kind, skipped } = kinds[code];
      if (kind === 'enter') here = this.push(sums.enter, here, cells[step], step);
      this.current[step] = here;
      if (kind === 'cut') this.cut[here] = step;
      if (kind === 'leave') {
        this.leave[here] = step;
        here = this.nodes.parent[here];
      }
      sums[kind] += 1;
      sums.skipped += skipped;
      [sums.enter, sums.hit, sums.cut, sums.skipped].forEach((sum, index) => { this.totals[index][step] = sum; });
    });
  }

  push(node, parent, cell, step) {
    const { nodes } = this;
    this.enter[node] = step;
    if (parent === NONE) return node; // A root: the first position.
    nodes.hang(node, parent, nodes.record(parent).moves.indexOf(Number(cell)));
    nodes.sibling[node] = nodes.child[parent]; // The newest comes first.
    nodes.child[parent] = node;
    return node;
  }

  at(step) {
    const counters = Object.fromEntries(this.counters.map((name, index) => [name, this.totals[index][step]]));
    return { node: this.current[step], ...this.kinds[this.codes[step]], counters };
  }

  branches(node, step) {
    const { moves, children } = this.nodes.record(node);
    return moves.map((cell, index) => {
      const newest = this.nodes.below(node, cell).find((each) => this.enter[each] <= step);
      const record = this.nodes.records[children[index]];
      if (newest === undefined) return { cell, record, state: this.cut[node] <= step ? 'cut' : 'later', score: null };
      const left = this.leave[newest];
      return { cell, record, state: left < step ? 'done' : 'now', score: left <= step ? this.kinds[this.codes[left]].score : null };
    });
  }

  steps(cells) {
    const wanted = new Set(this.nodes.ofLine(cells));
    const found = [];
    this.current.forEach((node, step) => { if (wanted.has(node)) found.push(step); });
    return found;
  }
}

/** The ends of windows and the scores that occur, least first. */
function valuesOf(kinds) {
  const all = kinds.flatMap(({ alpha, beta, score }) => [alpha, beta, score]).filter(Number.isFinite);
  return [...new Set(all)].sort((a, b) => a - b);
}
