// The clock of the animations: how fast they play, and how many steps are due at a frame.

import { choice, el } from './dom.js';
import { number, t } from './i18n.js';

const RATES = [1, 2, 3, 5, 10, 30, 60, 300, 1000, 5000, 25000]; // steps a second
const FASTEST = 'fastest'; // The whole animation in a fixed number of frames.
const FRAMES = 120;
const CALM = 3; // steps a second when little motion is asked for
const LONGEST = 250; // milliseconds of a frame that are made up for
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const chosen = { rate: '10' }; // Kept when the language changes.

const isCalm = (rate) => Number(rate) <= CALM;

export class Clock {
  constructor() {
    const rates = [...RATES.map((rate) => [String(rate), t('animation.rate', { value: number(rate) })]), [FASTEST, t('animation.fastest')]];
    this.speed = choice(t('animation.speed'), rates, chosen.rate, (rate) => { chosen.rate = rate; }, { 'data-control': 'speed' });
    this.slow = el('p', { class: 'soft' }, t('animation.slow', { value: CALM }));
    calm.onchange = () => this.showSpeed();
    this.showSpeed();
  }

  /** Offer only what the system asks for. */
  showSpeed() {
    const select = this.speed.querySelector('select');
    this.slow.hidden = !calm.matches;
    if (calm.matches && !isCalm(chosen.rate)) chosen.rate = String(CALM);
    for (const option of select.options) option.disabled = calm.matches && !isCalm(option.value);
    select.value = chosen.rate;
  }

  /** Begin to play: the first step is due at once. */
  start() {
    this.owed = 1;
    this.before = null;
  }

  /** How many steps are due at the time of a frame, in an animation of so many. */
  due(time, count) {
    const elapsed = Math.min(time - (this.before ?? time), LONGEST) / 1000;
    this.before = time;
    const rate = chosen.rate === FASTEST ? (60 * count) / FRAMES : Number(chosen.rate);
    this.owed += elapsed * (calm.matches ? Math.min(rate, CALM) : rate);
    const due = Math.floor(this.owed);
    this.owed -= due;
    return due;
  }
}
