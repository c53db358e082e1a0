// The number line of a search: its window, with a bar or an arrow at each end, and the score.

import { el, svg } from './dom.js';
import { highEnd, lowEnd, scoreText } from './animation-words.js';
import { t } from './i18n.js';

const WIDTH = 340;
const ENDLESS = 14; // from the edge to the arrow of an end that there is not
const LEAST = 50; // from the edge to the least and the greatest value

export class WindowLine {
  constructor() {
    this.ticks = svg('g', { class: 'ticks' });
    this.band = svg('rect', { class: 'band', y: 34, height: 12 });
    this.alpha = makeEnd();
    this.beta = makeEnd();
    this.dot = svg('circle', { class: 'dot', cy: 40, r: 6 });
    this.said = svg('text', { y: 68, 'text-anchor': 'middle', class: 'strong' });
    this.picture = svg('svg', { viewBox: `0 0 ${WIDTH} 94`, role: 'img' },
      svg('path', { class: 'axis', d: `M6 40h${WIDTH - 12}` }), this.ticks, this.band,
      Object.values(this.alpha), Object.values(this.beta), this.dot, this.said);
    this.element = el('div', { class: 'window' }, el('h2', {}, t('animation.window')), this.picture);
  }

  /** Fit the line to the values that occur; without any there is no line. */
  start(values) {
    this.element.hidden = !values;
    if (!values) return;
    const [least, greatest] = [values[0] ?? 0, values.at(-1) ?? 0];
    this.x = (value) => (greatest > least ? LEAST + ((WIDTH - 2 * LEAST) * (value - least)) / (greatest - least) : WIDTH / 2);
    const shown = values.length > 9 ? [least, greatest] : values;
    this.ticks.replaceChildren(...shown.map((value) => svg('g', { transform: `translate(${this.x(value)})` },
      svg('path', { d: 'M0 36v8' }), svg('text', { y: 88, 'text-anchor': 'middle' }, scoreText(value)))));
  }

  update({ alpha, beta, score }) {
    const from = alpha === null ? ENDLESS : this.x(alpha);
    const to = beta === null ? WIDTH - ENDLESS : this.x(beta);
    this.band.setAttribute('x', Math.min(from, to));
    this.band.setAttribute('width', Math.abs(to - from));
    const said = [`α ${lowEnd(alpha)}`, `β ${highEnd(beta)}`];
    showEnd(this.alpha, said[0], from, -1, alpha === null);
    showEnd(this.beta, said[1], to, 1, beta === null);
    this.dot.setAttribute('visibility', score === null ? 'hidden' : 'visible');
    this.said.textContent = score === null ? '' : t('animation.scoreis', { score: scoreText(score) });
    if (score !== null) {
      said.push(this.said.textContent);
      this.dot.setAttribute('cx', this.x(score));
      this.said.setAttribute('x', this.x(score));
    }
    this.picture.setAttribute('aria-label', said.join(', '));
  }
}

const makeEnd = () => ({ edge: svg('path', { class: 'edge' }), text: svg('text', { y: 18, 'text-anchor': 'middle' }) });

/** A bar at an end, or an arrow to its side (-1 or 1) where there is none. */
function showEnd({ edge, text }, said, x, side, isEndless) {
  edge.setAttribute('d', isEndless ? `M${x} 28l${side * 12} 12l${-side * 12} 12z` : `M${x - 1.5} 28h3v24h-3z`);
  text.setAttribute('x', x + side * (isEndless ? -8 : 4));
  text.textContent = said;
}
