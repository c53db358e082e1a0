// The board: play with a person or an AI on each side, see what every move is worth, replay.

import { movesOf } from './api.js';
import { factsOf } from './board-facts.js';
import { copyLink, makeFiles, readGame, saveGame } from './board-files.js';
import { cellText, Grid } from './board-grid.js';
import { movesTable } from './board-moves.js';
import { Players } from './board-players.js';
import { Replay } from './board-replay.js';
import { advise, makeShown } from './board-shown.js';
import './board-texts.js';
import { el, tell } from './dom.js';
import { outcomeClass } from './drawing.js';
import { t } from './i18n.js';
import { GameRecord } from './record.js';

const THINKING = 350; // milliseconds before an AI moves, so that one can follow

// Whether an AI was about to move when the language or the view was changed.
const kept = { thinks: false };

/** Make the view; see main.js. */
export const create = (game, go) => new BoardView(game, go);

class BoardView {
  constructor(game, go) {
    this.game = game;
    this.go = go;
    this.record = null;
    this.shows = 0; // Counts what was asked for, to drop what is late.
    this.timer = 0;
    this.told = el('p', { class: 'error', role: 'alert', hidden: true });
    this.status = el('p', { class: 'status', role: 'status' });
    this.players = new Players(game, () => this.think());
    this.grid = new Grid(game, (cell) => this.attempt(this.play(cell)));
    this.replay = new Replay({
      goTo: (at) => this.attempt(this.goTo(at)), undo: () => this.attempt(this.undo()),
      redo: () => this.attempt(this.redo()), start: () => this.attempt(this.start()),
    });
    const files = makeFiles({
      save: () => saveGame(game, this.record, this.players.toSave()), load: (file) => this.load(file), share: () => this.share(),
    });
    this.moves = el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('board.moves') });
    this.facts = el('div');
    this.element = el('section', { class: 'board-view' },
      this.told,
      el('div', { class: 'columns' },
        el('div', {}, this.players.element, this.status, this.grid.element, this.replay.element, files),
        el('div', {}, makeShown(game, () => this.attempt(this.render())), this.moves, el('h2', {}, t('board.facts')), this.facts)));
  }

  /** Show what the address says. */
  async show(parameters) {
    const asked = ++this.shows;
    const record = await GameRecord.from(parameters);
    if (asked !== this.shows) return;
    this.complain(record ? '' : t('board.unknown', { text: [...parameters.values()].join(' ') }));
    kept.thinks &&= !this.record || Boolean(record?.isLike(this.record)); // Else another game is shown.
    if (record) this.record = record.isLike(this.record) ? this.record : record;
    else this.record ??= await GameRecord.from(new URLSearchParams());
    await this.render();
    if (kept.thinks) this.think();
  }

  hide() {
    clearTimeout(this.timer);
  }

  /** Wait for something that may fail, and say in a sentence when it does. */
  async attempt(work) {
    try {
      await work;
    } catch (error) {
      this.complain(error.message);
    }
  }

  complain(sentence) {
    this.told.textContent = sentence;
    this.told.hidden = !sentence;
  }

  // What the reader does.

  async start() {
    this.record = await GameRecord.from(new URLSearchParams());
    await this.changed();
  }

  /** Play a cell for a person whose turn it is; when it is an AI's, let that one move. */
  async play(cell) {
    if (!this.record) return;
    if (this.players.aiOf(this.record.here)) {
      if (!kept.thinks) this.think();
    } else if (await this.record.play(cell)) await this.played(cell);
    else this.refuse(cell);
  }

  /** Say why a cell cannot be played. */
  refuse(cell) {
    const { here } = this.record;
    const why = !here.turn ? 'over' : here.board[cell] === '.' ? 'nomove' : 'taken';
    this.say(cellText(this.game, cell, t(`board.${why}`)));
  }

  /** Say something beside whose turn it is. */
  say(sentence) {
    this.status.textContent = `${sentence} ${statusOf(this.record.here)}`;
  }

  /** Take back moves until it is a person's turn again. */
  async undo() {
    do this.record.undo();
    while (this.record.at && this.players.aiOf(this.record.here) && this.players.hasPerson());
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
    this.players.seat(found.saved);
    await this.changed({ thinks: false });
  }

  async share() {
    this.say(await copyLink(this.record.here));
  }

  // What an AI does.

  /** Let an AI move after a moment when it is its turn at the end of the game. */
  think() {
    clearTimeout(this.timer);
    const ai = this.record?.isAtEnd && this.players.aiOf(this.record.here);
    kept.thinks = Boolean(ai);
    if (ai) this.timer = setTimeout(() => this.attempt(this.move(ai, this.record)), THINKING);
  }

  /** Make the move of an AI, unless the reader has done something else meanwhile. */
  async move(ai, record) {
    const { here } = record;
    const cell = await this.players.draw(ai, here).catch((error) => {
      kept.thinks = false; // The reader may tell it to try again.
      throw error;
    });
    if (record !== this.record || record.here !== here || this.players.aiOf(here) !== ai || !kept.thinks) return;
    await record.play(cell);
    await this.played(cell);
  }

  // What is shown.

  /** Say to screen readers what was played, and go on. */
  async played(cell) {
    tell(cellText(this.game, cell, t(`board.${this.record.here.board[cell]}`)));
    await this.changed();
  }

  async changed({ thinks = true } = {}) {
    clearTimeout(this.timer);
    kept.thinks = false;
    this.complain('');
    this.go('board', this.record.toAddress(), { replace: true });
    await this.render();
    if (thinks) this.think();
  }

  async render() {
    if (!this.record) return; // Nothing is shown yet; it soon will be.
    const { here } = this.record;
    const advising = advise(here).catch((error) => {
      this.complain(error.message); // What an AI fails to say hides nothing else.
      return null;
    });
    const [moves, advice] = await Promise.all([movesOf(here), advising]);
    if (here !== this.record.here) return; // Somebody was faster.
    this.status.textContent = statusOf(here);
    this.status.className = `status ${here.turn ? '' : outcomeClass(here.score)}`;
    this.grid.update(here, moves, advice);
    this.replay.update(this.record);
    this.moves.replaceChildren(...(moves.length ? [movesTable(here, moves, advice)] : []));
    this.facts.replaceChildren(factsOf(this.game, here), ...this.linkToTree());
  }

  /** A link to the node of this game in the tree, if there is one and the game has begun at its root. */
  linkToTree() {
    const { start, cells, at } = this.record;
    const line = cells.slice(0, at).join(',');
    return start.ply || !this.game.panes.includes('map') ? [] : [el('a', { href: `#tree${line && `?line=${line}`}` }, t('board.intree'))];
  }
}

/** Whose turn it is and what best play comes to, or how the game has ended. */
function statusOf({ turn, status, score, distance }) {
  if (!turn) return t(`board.status.${status}`);
  return `${t(`board.turn.${turn}`)} ${t('board.verdict', { what: t(`board.leads.${score}`), distance })}`;
}
