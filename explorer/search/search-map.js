// The map of a replay: the full tree, filled step by step by what happens. What was visited has the
// colour of its score; what was cut stays hatched, what the table knew dotted.
//
// Every pixel of every row has a state, which steps write. A frame turns the states into a picture, so
// it costs the same for one step and for thousands. Copies of the states lead back to earlier steps.

import { el } from '../elements/dom.js';
import { Icicle } from '../tree/icicle.js';
import { number, t } from '../words/i18n.js';
import { lineText } from '../words/moves.js';
import { CUT, DRAWN, KNOWN, LOST, NOTHING, WON } from './search-steps.js';
import { highEnd, lowEnd } from './search-texts.js';

const ROW = 20; // pixels of a ply: two maps fit below each other
const LABELLED = 24; // pixels of a box that has room for its move, ...
const NUMBERED = 48; // ... and for the number of the visit, too
const COPIES = 40; // of the states, along a replay
const PATTERN = 8; // pixels after which a pattern repeats
const AT_EDGE = 2; // where there is a box, but its edge
const EDGE = 8, MARKS = 9; // the colours between boxes and of patterns, after those of the states
const COLOURS = ['raised', 'line', 'mark', 'lost', 'drawn', 'won', 'raised', 'raised', 'paper', 'edge'];

export class SearchMap extends Icicle {
  /** `select(cells)` is called when the reader chooses a node, `look(view)` when another part is shown. */
  constructor(game, select, look) {
    super(game, { label: t('search.map'), caption: t('search.map.hint'), select, look, row: ROW });
    this.windows = el('ol', { class: 'windows', 'aria-label': t('search.windows') });
    this.element = el('div', { class: 'search-map' },
      el('div', { class: 'rows' }, this.canvas, this.windows), el('div', { class: 'row' }, this.zooms, this.caption));
  }

  /** Show another replay. */
  start(records, model) {
    this.model = model;
    this.step = 0;
    this.plant(records, model.root);
    this.rows = Array.from({ length: records.at(-1).ply - model.root.ply + 1 }, () => el('li'));
    this.windows.replaceChildren(...this.rows);
  }

  /** Show the step of a replay, at once. */
  show(step) {
    this.step = step;
    this.draw();
    this.showWindows();
  }

  /** For each ply of the path its move and its window. */
  showWindows() {
    const { nodes } = this.model;
    const path = nodes.path(this.model.at(this.step).node);
    for (const [ply, row] of this.rows.entries()) {
      const node = path[ply];
      const entry = node === undefined ? null : this.model.entryOf(node);
      const move = node === undefined ? '' : ply ? lineText(this.game, [nodes.cell[node]]) : t('icicle.root');
      const text = entry ? `${move} ${lowEnd(entry.alpha)} … ${highEnd(entry.beta)}` : move;
      if (row.textContent !== text) row.textContent = text;
    }
  }

  // The states.

  layOut() {
    const layout = super.layOut();
    const { wide, runs, colour } = layout;
    const there = new Uint8Array(wide * runs.length); // Where boxes are.
    for (const [ply, row] of runs.entries()) {
      for (const { start, end } of row) {
        there.fill(1, ply * wide + start, ply * wide + end);
        if (end - start > 3 * layout.dense) there.fill(AT_EDGE, ply * wide + end - Math.ceil(layout.dense), ply * wide + end);
      }
    }
    this.there = there;
    this.states = null; // Start over.
    this.copies = new Map();
    this.copied = Math.ceil(this.model.count / COPIES);
    const high = layout.high * runs.length;
    if (this.image?.width !== wide || this.image.height !== high) this.image = new ImageData(wide, high);
    this.pixels = new Uint32Array(this.image.data.buffer);
    layout.palette = paletteOf(COLOURS.map(colour));
    layout.labels = this.labelsOf(layout);
    return layout;
  }

  /** Bring the states to the step, from where they are or from a copy. */
  advance() {
    const { model, step, copied } = this;
    let at = this.states && this.painted <= step ? this.painted : -1;
    let copy = step - (step % copied);
    while (copy > at && !this.copies.has(copy)) copy -= copied;
    if (copy > at) this.states = this.copies.get(copy).slice();
    else if (at < 0) this.states = this.first();
    at = Math.max(at, this.copies.has(copy) ? copy : -1);
    while (at < step) {
      at += 1;
      model.paint(at, this);
      if (at % copied === 0 && !this.copies.has(at)) this.copies.set(at, this.states.slice());
    }
    this.painted = step;
  }

  first() {
    const states = new Uint8Array(this.there.length);
    if (this.model.start !== NOTHING) states.forEach((_, at) => { if (this.there[at]) states[at] = this.model.start; });
    return states;
  }

