// The clock of the replays: how fast they play, and how many steps are due at a frame.

import { choice, el } from '../elements/dom.js';
import { number, t } from '../words/i18n.js';

const RATES = [1, 2, 3, 5, 10, 30, 60, 300, 1000, 5000, 25000]; // steps a second
const FASTEST = 'fastest'; // The whole replay in a fixed number of frames.
const USUAL = '30';
const FRAMES = 120;
const CALM = 3; // steps a second when little motion is asked for
const LONGEST = 250; // milliseconds of a frame that are made up for
const calm = matchMedia('(prefers-reduced-motion: reduce)');

const isCalm = (rate) => Number(rate) <= CALM;

export class Clock {
  /** `changed()` is called when the reader chooses another speed. */
  constructor(changed) {
    const rates = [...RATES.map((rate) => [String(rate), t('search.rate', { value: number(rate) })]), [FASTEST, t('search.fastest')]];
    this.speed = choice(t('search.speed'), rates, USUAL, (rate) => {
      this.set(rate);
      changed();
    }, { 'data-control': 'speed' });
    this.slow = el('p', { class: 'soft' }, t('search.slow', { value: CALM }));
    calm.onchange = () => this.set(this.wanted);
    this.set(null);
  }

  /** Play at a speed that the address says; offer only what the system asks for. */
  set(rate) {
    const { options } = this.speed.querySelector('select');
    this.wanted = [...options].some(({ value }) => value === rate) ? rate : USUAL;
    this.rate = calm.matches && !isCalm(this.wanted) ? String(CALM) : this.wanted;
    this.slow.hidden = !calm.matches;
    for (const option of options) {
      option.disabled = calm.matches && !isCalm(option.value);
      option.selected = option.value === this.rate;
    }
  }

  /** What the address says of the speed; nothing of the usual one. */
  get said() {
    return this.wanted === USUAL ? null : this.wanted;
  }

  /** Begin to play: the first step is due at once. */
  start() {
    this.owed = 1;
    this.before = null;
  }

  /** How many steps are due at the time of a frame, in a replay of so many. */
  due(time, count) {
    const elapsed = Math.min(time - (this.before ?? time), LONGEST) / 1000;
    this.before = time;
    const rate = this.rate === FASTEST ? (60 * count) / FRAMES : Number(this.rate);
    this.owed += elapsed * rate;
    const due = Math.floor(this.owed);
    this.owed -= due;
    return due;
  }
}
