// The clock of the replays: how fast they play, and how many steps are due at a frame. Usually a whole
// replay takes some seconds: it begins slowly, so that one can follow, and becomes faster and faster.

import { choice, el } from '../elements/dom.js';
import { number, t } from '../words/i18n.js';

const RATES = [1, 2, 3, 5, 10, 30, 60, 300, 1000, 5000, 25000]; // steps a second
const FASTEST = 'fastest'; // The whole replay in a fixed number of frames.
const WHOLE = 'whole'; // The whole replay in SECONDS.
const SECONDS = 18;
const FRAMES = 120;
const CALM = 3; // steps a second when little motion is asked for
const LONGEST = 250; // milliseconds of a frame that are made up for
const calm = matchMedia('(prefers-reduced-motion: reduce)');

const isCalm = (rate) => Number(rate) <= CALM;

/** Whether the system asks for little motion: then nothing plays by itself. */
export const wantsCalm = () => calm.matches;

export class Clock {
  /** `changed()` is called when the reader chooses another speed. */
  constructor(changed) {
    const rates = [[WHOLE, t('search.whole', { value: SECONDS })],
      ...RATES.map((rate) => [String(rate), t('search.rate', { value: number(rate) })]), [FASTEST, t('search.fastest')]];
    this.speed = choice(t('search.speed'), rates, WHOLE, (rate) => {
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
    this.wanted = [...options].some(({ value }) => value === rate) ? rate : WHOLE;
    this.rate = calm.matches && !isCalm(this.wanted) ? String(CALM) : this.wanted;
    this.slow.hidden = !calm.matches;
    for (const option of options) {
      option.disabled = calm.matches && !isCalm(option.value);
      option.selected = option.value === this.rate;
    }
  }

  /** The speed as a parameter of the address; null for the usual one. */
  get parameter() {
    return this.wanted === WHOLE ? null : this.wanted;
  }

  /** Begin to play at a step of so many: the next one is due at once. */
  start(step, count) {
    this.owed = 1;
    this.before = null;
    this.time = Math.sqrt(step / count); // How much of SECONDS has passed; the steps follow its square.
  }

  /** How many steps are due at the time of a frame, after a step of so many. */
  due(time, step, count) {
    const elapsed = Math.min(time - (this.before ?? time), LONGEST) / 1000;
    this.before = time;
    if (this.rate === WHOLE) {
      this.time += elapsed / SECONDS;
      return Math.max(0, Math.floor(count * this.time ** 2) - step);
    }
    this.owed += elapsed * (this.rate === FASTEST ? (60 * count) / FRAMES : Number(this.rate));
    const due = Math.floor(this.owed);
    this.owed -= due;
    return due;
  }
}