  /** Fill a node with a state. */
  fill(nodes, node, state) {
    const { scale, from, wide } = this.layout;
    const left = (nodes.from[node] - from) * scale;
    const right = left + nodes.wide[node] * scale;
    if (right < 0 || left >= wide) return;
    const row = nodes.ply[node] * wide;
    const start = Math.max(0, Math.floor(left));
    const end = Math.min(wide, Math.floor(right));
    if (end <= start + 1) this.states[row + start] = state; // At least one pixel.
    else this.states.fill(state, row + start, row + end);
  }

  /** Give a state to a part of a row and to all that is below it, where nothing has happened. */
  shade(from, wide, top, state) {
    const { runs, scale, from: first, wide: all } = this.layout;
    const left = Math.floor((from - first) * scale);
    const right = Math.floor((from + wide - first) * scale);
    const start = Math.max(0, left);
    const end = Math.min(all, Math.max(left + 1, right));
    if (start >= end) return;
    for (let ply = top; ply < runs.length; ply++) {
      for (let at = ply * all + start; at < ply * all + end; at++) {
        if (this.states[at] === NOTHING && this.there[at]) this.states[at] = state;
      }
    }
  }

  // The picture.

  paint(paper, layout) {
    const [ink, focus, ground] = ['ink', 'focus', 'paper'].map(layout.colour);
    const { nodes } = this.model;
    this.advance();
    this.colour(layout);
    paper.putImageData(this.image, 0, 0);
    for (const { run, move, visits } of layout.labels) {
      const state = this.states[run.box.ply * layout.wide + (run.start + run.end >> 1)];
      const text = visits && visits.step <= this.step ? t('search.place', { place: visits.place, move }) : move;
      this.write(paper, layout, run, text, [LOST, DRAWN, WON].includes(state) ? ground : ink);
    }
    for (const box of this.boxesOf(this.line)) this.frame(paper, layout, box, focus);
    const path = nodes.path(this.model.at(this.step).node).slice(1);
    for (const box of this.boxesOf(path.map((node) => nodes.cell[node]))) this.frame(paper, layout, box, ink);
  }

  /** Turn the states into pixels: some lines of each row, in which patterns repeat, and copies of them. */
  colour({ wide, high, dense, runs, palette }) {
    const { states, there, pixels } = this;
    const period = Math.round(PATTERN * dense);
    const thick = Math.max(1, Math.round(1.5 * dense));
    const bottom = Math.floor(high - dense); // Below it is the edge of the row.
    for (let ply = 0; ply < runs.length; ply++) {
      const top = ply * high * wide;
      for (let y = 0; y < period; y++) {
        for (let x = 0, at = ply * wide; x < wide; x++, at++) {
          const shown = there[at] === AT_EDGE || !(states[at] || there[at]) ? EDGE : states[at];
          const isMarked = shown === CUT ? (x + y) % period < thick : shown === KNOWN && x % period < thick && y < thick;
          pixels[top + y * wide + x] = palette[isMarked ? MARKS : shown];
        }
      }
      for (let y = period; y < bottom; y++) pixels.copyWithin(top + y * wide, top + (y % period) * wide, top + (y % period + 1) * wide);
      pixels.fill(palette[EDGE], top + bottom * wide, top + high * wide);
    }
  }

  /** The boxes that have room for their move, and when and as which move of its parent each is tried. */
  labelsOf({ runs, dense }) {
    const { model: { nodes }, model } = this;
    const nodesOf = new Map([[this.root, nodes.roots]]); // By box.
    const labels = [];
    for (const box of nodesOf.keys()) { // It grows meanwhile, to the boxes with room.
      for (const run of runs[box.ply + 1] ?? []) {
        const wide = (run.end - run.start) / dense;
        if (wide < LABELLED || !box.inside?.includes(run.box)) continue;
        const found = nodesOf.get(box).flatMap((node) => nodes.below(node)).filter((node) => nodes.cell[node] === run.box.cell);
        const first = found.reduce((a, b) => Math.min(a, b), Infinity);
        const entry = wide < NUMBERED || first === Infinity ? null : model.entryOf(first);
        nodesOf.set(run.box, found);
        labels.push({ run, move: lineText(this.game, [run.box.cell]), visits: entry });
      }
    }
    return labels;
  }

  wordsOf(boxes) {
    const cells = boxes.slice(1).map(({ cell }) => cell);
    return t('search.map.box', { line: this.lineTo(boxes), state: t(`search.state.${this.model.stateOf(cells, this.step)}`), nodes: number(boxes.at(-1).record.subtree) });
  }
}

const read = document.createElement('canvas').getContext('2d');

/** Colours as numbers that a picture holds. */
const paletteOf = (colours) => Uint32Array.from(colours, (colour) => {
  read.fillStyle = colour; // Read back, it is #rrggbb.
  const [red, green, blue] = String(read.fillStyle).match(/\w\w/g).map((part) => parseInt(part, 16));
  return 0xff000000 + 0x10000 * blue + 0x100 * green + red;
});
