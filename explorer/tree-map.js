// The whole tree as one picture, to zoom: a row for each ply, a box for each node, as wide as its
// subtree; the colour is who wins. The line of the board is lit.
//
// Each column of pixels is drawn by itself: from the root down, always into the child that holds it.
// So a picture costs the same for any number of nodes.

import { ofPly } from './api.js';
import { lineText } from './cells.js';
import { button, el } from './dom.js';
import { outcomeClass } from './drawing.js';
import { number, t } from './i18n.js';

const ROW = 26; // pixels of a ply
const LABELLED = 24; // pixels of a box that has room for its move
const CLOSEST = 1e-6; // of the tree that the picture may show
const STEP = 1.6; // how much a step of the wheel zooms
const STILL = 4; // pixels that a click may move

export class TreeMap {
  /** `select(cells)` is called when the reader chooses a node. */
  constructor(game, select) {
    this.game = game;
    this.select = select;
    this.records = null; // By number of the position.
    this.view = [0, 1]; // What part of the tree is shown, of its nodes from left to right.
    this.line = [];
    this.asked = 0;
    this.canvas = el('canvas', { class: 'map', role: 'img', 'aria-label': t('tree.map') });
    this.told = el('p', { class: 'soft map-told' }, t('tree.map.hint'));
    const zoom = (name, act) => button(t(`tree.map.${name}`), act, { dataset: { control: name } });
    this.element = el('div', { class: 'tree-map' }, this.canvas,
      el('div', { class: 'row' }, zoom('closer', () => this.zoom(1 / STEP, this.middle)), zoom('farther', () => this.zoom(STEP, this.middle)),
        zoom('whole', () => this.look(0, 1)), zoom('here', () => this.lookAtLine())), this.told);
    this.listen();
    new ResizeObserver(() => this.ask()).observe(this.canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.ask());
  }

  /** Light the line of some nodes from the root, and show its end with all that is below its parent. */
  async update(nodes) {
    this.line = nodes.at(-1).cells;
    if (!this.records) {
      const plies = await Promise.all(this.game.plies.map(({ ply }) => ofPly(ply)));
      this.records = plies.flat();
      this.canvas.dataset.ready = '';
    }
    this.lookAtLine();
  }

  get middle() {
    return (this.view[0] + this.view[1]) / 2;
  }

  lookAtLine() {
    const boxes = this.boxesOf(this.line);
    const { from, wide } = boxes.at(-2) ?? boxes[0];
    this.look(from, from + wide);
  }

  look(from, to) {
    const wide = Math.max(CLOSEST, Math.min(1, to - from));
    const start = Math.max(0, Math.min(1 - wide, from));
    this.view = [start, start + wide];
    this.ask();
  }

  /** Show a part so many times as wide, around a place that stays where it is. */
  zoom(times, around) {
    const [from, to] = this.view;
    this.look(around - (around - from) * times, around + (to - around) * times);
  }

  // Boxes: { record, cell, from, wide, ply }, from 0 to 1.

  get root() {
    return { record: this.records[0], cell: null, from: 0, wide: 1, ply: 0 };
  }

  /** The boxes below a box, from left to right in the order of the moves; a box keeps them. */
  below(box) {
    const { record, from, wide, ply } = box;
    let at = from;
    box.inside ??= record.children.map((child, index) => {
      const after = this.records[child];
      const part = (wide * after.subtree) / (record.subtree - 1);
      at += part;
      return { record: after, cell: record.moves[index], from: at - part, wide: part, ply: ply + 1 };
    });
    return box.inside;
  }

