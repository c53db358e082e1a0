// Who plays each side of the board, a person or an AI, as the line above it says; and the seed with
// which AIs draw their moves.

import { button, el } from '../elements/dom.js';
import { address, go } from '../state/address.js';
import { chance, newSeed } from '../state/record.js';
import { t } from '../words/i18n.js';
import { PlayersDialog } from './players-dialog.js';
import { MARKS, PERSON, SIDES } from './sides.js';

const SOON = 16; // cells of a game that a search solves while one waits

const natural = new Intl.Collator('en', { numeric: true }).compare;

/** The opponent where nobody has chosen one: the perfect one where values are known at once. */
function usualOf({ tables, columns, rows }, names) {
  const isKnown = tables.length > 0 || columns * rows <= SOON;
  return (isKnown ? ['perfect', 'ai14s', 'ai2'] : ['ai14s', 'ai2']).find((name) => names.includes(name)) ?? names.at(-1);
}

export class Players {
  /** `changed` is called when somebody else is to play a side, `begin(mode)` to play, study or watch. */
  constructor(game, { changed, begin }) {
    this.game = game;
    this.changed = changed;
    this.begin = begin;
    this.names = [PERSON, ...game.opponents.toSorted(natural)];
    this.usual = usualOf(game, this.names);
    this.line = el('span', { class: 'who' });
    this.dialog = new PlayersDialog(this);
    this.element = el('div', { class: 'players' }, this.line,
      button(t('players.change'), () => this.dialog.open(), { class: 'quiet', dataset: { control: 'players' }, 'aria-haspopup': 'dialog' }), this.dialog.element);
    this.seed = el('input', { type: 'number', min: 0, step: 1, dataset: { control: 'seed' }, onchange: () => this.setSeed(Number(this.seed.value)) });
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

  /** The side of a person who plays alone, and the other one. */
  get person() {
    return SIDES.find((side) => this.of(side) === PERSON);
  }

  get other() {
    return SIDES.find((side) => side !== this.person);
  }

  /** Whether one plays without hints, studies both sides, or watches. */
  modeWith(hints) {
    return ['watch', hints ? '' : 'play', 'study'][this.people];
  }

  get seedOf() {
    const seed = Number(address().get('seed'));
    return Number.isSafeInteger(seed) && seed >= 0 ? seed : 0;
  }

  setSeed(seed) {
    go({ seed: String(Math.max(0, Math.trunc(seed)) || 0) }, { replace: true });
  }

  newSeed() {
    this.setSeed(newSeed());
  }

  /** Seat players by the names of sides. */
  seat(players, options) {
    const known = Object.entries(players).filter(([side, name]) => SIDES.includes(side) && this.names.includes(name));
    go(Object.fromEntries(known), options);
  }

  /** Seat who fits a mode: the AI that plays already, or the usual one. */
  seatFor(mode) {
    const ai = SIDES.map((side) => this.of(side)).find((name) => name !== PERSON) ?? this.usual;
    const [circle, cross] = { play: this.person === 'cross' ? [ai, PERSON] : [PERSON, ai], study: [PERSON, PERSON], watch: [ai, ai] }[mode];
    this.seat({ circle, cross }, { quiet: true });
  }

  /** Draw one of the moves that an AI may choose in a position. */
  async draw(ai, here) {
    const candidates = (await this.game.choices(ai, here)).filter((each) => each.is_candidate);
    let left = chance(this.seedOf, here.ply);
    return (candidates.find(({ probability }) => (left -= probability) < 0) ?? candidates.at(-1)).move;
  }

  /** What is written into a file. */
  toSave() {
    return { players: Object.fromEntries(SIDES.map((side) => [side, this.of(side)])), seed: this.seedOf };
  }

  nameOf = (name) => ([PERSON, 'perfect'].includes(name) ? t(`players.${name}`) : name);

  /** Say who plays. */
  update() {
    const [circle, cross] = SIDES.map((side) => this.nameOf(this.of(side)));
    this.line.textContent = [
      () => t('players.line.watch', { circle, cross }), () => t('players.line.play', { side: MARKS[this.person], name: this.nameOf(this.of(this.other)) }), () => t('players.line.study'),
    ][this.people]();
    if (document.activeElement !== this.seed) this.seed.value = String(this.seedOf);
  }
}
