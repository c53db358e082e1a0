// The models of the replays, without elements: which node a step is at, what the step paints,
// the windows along the path, and counters. Everything is read from a document once, into arrays by
// node and by step.
//
// A model has `nodes`, `root` (a record), `count` steps, the names of its `counters`, and `start`,
// the state of all nodes before step 0. `at(step)` is { node, kind, counters, and for a search what
// the event holds }; `paint(step, picture)` fills parts of the picture with states;
// `entryOf(node)` is { alpha, beta, step, place among the moves tried, isAgain }; `stepsOf(cells)` lists the
// steps at the nodes of a line; `stateOf(cells, step)` says in a word what has happened there.

import { once } from '../answers/request.js';
import { t } from '../words/i18n.js';
import { growTree, Nodes, NONE } from './search-nodes.js';

/** What may be painted. */
export const NOTHING = 0, MADE = 1, OPEN = 2, LOST = 3, DRAWN = 4, WON = 5, CUT = 6, KNOWN = 7;

/** The replays of trees. */
export const TREES = ['building-bfs', 'building-dfs', 'scoring'];

const painted = (score) => DRAWN + Math.sign(score);
let grown = { records: null, trees: new Map() }; // The full trees of the last game, by order.

/** The model of one of TREES. */
export async function treeSteps(game, name, records) {
  const order = name === 'building-dfs' ? 'dfs' : 'bfs';
  if (grown.records !== records) grown = { records, trees: new Map() };
  const nodes = await once(grown.trees, order, () => growTree(game, order, records));
  return name === 'scoring' ? new ScoringSteps(nodes) : new BuildingSteps(nodes);
}

/** What the replays of trees share; the others say `done`, the state of a node that had its step. */
class TreeSteps {
  done = '';

  constructor(nodes) {
    this.nodes = nodes;
    this.root = nodes.record(0);
    this.count = nodes.count;
  }

  /** The step at which a node is made or scored. */
  stepOf(node) {
    return node;
  }

  entryOf() {
    return null;
  }

  stepsOf(cells) {
    return this.nodes.ofLine(cells).map((node) => this.stepOf(node));
  }

  stateOf(cells, step) {
    return this.stepsOf(cells)[0] <= step ? this.done : 'later';
  }
}

/** Building a tree: step n makes node n; the root is there at step 0. */
class BuildingSteps extends TreeSteps {
  counters = ['created'];
  start = NOTHING;
  done = 'created';

  at(step) {
    return { node: step, kind: 'create', counters: [step + 1] };
  }

  paint(step, picture) {
    picture.fill(this.nodes, step, MADE);
  }
}

/** Scoring a tree: from the node made last back to the root. */
class ScoringSteps extends TreeSteps {
  counters = ['scored'];
  start = MADE;
  done = 'scored';

  stepOf(node) {
    return this.count - 1 - node;
  }

  at(step) {
    const node = this.stepOf(step);
    return { node, kind: 'score', score: this.nodes.record(node).score, counters: [step + 1] };
  }

  paint(step, picture) {
    const node = this.stepOf(step);
    picture.fill(this.nodes, node, painted(this.nodes.record(node).score));
  }
}

/** A search: each event of its trace is a step; each time it enters a node, that is a node here. */
export class SearchSteps {
  counters = ['visited', 'hits', 'cuts', 'pruned'];
  start = NOTHING;

