// The map of a game whose tree is too large to be loaded: what is below a box is asked for when the
// box is wide enough to be read. How large a subtree is remains unknown, so moves are equally wide.

import { el } from '../elements/dom.js';
import { reasonOf } from '../elements/latest.js';
import { go } from '../state/address.js';
import { addTexts, t } from '../words/i18n.js';
import { lineText } from '../words/moves.js';
import { TreeMap } from './tree-map.js';
import './tree-texts.js';

addTexts({
  en: {
    'grown.hint': 'Blue: circle wins. Grey: a draw. Orange: cross wins. Moves are equally wide; what follows them appears where you zoom in. The first row is a few moves before the board: click it to go back.',
    'grown.box': '{line}: {outcome}', 'grown.unknown': 'not known yet',
    'grown.label': 'The moves ahead: a row for each move, a box for each node, in the colour of who wins; the pane of moves says the same',
  },
  ja: {
    'grown.hint': '青は〇の勝ち、灰色は引き分け、橙は×の勝ち。着手の幅はどれも同じで、その先の着手は拡大すると現れます。一番上の行は盤面の数手前の局面で、クリックするとそこに戻ります。',
    'grown.box': '{line}：{outcome}', 'grown.unknown': 'まだ分かりません',
    'grown.label': 'この先の着手：行が手数、長方形がノード、色が結果を表します。「着手」の表と同じ内容です',
  },
});

const ABOVE = 3; // Moves of the line that are shown before the board.
const NEAR = 40; // Pixels of a box that asks what is below it.
const AT_ONCE = 4; // Answers that are waited for.
const LEAST = 4; // Rows.

/** Make the pane; see main.js. */
export function create(game) {
  const map = new GrownMap(game, (cells) => go({ line: lineText(game, cells, '.'), at: null }));
  return { element: el('section', { class: 'tree-view' }, map.element), show: (record) => map.update(record) };
}

class GrownMap extends TreeMap {
  constructor(game, select) {
    super(game, (cells) => select([...this.before, ...cells]));
    this.before = []; // The cells from the start of the game to the root of the picture.
    this.deepest = 0; // The lowest row that has boxes.
    this.growing = new Set(); // Boxes that wait for an answer, ...
    this.failed = new Set(); // ... and those that got none; they ask again when the reader looks elsewhere.
    this.canvas.setAttribute('aria-label', t('grown.label'));
    this.told.textContent = t('grown.hint');
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
      this.told.replaceChildren(reasonOf(error));
    } finally {
      growing.delete(box);
      this.changed();
    }
  }

  wordsOf(boxes) {
    const { score } = boxes.at(-1).record;
    const cells = [...this.before, ...boxes.slice(1).map(({ cell }) => cell)];
    const outcome = score === null ? t('grown.unknown') : t(`tree.leads.${score}`);
    return t('grown.box', { line: lineText(this.game, cells) || t('icicle.root'), outcome });
  }
}
