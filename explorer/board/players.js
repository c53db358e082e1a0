// Who plays each side of the board, a person or an AI: the line above it, and the dialog that changes
// it, with the AIs on a ladder of strengths that is measured for the game shown. AIs draw their moves
// with a seed.

import { button, el } from '../elements/dom.js';
import { address, go } from '../state/address.js';
import { chance } from '../state/record.js';
import { addTexts, listed, natural, number, t } from '../words/i18n.js';
import { inLanguage } from '../words/japanese.js';

addTexts({
  'players.person': ['You', 'あなた'], 'players.perfect': ['Perfect', 'Perfect'], 'players.change': ['change', '変更'], 'players.who': ['Who plays?', '対局者の変更'],
  'players.for': ['Choose who plays', 'どちらの対局者を選ぶか'], 'players.close': ['Close', '閉じる'],
  'players.absent': ['{name} has no AI {names} here: you move in its place.', '{name} に {names} という AI はありません。代わりにあなたが打ちます。'],
  'players.swap': ['Swap sides', '手番を入れ替える'],
  'players.line.play': ['You are {side} against {name}', 'あなたは {side}、相手は {name}'], 'players.line.study': ['You move for both sides', '両方の側をあなたが打ちます'],
  'players.line.watch': ['〇 {circle} against × {cross}', '〇 {circle} 対 × {cross}'], 'players.play': ['Play', '対局'], 'players.study': ['Study', '研究'],
  'players.watch': ['Watch', '観戦'], 'players.modes': ['Ways to begin', '始め方'], 'players.play.why': ['Play against an AI, without hints', 'ヒントなしで AI と対局する'],
  'players.study.why': ['Move for both sides, and see what each move is worth', '〇も×も自分で打ち、各合法手の評価値を見る'],
  'players.watch.why': ['Watch two AIs play', 'AI どうしの対局を見る'], 'players.rung.perfect': ['Perfect: right in every position', '完璧：どの局面でも正解'],
  'players.rung.strong': ['Strong', '強い'], 'players.rung.fair': ['Fair', 'ふつう'], 'players.rung.weak': ['Easy to beat', '弱い'],
  'players.rung.unmeasured': ['Not measured in this game', 'このゲームでは未測定'],
  'players.right': ['right in {right} of the {all} positions where a move can be wrong', '悪手のある局面 {all} 個のうち {right} 個で正解'],
});

export const SIDES = ['circle', 'cross'];
export const MARKS = { circle: '〇', cross: '×' };
const PERSON = 'person';

const MODES = ['play', 'study', 'watch'];

/** The rungs of the ladder, each with the least share of critical positions in which an AI is right. */
const RUNGS = [{ name: 'perfect', least: 1 }, { name: 'strong', least: 0.9 }, { name: 'fair', least: 0.75 }, { name: 'weak', least: 0 }];

const SOON = 16; // cells of a game that a search solves while one waits

/** The opponent until one is selected: the perfect one where values are known at once. */
function usualOf({ tables, columns, rows }, names) {
  const isKnown = tables.length > 0 || columns * rows <= SOON;
  return (isKnown ? ['perfect', 'ai14s', 'ai2'] : ['ai14s', 'ai2']).find((name) => names.includes(name)) ?? names.at(-1);
}

/** Whether a text of the address is a seed. */
export const isSeed = (text) => Number.isSafeInteger(Number(text)) && Number(text) >= 0;

