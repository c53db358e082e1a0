// The picture of the game on the first screen: the whole tree, or the moves of the game so far where the
// tree is too large. It is plain during a game but for the moves played, in the colours of who wins
// at the end, where the move that gave the game away has a ring.

import { el, svg } from '../elements/dom.js';
import { outcomeClass } from '../elements/drawing.js';
import { Latest } from '../elements/latest.js';
import { addTexts, number, t } from '../words/i18n.js';
import { lineText } from '../words/moves.js';
import { allRecords, Icicle } from './icicle.js';
import { lineOf } from './tree-nodes.js';
import './tree-words.js';

addTexts({
  'gamemap.label': ['The whole game: a row for each move, a box for each way to play, as wide as what can follow', 'ゲームの全体：行が手数、長方形が手順、幅がその先の大きさを表します'],
  'gamemap.hint': ['Every way to play: the empty board on top, each row one move later, a box for each order of moves. Yours lights up.', 'すべての手順：一番上は空の盤面、1 行下がるごとに 1 手進み、長方形一つが一つの手順です。打った手順には色が付きます。'],
  'gamemap.lit': ['Blue: circle wins. Grey: a draw. Orange: cross wins.', '青：〇の勝ち、灰：引き分け、橙：×の勝ち。'],
  'gamemap.box': ['{line}: {nodes} {nodes|node|nodes}', '{line}：{nodes} ノード'],
  'linemap.label': ['The moves played: a row for each, a box for each legal move', 'これまでの着手：行が手数、長方形がそのときの合法手を表します'],
  'linemap.hint': ['Each row is a move, each box a legal move.', '行が手数、長方形がそのときの合法手を表します。'],
});

const ROW = 34, LOW = 24; // pixels of a row, and on a phone
const LEAST = 7; // pixels of a move that was played
const EDGES = [{ name: 'paper', edge: 4 }, { name: 'ink', edge: 2 }]; // around what was played, in pixels
const FADED = 0.45; // how strong the colours of what was not played are

/** The whole tree. */
export class GameMap extends Icicle {
  /** `follow(cells)` is called when the reader chooses a node and may see what it is worth. */
  constructor(game, follow) {
    super(game, { isWhole: true, label: t('gamemap.label'), caption: t('gamemap.hint'), row: matchMedia('(max-width: 40rem)').matches ? LOW : ROW, select: (cells) => this.isLit && follow(cells) });
    this.isLit = false; // Whether values may be seen.
    this.fault = null; // The row of the move that gave the game away.
    this.canvas.className = 'whole-map';
    this.caption.className = 'soft map-caption';
    const picture = el('div', {}, this.canvas);
    this.answer = new Latest(picture, { keeps: true });
    this.element = el('div', { class: 'game-map' }, picture, this.caption);
  }

  /** Show a record. */
  async update(record, seen) {
    await this.answer.take(() => Promise.all([allRecords(this.game), lineOf(record)]), ([records, line]) => this.show(record, records, line, seen));
  }

  show(record, records, line, { isLit, fault }) {
    if (!this.root) this.plant(records, records[0]);
    const isOther = isLit !== this.isLit;
    this.line = line;
    this.isLit = isLit;
    this.fault = fault === null ? null : line.length - record.at + fault + 1;
    if (isOther) this.caption.textContent = t(isLit ? 'gamemap.lit' : 'gamemap.hint');
    this.canvas.dataset.lit = isLit;
    this.canvas.dataset.line = lineText(this.game, line, '.');
    this.canvas.dataset.fault = this.fault ?? '';
    this.ask();
  }

  paint(paper, layout) {
    const { high, dense, scale, runs, colour, wide } = layout;
    const shades = ['tree', 'tree-odd'].map(colour);
    paper.clearRect(0, 0, wide, high * runs.length);
    paper.globalAlpha = this.isLit ? FADED : 1;
    for (const { box, start, end } of runs.flat()) {
      paper.fillStyle = this.isLit ? this.colourOf(box.record, layout) : shades[(box.cell ?? 0) % 2];
      paper.fillRect(start, box.ply * high, end - start - (end - start > 3 * dense ? dense : 0), high - dense);
    }
    paper.globalAlpha = 1;
    const most = EDGES[0].edge * dense;
    const path = this.boxesOf(this.line).slice(1).map((box) => {
      const across = Math.max(LEAST * dense, box.wide * scale - dense);
      return { box, across, start: Math.max(most, Math.min(wide - across - most, box.from * scale)), top: box.ply * high };
    });
    for (const { name, edge } of [...EDGES, { name: null, edge: 0 }]) {
      for (const { box, start, top, across } of path) {
        paper.fillStyle = name ? colour(name) : this.colourOf(box.record, layout);
        paper.fillRect(start - edge * dense, top - edge * dense, across + 2 * edge * dense, high - dense + 2 * edge * dense);
      }
    }
    const fault = path.find(({ box }) => box.ply === this.fault);
    if (fault) this.ring(paper, layout, fault);
  }

  /** Put a ring around the move that gave the game away. */
  ring(paper, { high, dense, colour }, { start, across, top }) {
    for (const { name, wide } of [{ name: 'paper', wide: 9 }, { name: 'bad', wide: 4 }]) {
      paper.strokeStyle = colour(name);
      paper.lineWidth = wide * dense;
      paper.beginPath();
      paper.ellipse(start + across / 2, top + (high - dense) / 2, Math.max(across / 2 + 8 * dense, high * 0.7), high * 0.7, 0, 0, 2 * Math.PI);
      paper.stroke();
    }
  }

  wordsOf(boxes) {
    const { record } = boxes.at(-1);
    const line = this.lineTo(boxes);
    const nodes = number(record.subtree);
    return this.isLit ? t('tree.map.box', { line, outcome: t(`leads.${record.score}`), nodes }) : t('gamemap.box', { line, nodes });
  }
}

const WIDE = 1000, HIGH = 26; // units of a row of the moves played
const ROWS = 10; // of them that there is always room for

/** The moves of the game so far: a row for each move that was played, a box for each legal move; lit as the whole tree is. */
export class LineMap {
  constructor(game) {
    this.placeOf = (cell) => (game.gravity ? cell % game.columns : cell); // The place of a move in its row.
    this.canvas = null; // It is no picture to share.
    this.picture = svg('svg', { class: 'whole-map line-map', preserveAspectRatio: 'none', role: 'img', 'aria-label': t('linemap.label') });
    this.element = el('div', { class: 'game-map' }, this.picture, el('p', { class: 'soft map-caption' }, t('linemap.hint')));
  }

  update({ path, cells, at }, { isLit, fault }) {
    this.picture.dataset.lit = isLit;
    this.picture.setAttribute('viewBox', `0 0 ${WIDE} ${Math.max(ROWS, at + 1) * HIGH}`);
    this.picture.replaceChildren(...path.slice(0, at + 1).flatMap((here, row) => {
      const moves = here.moves.toSorted((one, other) => this.placeOf(one.move) - this.placeOf(other.move));
      const wide = WIDE / moves.length;
      return moves.map((move, index) => {
        const isPlayed = row < at && cells[row] === move.move;
        const colour = (isPlayed || isLit) && move.score !== null ? outcomeClass(move.score) : 'unlit';
        const classes = ['box', colour, isPlayed && 'played', isPlayed && row === fault && 'fault'].filter(Boolean).join(' ');
        return svg('rect', { class: classes, x: index * wide + 1, y: row * HIGH + 1, width: wide - 2, height: HIGH - 2 });
      });
    }));
  }
}
