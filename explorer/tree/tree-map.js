// The map of the tree: of the whole tree, or where that is too large to be loaded one that grows. There
// the sizes of subtrees are unknown, so moves are equally wide.

import { el } from '../elements/dom.js';
import { reasonOf } from '../elements/latest.js';
import { go } from '../state/address.js';
import { addTexts, number, t } from '../words/i18n.js';
import { lineText } from '../words/moves.js';
import { allRecords, Icicle } from './icicle.js';
import './tree-words.js';

addTexts({
  'grown.hint': ['Blue: circle wins. Grey: a draw. Orange: cross wins. Moves are equally wide; what follows them appears where you zoom in. The first row is a few moves before the board: click it to go back.', '青は〇の勝ち、灰色は引き分け、橙は×の勝ち。着手の幅はどれも同じで、その先の着手は拡大すると現れます。一番上の行は盤面の数手前の局面で、クリックするとそこに戻ります。'],
  'grown.box': ['{line}: {outcome}', '{line}：{outcome}'], 'grown.unknown': ['not known yet', 'まだ分かりません'],
  'grown.label': ['The moves ahead: a row for each move, a box for each node, in the colour of who wins; the pane of moves says the same', 'この先の着手：行が手数、長方形がノード、色が結果を表します。「着手」の表と同じ内容です'],
});

const LABELLED = 24; // pixels of a box that has room for its move
const STRIP = 5; // pixels that the chances of random play are high
const ABOVE = 3; // moves of the line that are shown before the board
const NEAR = 40; // pixels of a box that asks what is below it
const AT_ONCE = 4; // answers that are waited for
const LEAST = 4; // rows that there is always room for

/** Make the pane of a game whose tree is too large to be loaded; see panes.js. */
export function create(game) {
  const map = new GrownMap(game, (cells) => go({ line: lineText(game, cells, '.'), at: null }));
  return { element: el('section', { class: 'tree-view' }, map.element), show: (record) => map.update(record) };
}

/** The map of the whole tree. */
export class TreeMap extends Icicle {
  /** `select(cells)` is called when the reader chooses a node. */
  constructor(game, select) {
    super(game, { label: t('tree.map'), caption: t('tree.map.hint'), select });
    this.element = el('div', { class: 'tree-map' }, this.canvas, this.zooms, this.caption);
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
    const line = this.boxesOf(this.line);
    paper.clearRect(0, 0, layout.wide, high * runs.length);
    for (const run of runs.flat()) {
      const { box, start, end } = run;
      const wide = end - start;
      paper.globalAlpha = line.includes(box) ? 1 : 0.6;
      paper.fillStyle = this.colourOf(box.record, layout);
      paper.fillRect(start, box.ply * high, wide - (wide > 3 * dense ? dense : 0), high - dense);
      paper.globalAlpha = 1;
      if (wide >= LABELLED * dense) this.strip(paper, layout, run);
      if (wide >= LABELLED * dense && box.cell !== null) this.write(paper, layout, run, lineText(this.game, [box.cell]), ground);
    }
    for (const box of line) this.frame(paper, layout, box, ink);
  }

  /** At the foot of a draw, the chances of random play: they distinguish draws. */
  strip(paper, { high, dense, colour }, { box: { record, ply }, start, end }) {
    if (record.score !== 0 || !record.turn || record.random_draw === undefined) return;
    const [top, wide] = [(ply + 1) * high - (STRIP + 1) * dense, end - start - dense];
    let left = start;
    for (const [name, chance] of [['won', record.random_circle], ['drawn', record.random_draw], ['lost', record.random_cross]]) {
      paper.fillStyle = colour(name);
      paper.fillRect(left, top, wide * chance, STRIP * dense);
      left += wide * chance;
    }
  }

  wordsOf(boxes) {
    const { record } = boxes.at(-1);
    return t('tree.map.box', { line: this.lineTo(boxes), outcome: t(`leads.${record.score}`), nodes: number(record.subtree) });
  }
}

/** The map that grows: what is below a box is asked for when the box is wide enough to be read. */
class GrownMap extends TreeMap {
  constructor(game, select) {
    super(game, (cells) => select([...this.before, ...cells]));
    this.before = []; // The cells from the start of the game to the root of the picture.
    this.deepest = 0; // The lowest row that has boxes.
    this.growing = new Set(); // Boxes that wait for an answer, ...
    this.failed = new Set(); // ... and those that got none; they ask again when the reader looks elsewhere.
    this.canvas.setAttribute('aria-label', t('grown.label'));
    this.caption.textContent = t('grown.hint');
  }

  get plyCount() {
    return Math.max(LEAST, this.deepest + 1);
  }

  below(box) {
    return box.inside ?? [];
  }

  /** Show the line of a game, from some moves before the board on. */
  async update({ path, cells, at }) {
    const first = Math.max(0, at - ABOVE);
    this.before = cells.slice(0, first);
    this.line = cells.slice(first, at);
    if (this.root?.record.board !== path[first].board) this.replant(path[first]);
    let box = this.root;
    for (const [index, cell] of [...this.line, null].entries()) {
      this.fill(box, path[first + index]);
      box = this.below(box).find((each) => each.cell === cell);
    }
    this.lookAtLine();
    this.canvas.dataset.ready = '';
  }

  /** Begin with another position. */
  replant({ board, score }) {
    this.root = { record: { board, score }, cell: null, from: 0, wide: 1, ply: 0 };
    this.deepest = 0;
    this.growing.clear();
  }

  /** Put the moves of an answer below a box, by cell; of those that are there, what is new. */
  fill(box, { score, moves }) {
    box.record.score ??= score;
    for (const { record, cell } of box.inside ?? []) record.score ??= moves.find(({ move }) => move === cell).score;
    if (box.inside) return;
    const wide = box.wide / moves.length;
    box.inside = [...moves].sort((one, other) => one.move - other.move).map(({ move, board_after: board, score: after }, index) => ({
      record: { board, score: after }, cell: move, from: box.from + wide * index, wide, ply: box.ply + 1,
    }));
    if (moves.length) this.deepest = Math.max(this.deepest, box.ply + 1);
  }

  paint(paper, layout) {
    super.paint(paper, layout);
    for (const { box, start, end } of layout.runs.flat()) {
      if (this.growing.size >= AT_ONCE) return; // The next answer paints again.
      if (!box.inside && end - start >= NEAR * layout.dense && !this.growing.has(box) && !this.failed.has(box)) this.grow(box);
    }
  }

  look(from, to) {
    this.failed.clear();
    super.look(from, to);
  }

  /** Ask for what is below a box. */
  async grow(box) {
    const { growing } = this;
    growing.add(box);
    try {
      this.fill(box, await this.game.position(box.record.board));
    } catch (error) {
      this.failed.add(box);
      this.caption.replaceChildren(reasonOf(error));
    } finally {
      growing.delete(box);
      this.changed();
    }
  }

  wordsOf(boxes) {
    const { score } = boxes.at(-1).record;
    const outcome = score === null ? t('grown.unknown') : t(`leads.${score}`);
    return t('grown.box', { line: this.lineTo(boxes, this.before), outcome });
  }
}
