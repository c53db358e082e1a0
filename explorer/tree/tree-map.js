// The map: the full tree in the colours of who wins, with the line of the board lit.

import { el } from '../elements/dom.js';
import { outcomeClass } from '../elements/drawing.js';
import { number, t } from '../words/i18n.js';
import { lineText } from '../words/moves.js';
import { allRecords, Icicle } from './icicle.js';

const LABELLED = 24; // pixels of a box that has room for its move
const STRIP = 5; // pixels that the chances of random play are high

export class TreeMap extends Icicle {
  /** `select(cells)` is called when the reader chooses a node. */
  constructor(game, select) {
    super({ label: t('tree.map'), told: t('tree.map.hint'), select });
    this.game = game;
    this.element = el('div', { class: 'tree-map' }, this.canvas, this.zooms, this.told);
  }

  /** Light the line of some nodes from the root, and show its end with all that is below its parent. */
  async update(nodes) {
    if (!this.root) {
      const records = await allRecords(this.game);
      this.plant(records, records[0]);
      this.canvas.dataset.ready = '';
    }
    this.line = nodes.at(-1).cells;
    this.lookAtLine();
  }

  paint(paper, layout) {
    const { high, dense, runs, colour } = layout;
    const [ink, ground] = [colour('ink'), colour('paper')];
    const colours = Object.fromEntries(['won', 'drawn', 'lost'].map((name) => [name, colour(name)]));
    const line = this.boxesOf(this.line);
    paper.clearRect(0, 0, layout.wide, high * runs.length);
    for (const run of runs.flat()) {
      const { box, start, end } = run;
      const wide = end - start;
      paper.globalAlpha = line.includes(box) ? 1 : 0.6;
      paper.fillStyle = box.record.score === null ? colour('line') : colours[outcomeClass(box.record.score)];
      paper.fillRect(start, box.ply * high, wide - (wide > 3 * dense ? dense : 0), high - dense);
      paper.globalAlpha = 1;
      if (wide >= LABELLED * dense) this.strip(paper, layout, run, colours);
      if (wide >= LABELLED * dense && box.cell !== null) this.write(paper, layout, run, lineText(this.game, [box.cell]), ground);
    }
    for (const box of line) this.frame(paper, layout, box, ink);
  }

  /** At the foot of a draw, the chances of random play: they tell draws apart. */
  strip(paper, { high, dense }, { box: { record, ply }, start, end }, colours) {
    if (record.score !== 0 || !record.turn || record.random_draw === undefined) return;
    const [top, wide] = [(ply + 1) * high - (STRIP + 1) * dense, end - start - dense];
    let left = start;
    for (const [name, chance] of [['won', record.random_circle], ['drawn', record.random_draw], ['lost', record.random_cross]]) {
      paper.fillStyle = colours[name];
      paper.fillRect(left, top, wide * chance, STRIP * dense);
      left += wide * chance;
    }
  }

  wordsOf(boxes) {
    const { record } = boxes.at(-1);
    const line = lineText(this.game, boxes.slice(1).map(({ cell }) => cell)) || t('icicle.root');
    return t('tree.map.box', { line, outcome: t(`tree.leads.${record.score}`), nodes: number(record.subtree) });
  }
}
