// Who plays each side of the board, a person or an AI: as cards, with family, rule and strength; and
// the seed with which AIs draw their moves.

import { button, el } from '../elements/dom.js';
import { address, go } from '../state/address.js';
import { chance, newSeed } from '../state/record.js';
import { number, t } from '../words/i18n.js';
import { inLanguage } from '../words/japanese.js';

const PERSON = 'person';
const SIDES = ['circle', 'cross'];
const MARKS = { circle: '〇', cross: '×' };
const FAVOURITES = ['ai14s', 'perfect', 'ai2'];

const natural = new Intl.Collator('en', { numeric: true }).compare;

export class Players {
  /** `changed` is called when somebody else is to play a side. */
  constructor(game, changed) {
    this.game = game;
    this.changed = changed;
    this.names = [PERSON, ...game.opponents.toSorted(natural)];
    this.usual = FAVOURITES.find((name) => this.names.includes(name)) ?? this.names.at(-1);
    this.about = new Map(game.ais.map((row) => [row.ai, row]));
    this.strength = new Map();
    this.buttons = SIDES.map((side) => button('', () => this.choose(side), { dataset: { side }, 'aria-haspopup': 'dialog' }));
    this.dialog = el('dialog', { class: 'cards', 'aria-label': t('players.cards') });
    this.seed = el('input', { type: 'number', min: 0, step: 1, dataset: { control: 'seed' }, onchange: () => this.setSeed(Number(this.seed.value)) });
    this.element = el('div', { class: 'row players' }, this.buttons,
      el('label', { class: 'field seed' }, el('span', {}, t('players.seed')), this.seed), this.dialog);
    this.dialog.addEventListener('click', ({ target }) => { if (target === this.dialog) this.dialog.close(); });
  }

  /** Who plays a side: a name of the game, as the address says it; a person where it says nothing right. */
  of(side) {
    const named = address().get(side) ?? (side === 'cross' ? this.usual : PERSON);
    return this.names.includes(named) ? named : PERSON;
  }

  /** The AI whose turn it is in a position; undefined when it is a person's or nobody's. */
  aiOf({ turn }) {
    const name = turn ? this.of(turn) : PERSON;
    return name === PERSON ? undefined : name;
  }

  get people() {
    return SIDES.filter((side) => this.of(side) === PERSON).length;
  }

  get seedOf() {
    const seed = Number(address().get('seed'));
    return Number.isSafeInteger(seed) && seed >= 0 ? seed : 0;
  }

  setSeed(seed) {
    go({ seed: String(Math.max(0, Math.trunc(seed)) || 0) }, { replace: true });
  }

  /** Seat players by the names of sides. */
  seat(players, options) {
    const known = Object.entries(players).filter(([side, name]) => SIDES.includes(side) && this.names.includes(name));
    go(Object.fromEntries(known), options);
  }

  /** Draw one of the moves that an AI may choose in a position. */
  async draw(ai, here) {
    const candidates = (await this.game.choices(ai, here)).filter((each) => each.is_candidate);
    let left = chance(this.seedOf, here.ply);
    return (candidates.find(({ probability }) => (left -= probability) < 0) ?? candidates.at(-1)).move;
  }

  newSeed() {
    this.setSeed(newSeed());
  }

  /** What is written into a file. */
  toSave() {
    return { players: Object.fromEntries(SIDES.map((side) => [side, this.of(side)])), seed: this.seedOf };
  }

  async update() {
    for (const [index, side] of SIDES.entries()) {
      const name = this.of(side);
      this.buttons[index].replaceChildren(`${MARKS[side]} `, el('strong', {}, this.nameOf(name)));
      this.buttons[index].setAttribute('aria-label', t('players.choose', { side: t(`players.${side}`), name: this.nameOf(name) }));
    }
    if (document.activeElement !== this.seed) this.seed.value = this.seedOf;
  }

  nameOf = (name) => (name === PERSON ? t('players.person') : name);

  /** Show the cards, to choose who plays a side. */
  async choose(side) {
    await this.loadStrength();
    const take = (name) => {
      this.dialog.close();
      go({ [side]: name });
      this.changed();
    };
    this.dialog.replaceChildren(
      el('h2', {}, t('players.who', { side: t(`players.${side}`) })),
      el('ul', {}, this.names.map((name) => el('li', {}, el('button', {
        type: 'button', dataset: { card: name }, 'aria-pressed': String(this.of(side) === name), onclick: () => take(name),
      }, this.card(name))))),
      button(t('players.close'), () => this.dialog.close()));
    this.dialog.showModal();
    this.dialog.querySelector('[aria-pressed="true"]')?.focus();
  }

  card(name) {
    const row = this.about.get(name);
    const rule = row && inLanguage('ai', name, row.rule);
    const right = this.strength.get(name);
    return [
      el('strong', {}, this.nameOf(name)), row && el('span', { class: 'soft' }, inLanguage('family', row.family, row.family)),
      rule && el('span', { class: 'rule', lang: rule === row.rule ? 'en' : null }, rule),
      right && el('span', { class: 'strength' }, t('players.right', { right: number(right.positions_right), all: number(right.positions) })),
    ];
  }

  /** In how many critical positions each AI is right, where that is known. */
  async loadStrength() {
    if (this.strength.size || !this.game.panes.includes('leaderboard')) return;
    this.strength = new Map((await this.game.rowsOf('strong')).map((row) => [row.ai, row]));
  }
}
