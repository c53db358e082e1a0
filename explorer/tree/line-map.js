// The game so far on the first screen, where the whole tree is too large for a picture: a row for each
// move that was played, a box for each legal move; lit as the map of a whole game is.

import { el, svg } from '../elements/dom.js';
import { outcomeClass } from '../elements/drawing.js';
import { addTexts, t } from '../words/i18n.js';

addTexts({
  en: { 'linemap.label': 'The moves played: a row for each, a box for each legal move', 'linemap.hint': 'Each row is a move, each box a legal move.' },
  ja: { 'linemap.label': 'これまでの着手：行が手数、長方形がそのときの合法手を表します', 'linemap.hint': '行が手数、長方形がそのときの合法手を表します。' },
});

const WIDE = 1000, HIGH = 26; // units of a row
const LEAST = 10; // rows that there is always room for

export class LineMap {
  constructor(game) {
    this.placeOf = (cell) => (game.gravity ? cell % game.columns : cell); // Where a move stands in its row.
    this.canvas = null; // It is no picture to share.
    this.picture = svg('svg', { class: 'whole-map line-map', preserveAspectRatio: 'none', role: 'img', 'aria-label': t('linemap.label') });
    this.element = el('div', { class: 'game-map' }, this.picture, el('p', { class: 'soft map-caption' }, t('linemap.hint')));
  }

  update({ path, cells, at }, { isLit, fault }) {
    this.picture.dataset.lit = isLit;
    this.picture.setAttribute('viewBox', `0 0 ${WIDE} ${Math.max(LEAST, at + 1) * HIGH}`);
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
