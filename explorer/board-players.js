// Who plays each side of the board, a person or an AI, and the seed with which AIs draw their moves.

import { choices } from './api.js';
import { choice, el } from './dom.js';
import { t } from './i18n.js';
import { chance } from './record.js';

const PERSON = 'person';
const SIDES = ['circle', 'cross'];
const settings = { circle: PERSON, cross: 'ai14s', seed: 0 }; // Kept when the language or the view changes.

export class Players {
  /** `changed` is called when somebody else is to play a side. */
  constructor(game, changed) {
    this.names = [PERSON, ...game.opponents];
    for (const side of SIDES) if (!this.names.includes(settings[side])) settings[side] = PERSON;
    const options = this.names.map((name) => [name, name === PERSON ? t('board.person') : name]);
    this.sides = SIDES.map((side) => choice(t(`board.${side}`), options, settings[side], (name) => {
      settings[side] = name;
      changed();
    }, { dataset: { side } }));
    this.seed = el('input', {
      type: 'number', min: 0, step: 1, value: settings.seed, dataset: { control: 'seed' },
      onchange: () => { settings.seed = Math.max(0, Math.trunc(Number(this.seed.value)) || 0); },
    });
    this.element = el('div', { class: 'row' }, this.sides,
      el('label', { class: 'field' }, el('span', {}, t('board.seed')), this.seed));
  }

  /** The AI whose turn it is in a position; undefined when it is a person's or nobody's. */
  aiOf({ turn }) {
    return settings[turn] === PERSON ? undefined : settings[turn];
  }

  hasPerson() {
    return SIDES.some((side) => settings[side] === PERSON);
  }

  /** Draw one of the moves that an AI may choose in a position. */
  async draw(ai, here) {
    const candidates = (await choices(ai, here)).filter((each) => each.is_candidate);
    let left = chance(settings.seed, here.ply);
    return (candidates.find(({ probability }) => (left -= probability) < 0) ?? candidates.at(-1)).move;
  }

  /** What is written into a file. */
  toSave() {
    const { seed, ...players } = settings;
    return { players, seed };
  }

  /** Take the players and the seed of a saved game, as far as there are such. */
  seat({ players, seed }) {
    for (const [index, side] of SIDES.entries()) {
      const name = players?.[side];
      if (this.names.includes(name)) settings[side] = this.sides[index].lastChild.value = name;
    }
    if (Number.isSafeInteger(seed) && seed >= 0) settings.seed = this.seed.value = seed;
  }
}
