// The left side, always there: the board, who plays, the game so far.

import { announce, button, el, setOff } from '../elements/dom.js';
import { LATE, reasonOf } from '../elements/latest.js';
import { address, complaintAbout, go, PARTS } from '../state/address.js';
import { GameRecord, newSeed } from '../state/record.js';
import { addTexts, LANGUAGES, t } from '../words/i18n.js';
import { cellName, lineText } from '../words/moves.js';
import { Grid } from './board-grid.js';
import { makeMenu, readGame, saveGame } from './more-menu.js';
import { isSeed, Players } from './players.js';
import { boastOf, copyLink, ShareDialog } from './share.js';
import { decisive, verdictOf } from './verdict.js';
import { WholeView } from './whole-view.js';

addTexts({
  'board.side': ['The game', '対局'], 'board.taken': ['this cell is taken.', 'このマスは埋まっています。'],
  'board.nomove': ['this cell cannot be played now.', 'このマスには今は着手できません。'], 'board.over': ['the game is over.', '対局は終わっています。'],
  'board.undo': ['Undo', '待った'], 'board.redo': ['Redo', 'やり直す'], 'board.new': ['New game', '新しい対局'], 'board.hints': ['Hints', 'ヒント'],
  'board.back': ['Take it back', '待った'], 'board.again': ['Play again', 'もう一度'], 'board.share': ['Share', '共有'], 'board.let': ['Let {ai} play', '{ai} に着手させる'],
  'board.pause': ['Pause', '一時停止'], 'board.unknown': ['Play cannot reach {text}.', '{text} に至る対局はありません。'],
  'board.nofile': ['This file holds no saved game of {name}.', 'このファイルには {name} の対局が保存されていません。'],
});

const THINKING = 350; // milliseconds before an AI moves, so that one can follow

let hasPlayed = false; // Whether the reader has made a move; kept when the language or the game changes.

export class BoardView {
  /** `shown(record)` is called with what is shown, each time it is another position. */
  constructor(game, shown) {
    this.game = game;
    this.shown = shown;
    this.record = null;
    this.timer = 0;
    this.waiting = 0; // The timer after which the line below the board says that an answer is late.
    this.thinks = false; // Whether an AI is about to move.
    this.learning = false; // Whether a search is waited for.
    this.isLeft = false; // Whether another game is shown in its place.
    this.error = el('p', { class: 'error', role: 'alert', hidden: true });
    this.status = el('p', { class: 'status', role: 'status' }, t('board.asking'));
    this.players = new Players(game, { changed: () => this.attempt(this.changed()), begin: (mode) => this.attempt(this.begin(mode)) });
    this.grid = new Grid(game, (cell) => this.attempt(this.play(cell)));
    this.whole = new WholeView(game, { goTo: (at) => this.attempt(this.goTo(at)), follow: (cells) => go({ start: null, at: null, line: lineText(game, cells, '.') }) });
    this.sharing = new ShareDialog();
    this.controls = this.makeControls();
    this.controls.go.hidden = this.controls.redo.hidden = this.controls.share.hidden = true; // Till the position is known.
    this.players.update();
    const menu = makeMenu({ seed: this.players.seed, onSave: () => saveGame(this.record, this.players.toSave()), onLoad: (file) => this.load(file), onLink: async () => this.say(await copyLink()) });
    this.element = el('section', { class: 'board-view', 'aria-label': t('board.side'), inert: true },
      this.players.element, this.error, this.grid.element, this.status,
      el('div', { class: 'row controls' }, Object.values(this.controls), menu), this.sharing.element);
  }

  makeControls() {
    const control = (name, act) => button(t(`board.${name}`), () => this.attempt(act()), { dataset: { control: name } });
    return {
      new: control('new', () => this.start()), undo: control('undo', () => this.undo()), redo: control('redo', () => this.redo()), share: control('share', () => this.share()),
      hints: button(t('board.hints'), () => this.setHints(!this.hints), { dataset: { control: 'hints' } }),
      go: button('', () => (this.thinks ? this.pause() : this.attempt(this.think())), { dataset: { control: 'go' } }),
    };
  }

