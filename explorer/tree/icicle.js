// The full tree as one picture, to zoom: a row for each ply, a box for each node, as wide as its
// subtree. Subclasses draw the boxes: the map, and the map of a search.
//
// Each column of pixels is laid out by itself: from the root down, always into the child that holds
// it. So a layout costs the same for any number of nodes, and is made again only for another view.

import { button, el } from '../elements/dom.js';
import { outcomeClass } from '../elements/drawing.js';
import { listenTo, offsetIn, STEP } from '../elements/gestures.js';
import { addTexts, t } from '../words/i18n.js';
import { lineText } from '../words/moves.js';

addTexts({
  'icicle.closer': ['Closer', '拡大'], 'icicle.farther': ['Farther', '縮小'], 'icicle.whole': ['Whole tree', 'ゲーム木の全体'], 'icicle.here': ['To the line', '手順の位置へ'],
  'icicle.root': ['root', 'ルート'],
});

const ROW = 26; // pixels of a ply, usually
const CLOSEST = 1e-6; // of the tree that the picture may show

const RECOLOUR = 'recolour'; // what a picture hears when the colours of the page change
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const canvas of document.querySelectorAll('canvas')) canvas.dispatchEvent(new Event(RECOLOUR));
});

const loaded = new WeakMap(); // By game.

/** The record of every position of a game, by its number: the same list each time. */
export async function allRecords(game) {
  const plies = await Promise.all(game.plies.map(({ ply }) => game.ofPly(ply)));
  if (!loaded.has(game)) loaded.set(game, plies.flat());
  return loaded.get(game);
}

const shares = new WeakMap(); // By record: where its children begin, of its width.

/** Where the children of a record begin and end, from 0 to 1, in the order of its moves. */
export function sharesOf(records, record) {
  if (!shares.has(record)) {
    const ends = [0];
    for (const child of record.children) ends.push(ends.at(-1) + records[child].subtree / (record.subtree - 1));
    shares.set(record, Float64Array.from(ends));
  }
  return shares.get(record);
}

/**
 * The picture. `paint(paper, layout)` of an extending class draws it; the layout has the height of a
 * row, and for each row its runs { box, start, end } from left to right, all in pixels of the canvas.
 * `wordsOf(boxes)` says what the last of the boxes from the root down shows.
 * @abstract
 */
export class Icicle {
  /**
   * `select(cells)` is called when the reader chooses a node, `look(view)` when another part is shown; one
   * that `isWhole` shows no parts.
   * @param {any} game
   * @param {{ label: string, caption: string, select: (cells: number[]) => void, look?: (view: number[]) => void, row?: number, isWhole?: boolean }} options
   */
  constructor(game, { label, caption, select, look = () => {}, row = ROW, isWhole = false }) {
    this.game = game;
    this.row = row;
    this.isWhole = isWhole;
    this.select = select;
    this.looked = look;
    this.records = null;
    this.root = null; // The box of the first node.
    this.view = [0, 1]; // What part of the tree is shown, of its nodes from left to right.
    this.line = []; // The cells from the root to the node of the board.
    this.frameRequest = 0;
    this.layout = null;
    this.canvas = el('canvas', { class: 'map', role: 'img', 'aria-label': label });
    this.caption = el('p', { class: 'soft icicle-caption' }, caption);
    const zoom = (name, act, sign = t(`icicle.${name}`)) => button(sign, act, { 'aria-label': t(`icicle.${name}`), title: t(`icicle.${name}`), dataset: { control: name } });
    this.zooms = el('div', { class: 'row zooms' },
      zoom('closer', () => this.zoom(1 / STEP, this.middle), '+'), zoom('farther', () => this.zoom(STEP, this.middle), '−'),
      zoom('whole', () => this.look(0, 1)), zoom('here', () => this.lookAtLine()));
    this.listen();
    new ResizeObserver(() => this.changed()).observe(this.canvas);
    this.canvas.addEventListener(RECOLOUR, () => this.changed());
  }

  /** Show the tree below a record. */
  plant(records, root) {
    this.records = records;
    this.root = { record: root, cell: null, from: 0, wide: 1, ply: 0 };
    this.line = [];
    this.changed();
  }

  /** How many plies the picture shows. */
  get plyCount() {
    return this.records.at(-1).ply - this.root.record.ply + 1;
  }

  get middle() {
    return (this.view[0] + this.view[1]) / 2;
  }

  /** Show the end of the line with all that is below its parent. */
  lookAtLine() {
    const boxes = this.boxesOf(this.line);
    const { from, wide } = boxes.at(-2) ?? boxes[0];
    this.look(from, from + wide);
  }

  look(from, to) {
    const wide = Math.max(CLOSEST, Math.min(1, to - from));
    const start = Math.max(0, Math.min(1 - wide, from));
    this.view = [start, start + wide];
    this.changed();
    this.looked(this.view);
  }

  /** Show the part that another picture shows. */
  mirror(view) {
    this.view = view;
    this.changed();
  }

  /** Show a part so many times as wide, around a place that stays where it is. */
  zoom(times, around) {
    const [from, to] = this.view;
    this.look(around - (around - from) * times, around + (to - around) * times);
  }

  // Boxes: { record, cell, from, wide, ply }, from 0 to 1; the ply counts from the root of the picture.

  /** The boxes below a box, from left to right in the order of the moves; a box keeps them. */
  below(box) {
    const { record, from, wide, ply } = box;
    if (!box.inside) {
      const ends = sharesOf(this.records, record);
      box.inside = record.children.map((child, index) => ({
        record: this.records[child], cell: record.moves[index], from: from + wide * ends[index], wide: wide * (ends[index + 1] - ends[index]), ply: ply + 1,
      }));
    }
    return box.inside;
  }

