// The game so far: a graph of its values, which is the slider of the replay, and a list of its moves.

import { button, el, renew, setOff, svg } from '../elements/dom.js';
import { addTexts, t } from '../words/i18n.js';
import { cellName, kindOf, kindText, markOf } from '../words/moves.js';
import { MARKS } from './players.js';

addTexts({
  'board.previous': ['Step back', '1 手戻る'], 'board.next': ['Step forward', '1 手進む'], 'board.replay': ['Move shown', '表示する手'],
  'board.step': ['Move {at} of {all}', '{all} 手中 {at} 手目'], 'board.sofar': ['The moves so far', 'これまでの手順'],
  'board.moved': ['{shown}, move {at}. {kind}', '{shown}、{at} 手目。{kind}'],
});

const STEP = 20; // units of the graph from one move to the next
const HALF = 24; // units from a draw to a win
const LEAST = 4; // moves that the graph has room for at least
const DOT = 'h.01'; // A line so short that its round ends make a dot.

export class History {
  /** `goTo(at)` shows a step of the game. */
  constructor(game, goTo) {
    this.game = game;
    this.slider = el('input', {
      type: 'range', min: 0, value: 0, dataset: { control: 'slider' }, 'aria-label': t('board.replay'), oninput: () => goTo(Number(this.slider.value)),
    });
    this.line = svg('path', { class: 'values' });
    this.areas = [svg('path', { class: 'for-o' }), svg('path', { class: 'for-x' })];
    this.zero = svg('path', { class: 'zero' });
    this.now = svg('path', { class: 'now' });
    this.dots = svg('g');
    this.graph = svg('svg', { preserveAspectRatio: 'none', 'aria-hidden': 'true' }, this.areas, this.zero, this.line, this.now, this.dots);
    this.list = el('ol', { class: 'moves-so-far', 'aria-label': t('board.sofar'), tabindex: 0, onclick: ({ target }) => {
      const at = target.closest('button')?.dataset.at;
      if (at) goTo(Number(at));
    } });
    const step = (name, by) => button(t(`board.${name}`), () => goTo(Number(this.slider.value) + by), { dataset: { control: name } });
    this.steps = { previous: step('previous', -1), next: step('next', 1) };
    this.element = el('div', { class: 'history' },
      el('div', { class: 'graph' }, el('span', { class: 'high', 'aria-hidden': 'true' }, '〇'), el('span', { class: 'low', 'aria-hidden': 'true' }, '×'), this.graph, this.slider),
      el('div', {}, this.list, el('div', { class: 'row' }, Object.values(this.steps))));
  }

  /** Show the steps of a record; the kinds of moves are named when `isLit`, those before the shown position always. */
  update(record, { isLit }) {
    const { path, cells, at } = record;
    const wide = Math.max(LEAST, cells.length) * STEP;
    this.slider.max = cells.length;
    this.slider.value = at;
    this.slider.style.setProperty('--share', (Math.max(1, cells.length) * STEP) / wide);
    this.slider.disabled = !cells.length;
    setOff(this.steps.previous, at === 0);
    setOff(this.steps.next, at === cells.length);
    this.slider.setAttribute('aria-valuetext', t('board.step', { at, all: cells.length }));
    this.graph.setAttribute('viewBox', `-6 ${-HALF - 6} ${wide + 12} ${2 * HALF + 12}`);
    const points = path.map(({ score }, index) => (score === null ? null : { x: index * STEP, y: -HALF * score }));
    const parts = runsOf(points);
    this.line.setAttribute('d', parts.map((part) => `M${drawn(part)}${part.length === 1 ? DOT : ''}`).join(''));
    this.areas.forEach((area, index) => area.setAttribute('d', parts.map((part) => areaOf(part, index ? 1 : -1)).join('')));
    this.zero.setAttribute('d', `M0 0h${wide}`);
    this.now.setAttribute('d', `M${at * STEP} ${-HALF - 4}v${2 * HALF + 8}`);
    this.dots.replaceChildren(...cells.map((_, index) => index)
      .filter((index) => record.moveAt(index).loss && points[index + 1])
      .map((index) => svg('path', { class: 'fault', d: `M${drawn([points[index + 1]])}${DOT}` })));
    renew(this.list, ...cells.map((cell, index) => el('li', {}, this.item(record, index, cell, isLit || at > index))));
    this.element.hidden = !cells.length;
    this.list.scrollTop = (this.list.querySelector('[aria-current]')?.offsetTop ?? 0) - this.list.offsetTop; // The page itself stays where it is.
  }

  item(record, index, cell, isNamed) {
    const here = record.path[index];
    const move = record.moveAt(index);
    const kind = isNamed ? kindText(here, move) : '';
    const shown = `${MARKS[here.turn]} ${cellName(this.game, cell)}${markOf(here, move)}`;
    return el('button', {
      type: 'button', dataset: { at: index + 1, class: kindOf(here, move) }, title: kind || null, 'aria-current': record.at === index + 1 ? 'step' : null,
      'aria-label': t('board.moved', { shown, at: index + 1, kind }),
    }, shown);
  }
}

const drawn = (points) => points.map(({ x, y }) => `${x} ${y}`).join('L');

/** The known points that follow one another: the value of a position may be unknown. */
function runsOf(points) {
  const runs = [[]];
  for (const point of points) {
    if (point) runs.at(-1).push(point);
    else runs.push([]);
  }
  return runs.filter((run) => run.length);
}

/** The area between a line and a draw on one side, -1 above it and 1 below. */
function areaOf(points, side) {
  const crossed = points.flatMap((point, index) => {
    const last = points[index - 1];
    if (!last || last.y * point.y >= 0) return [point];
    return [{ x: last.x + ((point.x - last.x) * last.y) / (last.y - point.y), y: 0 }, point]; // Where the sign changes.
  });
  const clipped = crossed.map(({ x, y }) => ({ x, y: side * Math.max(0, side * y) }));
  return `M${points[0].x} 0L${drawn(clipped)}L${points.at(-1).x} 0z`;
}