  /** The boxes along a line. */
  boxesOf(cells) {
    const boxes = [this.root];
    for (const cell of cells) boxes.push(this.below(boxes.at(-1)).find((box) => box.cell === cell));
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

  ask() {
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      if (this.records && this.canvas.isConnected) this.draw();
    });
  }

  draw() {
    const { canvas, game } = this;
    const wide = canvas.clientWidth;
    const rows = game.plies.length;
    const dense = window.devicePixelRatio || 1;
    canvas.style.height = `${rows * ROW}px`;
    canvas.width = Math.round(wide * dense);
    canvas.height = Math.round(rows * ROW * dense);
    const paper = canvas.getContext('2d');
    paper.scale(dense, dense);
    const style = getComputedStyle(canvas);
    this.colours = Object.fromEntries(['won', 'drawn', 'lost', 'ink', 'paper'].map((name) => [name, style.getPropertyValue(`--${name}`)]));
    const lit = new Set(this.boxesOf(this.line).map(({ from, ply }) => `${ply} ${from}`));
    let boxes = [this.root];
    const open = Array(rows).fill(null); // In each row, the box that is being drawn, and where it begins.
    const x = (place) => ((place - this.view[0]) / (this.view[1] - this.view[0])) * wide;
    for (let column = 0; column <= wide; column++) {
      const place = this.view[0] + ((column + 0.5) / wide) * (this.view[1] - this.view[0]);
      boxes = this.boxesAt(place, rows, boxes);
      for (let ply = 0; ply < rows; ply++) {
        const box = column < wide ? boxes[ply] : undefined;
        if (open[ply] && open[ply].box.from === box?.from) continue;
        if (open[ply]) this.drawBox(paper, open[ply].box, open[ply].start, column, lit);
        open[ply] = box ? { box, start: column } : null;
      }
    }
    for (const box of this.boxesOf(this.line)) this.drawFrame(paper, box, Math.max(0, x(box.from)), Math.min(wide, x(box.from + box.wide)));
  }

  drawBox(paper, box, start, end, lit) {
    const { won, drawn, lost } = this.colours;
    const wide = end - start;
    const gap = wide > 3 ? 1 : 0;
    paper.globalAlpha = lit.has(`${box.ply} ${box.from}`) ? 1 : 0.6;
    paper.fillStyle = { won, drawn, lost }[outcomeClass(box.record.score)];
    paper.fillRect(start, box.ply * ROW, wide - gap, ROW - 1);
    if (wide < LABELLED || box.cell === null) return;
    paper.globalAlpha = 1;
    paper.fillStyle = this.colours.paper;
    paper.font = '12px system-ui, sans-serif';
    paper.textAlign = 'center';
    paper.fillText(lineText(this.game, [box.cell]), start + wide / 2, box.ply * ROW + ROW / 2 + 4);
  }

  drawFrame(paper, { ply }, start, end) {
    paper.globalAlpha = 1;
    paper.strokeStyle = this.colours.ink;
    paper.lineWidth = 2;
    paper.strokeRect(start + 1, ply * ROW + 1, Math.max(1, end - start - 2), ROW - 3);
  }

  // What the reader does with a pointer; the buttons and the list do the same by keys.

  listen() {
    const { canvas } = this;
    const placeOf = (event) => this.view[0] + (event.offsetX / canvas.clientWidth) * (this.view[1] - this.view[0]);
    const boxesOf = (event) => this.boxesAt(placeOf(event), Math.floor(event.offsetY / ROW) + 1);
    let held = null; // Where the pointer went down, and what was shown then.
    canvas.addEventListener('wheel', (event) => {
      if (!this.records) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? STEP : 1 / STEP, placeOf(event));
    }, { passive: false });
    canvas.addEventListener('pointerdown', (event) => {
      held = { x: event.offsetX, view: this.view, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!this.records) return;
      if (held && (held.moved ||= Math.abs(event.offsetX - held.x) > STILL)) {
        const by = ((held.x - event.offsetX) / canvas.clientWidth) * (held.view[1] - held.view[0]);
        this.look(held.view[0] + by, held.view[1] + by);
      }
      this.tell(boxesOf(event));
    });
    canvas.addEventListener('pointerup', (event) => {
      if (held && !held.moved && this.records) this.select(boxesOf(event).slice(1).map(({ cell }) => cell));
      held = null;
    });
    canvas.addEventListener('pointercancel', () => { held = null; });
  }

  tell(boxes) {
    const { record } = boxes.at(-1);
    const line = lineText(this.game, boxes.slice(1).map(({ cell }) => cell)) || t('tree.root');
    this.told.textContent = t('tree.map.box', { line, outcome: t(`tree.leads.${record.score}`), nodes: number(record.subtree) });
  }
}