  /** The boxes along a line, as far as play can go. */
  boxesOf(cells) {
    const boxes = [this.root];
    for (const cell of cells) {
      const next = this.below(boxes.at(-1)).find((box) => box.cell === cell);
      if (!next) break;
      boxes.push(next);
    }
    return boxes;
  }

  /** The boxes from the root down at a place, at most so many; `near` are those of a place left of it. */
  boxesAt(place, most, near = [this.root]) {
    const boxes = near.slice(0, Math.max(1, near.findLastIndex((box) => place < box.from + box.wide) + 1));
    while (boxes.length < most) {
      const next = this.below(boxes.at(-1)).find((box) => place < box.from + box.wide);
      if (!next || place < next.from) break;
      boxes.push(next);
    }
    return boxes;
  }

  // What is drawn.

  /** Lay out again, and draw. */
  changed() {
    this.layout = null;
    this.ask();
  }

  ask() {
    this.frameRequest ||= requestAnimationFrame(() => {
      this.frameRequest = 0;
      this.draw();
    });
  }

  draw() {
    const { canvas, root } = this;
    if (!root || !canvas.clientWidth) return;
    this.layout ??= this.layOut();
    this.paint(canvas.getContext('2d'), this.layout);
  }

  layOut() {
    const { canvas, root, plyCount: plies, view: [from, to] } = this;
    const dense = window.devicePixelRatio || 1;
    const high = Math.round(this.row * dense);
    const wide = Math.round(canvas.clientWidth * dense);
    canvas.style.height = `${plies * this.row}px`;
    if (canvas.width !== wide) canvas.width = wide;
    if (canvas.height !== high * plies) canvas.height = high * plies;
    const runs = Array.from({ length: plies }, () => []);
    let boxes = [root];
    for (let column = 0; column < wide; column++) {
      boxes = this.boxesAt(from + ((column + 0.5) / wide) * (to - from), plies, boxes);
      for (const [ply, box] of boxes.entries()) {
        const last = runs[ply].at(-1);
        if (last?.box === box) last.end = column + 1;
        else runs[ply].push({ box, start: column, end: column + 1 });
      }
    }
    const style = getComputedStyle(canvas);
    const colours = {}; // Read when needed; to read a style takes long.
    const colour = (name) => (colours[name] ??= style.getPropertyValue(`--${name}`).trim());
    return { wide, high, dense, runs, colour, scale: wide / (to - from), from };
  }

  /** @param {CanvasRenderingContext2D} _paper */
  paint(_paper, _layout) {
    throw new Error('an extending class paints');
  }

  /** The colour of who wins a record with best play. */
  colourOf({ score }, { colour }) {
    return colour(score === null ? 'line' : outcomeClass(score));
  }

  /** The line to the last of the boxes from the root down, after some cells. */
  lineTo(boxes, before = []) {
    return lineText(this.game, [...before, ...boxes.slice(1).map(({ cell }) => cell)]) || t('icicle.root');
  }

  /** @returns {string} */
  wordsOf(_boxes) {
    throw new Error('an extending class has the words');
  }

  /** Frame a box; one that is not in view has no frame. */
  frame(paper, { high, dense, scale, from, wide }, box, colour) {
    const start = Math.max(0, (box.from - from) * scale);
    const end = Math.min(wide, (box.from + box.wide - from) * scale);
    if (end < 0 || start > wide) return;
    paper.strokeStyle = colour;
    paper.lineWidth = 2 * dense;
    paper.strokeRect(start + dense, box.ply * high + dense, Math.max(dense, end - start - 2 * dense), high - 3 * dense);
  }

  /** Write into a box, in its middle. */
  write(paper, { high, dense }, { box, start, end }, text, colour) {
    paper.fillStyle = colour;
    paper.font = `${12 * dense}px system-ui, sans-serif`;
    paper.textAlign = 'center';
    paper.fillText(text, (start + end) / 2, box.ply * high + high / 2 + 4 * dense);
  }

  // What the reader does with a pointer; the buttons do the same by keys.

  /** The part of the tree that an event points at, from 0 to 1. */
  placeOf(event) {
    const [from, to] = this.view;
    return from + (offsetIn(this.canvas, event)[0] / this.canvas.clientWidth) * (to - from);
  }

  listen() {
    const { canvas } = this;
    const boxesAt = (event) => this.boxesAt(this.placeOf(event), Math.floor(offsetIn(canvas, event)[1] / this.row) + 1);
    const choose = (event) => { if (this.root) this.select(boxesAt(event).slice(1).map(({ cell }) => cell)); };
    canvas.addEventListener('pointermove', (event) => { if (this.root) this.caption.textContent = this.wordsOf(boxesAt(event)); });
    if (this.isWhole) canvas.addEventListener('click', choose);
    else listenTo(canvas, { choose, placeOf: (event) => this.placeOf(event), hold: (fingers) => this.hold(fingers), zoom: (times, place) => this.zoom(times, place) });
  }

  /** Show the part where each place stays below the finger that took hold of it. */
  hold([first, second]) {
    const { canvas, view: [from, to] } = this;
    const [x, other] = [first, second].map((finger) => finger && offsetIn(canvas, finger.now)[0]);
    const apart = second ? (other - x) / (second.place - first.place) : 0; // Pixels of the whole tree.
    const wide = apart > 0 ? canvas.clientWidth / apart : to - from;
    const start = first.place - (x / canvas.clientWidth) * wide;
    this.look(start, start + wide);
  }
}