  /** Show what the address says. */
  async show(isLatest) {
    const parameters = address();
    const named = await GameRecord.from(this.game, parameters);
    const record = named ?? await GameRecord.from(this.game, new URLSearchParams());
    if (!isLatest()) return;
    const wanted = ['start', 'line'].map((name) => parameters.get(name)).filter(Boolean).join(' ');
    if (!record.isLike(this.record)) {
      this.pause();
      this.record = record;
    }
    this.render();
    this.complain([!named && t('board.unknown', { text: wanted }), this.strange, this.players.complaint].filter(Boolean).join(t('space')));
    this.learn();
  }

  /** That the address has parts that mean nothing on this board; '' where it has none. */
  get strange() {
    const { cells } = this.record;
    const right = new Map(Object.entries({
      at: (value) => value >= 0 && value <= cells.length && Number.isInteger(Number(value)), seed: isSeed,
      hints: (value) => ['on', 'off'].includes(value), lang: (value) => LANGUAGES.some(([each]) => each === value),
    }));
    const all = address();
    return complaintAbout(all, (name, value) => !PARTS.includes(name) || value !== all.get(name) || right.get(name)?.(value) === false);
  }

  /** Let a search complete the positions of the game, as long as the game is shown. */
  async learn() {
    if (this.learning) return;
    this.learning = true;
    try {
      while (await this.record.learn() && !this.isLeft) this.render();
    } catch (error) {
      this.complain(reasonOf(error));
    }
    this.learning = false;
  }

  hide() {
    clearTimeout(this.timer);
    this.thinks = false;
    this.isLeft = true;
  }

  /** Wait for something that may take long or fail, and say so in a sentence. */
  async attempt(work) {
    const { record } = this;
    clearTimeout(this.waiting);
    const waiting = setTimeout(() => { this.status.textContent = t('board.asking'); }, LATE);
    this.waiting = waiting;
    try {
      await work;
    } catch (error) {
      if (record !== this.record) return; // Another game is shown.
      this.pause();
      this.complain(reasonOf(error));
      this.render();
    } finally {
      clearTimeout(waiting);
    }
  }

  complain(reason) {
    this.error.replaceChildren(reason);
    this.error.hidden = !reason;
  }

  // What the reader does.

  /** Whether the cells say what each move is worth. */
  get hints() {
    return address().get('hints') === 'on';
  }

  setHints(hints) {
    go({ hints: hints && 'on' }, { replace: true, quiet: true });
    this.render();
  }

  /** Begin to play against an AI, to study with values, or to watch two AIs. */
  async begin(mode) {
    this.players.seatFor(mode);
    go({ hints: mode !== 'play' && 'on' }, { quiet: true, replace: true });
    if (mode === 'study') await this.changed({ thinks: false });
    else await this.start();
  }

  async start() {
    this.pause();
    this.record = await GameRecord.from(this.game, new URLSearchParams());
    this.players.setSeed(newSeed());
    await this.changed();
  }

  /** Play a cell for the side to move: a click is always a person's move. */
  async play(cell) {
    this.pause();
    if (await this.record.play(cell)) {
      hasPlayed = true;
      await this.played(cell);
    } else this.refuse(cell);
  }

  /** Say why a cell cannot be played. */
  refuse(cell) {
    const { here } = this.record;
    const why = !here.turn ? 'over' : here.board[cell] === '.' ? 'nomove' : 'taken';
    this.say(t('board.cell', { cell: cellName(this.game, cell), what: t(`board.${why}`) }));
    if (this.players.aiOf(here)) this.think();
  }

  /** Show a sentence before the line that says whose turn it is. */
  say(sentence) {
    this.status.textContent = `${sentence} ${verdictOf(this.record, this.players, this.hints)}`;
  }

  /** Take back moves until it is a person's turn again. */
  async undo() {
    do this.record.undo();
    while (this.record.at && this.players.aiOf(this.record.here) && this.players.people);
    await this.changed({ thinks: false });
  }