/** The players that the address names, and the line that shows them. */
export class Players {
  /** `changed` is called when a side gets another player, `begin(mode)` to play, study or watch. */
  constructor(game, { changed, begin }) {
    this.game = game;
    this.changed = changed;
    this.begin = begin;
    this.names = [PERSON, ...game.opponents];
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

  /** That the address names players who are not here; '' where it names none. */
  get complaint() {
    const strange = [...new Set(SIDES.map((side) => address().get(side)))].filter((name) => name && !this.names.includes(name));
    return strange.length ? t('players.absent', { names: listed(strange), name: this.game.name }) : '';
  }

  /** The AI whose turn it is in a position; undefined when it is a person's or the game is over. */
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

  get seedOf() {
    const seed = address().get('seed');
    return isSeed(seed) ? Number(seed) : 0;
  }

  setSeed(seed) {
    go({ seed: String(Math.max(0, Math.trunc(seed)) || 0) }, { replace: true });
  }

  /** Seat players by the names of sides. */
  seat(players, options) {
    go(Object.fromEntries(SIDES.map((side) => [side, players[side]])), options);
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

/** The dialog that changes who plays, and how to begin. */
class PlayersDialog {
  constructor(players) {
    this.players = players;
    this.side = 'cross'; // The side whose player the dialog changes.
    this.strength = new Map(); // By AI, where it is known: what the report says of it.
    this.isLoaded = false; // Whether the report is there.
    this.about = new Map(players.game.ais.map((row) => [row.ai, row]));
    this.element = el('dialog', { class: 'cards', 'aria-label': t('players.who') });
    this.element.addEventListener('click', ({ target }) => { if (target === this.element) this.element.close(); });
  }

  async open() {
    const { players } = this;
    this.side = players.people === 1 ? players.other : 'cross';
    this.show();
    this.element.showModal();
    const focus = () => this.element.querySelector('[data-card][aria-pressed="true"]').focus();
    focus();
    if (await this.loadStrength() && this.element.open) {
      this.show();
      focus();
    }
  }

  /** Learn in how many critical positions each AI is right; whether there is something new to show. */
  async loadStrength() {
    const { game } = this.players;
    if (this.isLoaded || !game.panes.includes('leaderboard')) return false;
    const rows = await game.rowsOf('strong').catch(() => []); // It is asked for again next time.
    this.isLoaded = rows.length > 0;
    this.strength = new Map(rows.map((row) => [row.ai, row]));
    return this.isLoaded;
  }

  show() {
    const { players } = this;
    const then = (act) => () => {
      this.element.close();
      act();
    };
    const modes = players.game.opponents.length ? MODES : ['study']; // Without AIs there is no opponent.
    this.element.replaceChildren(
      el('div', { class: 'head' }, el('h2', {}, t('players.who')), button(t('players.close'), () => this.element.close(), { class: 'quiet' })),
      el('div', { class: 'row', role: 'group', 'aria-label': t('players.modes') }, modes.map((mode) => button(t(`players.${mode}`), then(() => players.begin(mode)), { dataset: { mode }, title: t(`players.${mode}.why`) })),
        button(t('players.swap'), then(() => this.swap()), { dataset: { control: 'swap' } })),
      el('div', { class: 'row sides', role: 'group', 'aria-label': t('players.for') }, SIDES.map((side) => button(`${MARKS[side]} ${players.nameOf(players.of(side))}`, () => {
        this.side = side;
        this.show();
        this.element.querySelector(`[data-side="${side}"]`).focus();
      }, { dataset: { side }, 'aria-pressed': String(side === this.side) }))),
      ...this.ladder());
  }

  swap() {
    const [circle, cross] = SIDES.map((side) => this.players.of(side));
    go({ circle: cross, cross: circle });
    this.players.changed();
  }

  /** The AIs by strength, the strongest rung first, after a person. */
  ladder() {
    const { players } = this;
    const rungs = Map.groupBy(players.game.opponents.toSorted(natural), (name) => this.rungOf(name));
    return [el('ul', {}, this.item(PERSON)), ...[...RUNGS.map((rung) => rung.name), 'unmeasured'].filter((rung) => rungs.has(rung)).map((rung) => [
      el('h3', {}, t(`players.rung.${rung}`)),
      el('ul', {}, rungs.get(rung).toSorted((one, other) => this.shareOf(other) - this.shareOf(one) || Number(other === players.usual) - Number(one === players.usual)).map((name) => this.item(name))),
    ])].flat();
  }

  shareOf(name) {
    const row = this.strength.get(name);
    return row?.positions ? row.positions_right / row.positions : 0;
  }

  rungOf(name) {
    if (name === 'perfect') return 'perfect';
    const isMeasured = Number.isInteger(this.strength.get(name)?.positions_right);
    return isMeasured ? RUNGS.find(({ least }) => this.shareOf(name) >= least).name : 'unmeasured';
  }

  item(name) {
    const { players, side } = this;
    return el('li', {}, el('button', {
      type: 'button', dataset: { card: name }, 'aria-pressed': String(players.of(side) === name), onclick: () => {
        this.element.close();
        go({ [side]: name });
        players.changed();
      },
    }, this.card(name)));
  }

  card(name) {
    const row = this.about.get(name);
    const rule = row && inLanguage('ai', name, row.rule);
    const measured = this.strength.get(name);
    return [
      el('strong', {}, this.players.nameOf(name)), row && el('span', { class: 'soft' }, inLanguage('family', row.family, row.family)),
      rule && el('span', { class: 'rule', lang: rule === row.rule ? 'en' : null }, rule),
      measured && el('span', { class: 'strength' }, t('players.right', { right: number(measured.positions_right), all: number(measured.positions) })),
    ];
  }
}