  /** Take a trace that starts at a record. Throws an Error where it does not fit the records. */
  constructor(records, root, { kinds, codes, cells }) {
    this.root = root;
    this.nodes = new Nodes(records, root, cells.length);
    this.count = codes.length;
    this.kinds = kinds;
    this.codes = codes;
    this.current = new Int32Array(this.count); // By step.
    this.totals = this.counters.map(() => new Int32Array(this.count));
    this.entered = new Int32Array(cells.length); // Steps, by node.
    this.left = new Int32Array(cells.length).fill(this.count);
    this.place = new Uint8Array(cells.length); // Among the moves that its parent has tried, by node.
    this.cuts = new Map(); // What each node cuts.
    this.isAgain = new Uint8Array(cells.length); // Whether its parent has entered it before.
    const sums = { enter: 0, hit: 0, cut: 0, leave: 0, skipped: 0 };
    let here = NONE;
    for (let step = 0; step < this.count; step++) {
      const { kind, skipped } = kinds[codes[step]];
      if (kind === 'enter') here = this.enter(sums.enter, here, cells[sums.enter], step);
      if (here === NONE) throw new Error(t('search.file.outside', { step }));
      this.current[step] = here;
      if (kind === 'cut') this.cuts.set(here, this.partsCutAt(here));
      if (kind === 'leave') {
        this.left[here] = step;
        here = this.nodes.parent[here];
      }
      sums[kind] += 1;
      sums.skipped += skipped;
      [sums.enter, sums.hit, sums.cut, sums.skipped].forEach((sum, index) => { this.totals[index][step] = sum; });
    }
  }

  enter(node, parent, cell, step) {
    const { nodes } = this;
    this.entered[node] = step;
    if (parent === NONE) {
      nodes.roots.push(node);
      return node;
    }
    const index = nodes.record(parent).moves.indexOf(cell);
    if (index < 0) throw new Error(t('search.file.nomove', { step, cell, board: nodes.record(parent).board }));
    const before = nodes.child[parent];
    const same = nodes.below(parent).find((each) => nodes.cell[each] === cell);
    nodes.hang(node, parent, index);
    this.isAgain[node] = Number(same !== undefined);
    this.place[node] = same === undefined ? (before === NONE ? 1 : this.most(parent, node) + 1) : this.place[same];
    return node;
  }

  /** How many moves a node has tried before it enters a child. */
  most(parent, child) {
    return Math.max(...this.nodes.below(parent).filter((each) => each !== child).map((each) => this.place[each]));
  }

  at(step) {
    return { node: this.current[step], ...this.kinds[this.codes[step]], counters: this.totals.map((each) => each[step]) };
  }

  entryOf(node) {
    const { alpha, beta } = this.kinds[this.codes[this.entered[node]]];
    return { alpha, beta, step: this.entered[node], place: this.place[node], isAgain: Boolean(this.isAgain[node]) };
  }

  paint(step, picture) {
    const { nodes } = this;
    const node = this.current[step];
    const { kind, score } = this.kinds[this.codes[step]];
    if (kind === 'enter') picture.fill(nodes, node, OPEN);
    else if (kind === 'leave') picture.fill(nodes, node, painted(score));
    else if (kind === 'hit') picture.shade(nodes.from[node], nodes.wide[node], nodes.ply[node] + 1, KNOWN);
    else for (const [from, wide, ply] of this.cuts.get(node)) picture.shade(from, wide, ply, CUT);
  }

  /** Where the moves lie that a node cuts: those that it has not entered. */
  partsCutAt(node) {
    const { moves } = this.nodes.record(node);
    const entered = new Set(this.nodes.below(node).map((each) => this.nodes.cell[each]));
    return [...moves.keys()].filter((index) => !entered.has(moves[index])).map((index) => this.nodes.partBelow(node, index));
  }

  stepsOf(cells) {
    const wanted = new Set(this.nodes.ofLine(cells));
    const found = [];
    this.current.forEach((node, step) => { if (wanted.has(node)) found.push(step); });
    return found;
  }

  /** What has happened at a line up to a step: visited, open, cut, known, depth or later. */
  stateOf(cells, step) {
    const isIn = (node) => this.entered[node] <= step;
    const here = this.nodes.ofLine(cells).filter(isIn);
    if (here.length) return here.some((node) => this.left[node] > step) ? 'open' : 'visited';
    for (let length = cells.length - 1; length >= 0; length--) {
      const above = this.nodes.ofLine(cells.slice(0, length)).filter(isIn);
      if (above.length) return this.whyNot(above.at(0), step);
    }
    return 'later';
  }

  /** Why a node has no further child at a step, from the event before its last one. */
  whyNot(node, step) {
    const { kind } = this.left[node] > step ? {} : this.kinds[this.codes[this.left[node] - 1]];
    return { cut: 'cut', hit: 'known', enter: 'depth' }[kind] ?? 'later';
  }
}