  async redo() {
    do await this.record.redo();
    while (this.record.undone.length && this.players.aiOf(this.record.here));
    await this.changed();
  }

  async goTo(at) {
    this.record.goTo(at);
    await this.changed({ thinks: false });
  }

  async load(file) {
    const found = await readGame(this.game, file);
    if (!found) {
      this.complain(t('board.nofile', this.game));
      return;
    }
    this.record = found.record;
    this.players.seat(found.players, { quiet: true });
    go({ seed: String(found.seed) }, { replace: true });
    await this.changed({ thinks: false });
  }

  /** Offer a link and a picture of the game. */
  share() {
    const { record, players } = this;
    const fault = decisive(record);
    this.sharing.open(record, {
      title: boastOf(record, players), why: verdictOf(record, players, false), fault: fault === null ? null : record.cells[fault], map: this.whole.map.canvas,
    });
  }

  // What an AI does.

  pause() {
    clearTimeout(this.timer);
    this.thinks = false;
    if (this.record) this.showControls();
  }

  /** Let an AI move after a moment when it is its turn at the end of the game. */
  async think() {
    this.pause();
    const ai = this.record?.isAtEnd && this.players.aiOf(this.record.here);
    this.thinks = Boolean(ai);
    this.showControls();
    if (ai) this.timer = setTimeout(() => this.attempt(this.move(ai, this.record)), THINKING);
  }

  /** Make the move of an AI, unless the reader has done something else meanwhile. */
  async move(ai, record) {
    const { here } = record;
    const cell = await this.players.draw(ai, here);
    const isOther = () => record !== this.record || record.here !== here || this.players.aiOf(here) !== ai || !this.thinks;
    if (isOther()) return;
    if (await record.play(cell)) await this.played(cell);
  }

  // What is shown.

  /** Say to screen readers what was played, and go on. */
  async played(cell) {
    const { record } = this;
    announce(t('board.cell', { cell: cellName(this.game, cell), what: t(`mark.${record.here.board[cell]}`) }));
    await this.changed();
  }

  async changed({ thinks = true } = {}) {
    if (this.isLeft) return; // The address is that of another game by now.
    this.pause();
    this.complain(this.players.complaint);
    go(this.record.toAddress(), { replace: true, quiet: true });
    this.render();
    this.learn();
    if (thinks) await this.think();
  }

  render() {
    const { record } = this;
    if (!record || this.isLeft) return; // Nothing is shown yet, or another game.
    const { here } = record;
    const hints = this.hints;
    this.element.inert = false;
    clearTimeout(this.waiting);
    this.status.textContent = verdictOf(record, this.players, hints);
    this.status.classList.toggle('ended', !here.turn);
    this.players.update();
    this.grid.update(here, { hints, last: record.last, fault: record.cells[decisive(record)] });
    this.whole.update(record, { isLit: hints || !here.turn, fault: decisive(record) });
    this.showControls();
    const isOpened = address().has('pane') && !hasPlayed; // A link to a pane shows it.
    record.isSecret = this.players.people === 1 && !hints && Boolean(here.turn) && record.isAtEnd && !isOpened;
    this.shown(record);
  }

  showControls() {
    const { record, controls } = this;
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const ai = record.isAtEnd && this.players.aiOf(record.here);
    const isOver = !record.here.turn;
    setOff(controls.undo, record.at === 0);
    controls.redo.hidden = !record.undone.length;
    controls.share.hidden = !isOver;
    controls.hints.hidden = isOver; // There is nothing to hide any more.
    controls.new.textContent = t(isOver ? 'board.again' : 'board.new');
    controls.undo.textContent = t(isOver ? 'board.back' : 'board.undo');
    controls.new.classList.toggle('primary', isOver);
    controls.hints.setAttribute('aria-pressed', String(this.hints));
    controls.go.hidden = !ai;
    controls.go.textContent = t(this.thinks ? 'board.pause' : 'board.let', { ai: this.players.nameOf(ai) });
    if (focused.hidden) controls.undo.focus();
  }
}
