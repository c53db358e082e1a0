// The board: play with a person or an AI on each side, see what every move is worth, replay.

import { children, choices, ofPly } from './api.js';
import { button, choice, el, svg, table, tell } from './dom.js';
import { drawBoard, drawMark, OUTCOME, outcomeClass } from './drawing.js';
import './board-texts.js';
import { number, percent, t } from './i18n.js';
import { padOf } from './number-pad.js';
import { chance, GameRecord } from './record.js';

const PERSON = 'person';
const THINKING = 350; // milliseconds before an AI moves, so that one can follow
const SHOWN = ['nothing', 'outcome', 'score', 'score_sv', 'score_svrd', 'distance', 'value'];

// What the reader has chosen; kept when the language or the view changes.
const settings = {
  players: { circle: PERSON, cross: 'ai14s' }, seed: 0, shown: 'outcome', adviser: '',
  thinks: false, // Whether an AI was about to move when the view was left.
};

/** Make the view; see main.js. */
export function create(game, go) {
  return new BoardView(game, go);
}

class BoardView {
  constructor(game, go) {
    this.game = game;
    this.go = go;
    this.record = null;
    this.shows = 0; // Counts what was asked for, to drop what is late.
    this.timer = 0;
    this.focused = 0;
    this.element = el('section', { class: 'board-view' });
    this.told = el('p', { class: 'error', role: 'alert', hidden: true });
    this.status = el('p', { class: 'status', role: 'status' });
    this.cells = Array.from({ length: game.columns * game.rows }, (_, cell) => this.makeCell(cell));
    this.grid = this.makeGrid();
    this.replay = this.makeReplay();
    this.moves = el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('board.moves') });
    this.facts = el('div');
    this.element.append(
      this.told,
      el('div', { class: 'columns' },
        el('div', {}, this.makePlayers(), this.status, this.grid, this.replay.element, this.makeFiles()),
        el('div', {}, this.makeShown(), this.moves, el('h2', {}, t('board.facts')), this.facts)),
    );
  }

  // Elements that stay.

  makeCell(cell) {
    return el('button', {
      type: 'button', role: 'gridcell', class: 'cell', tabindex: cell ? -1 : 0, dataset: { cell },
      onclick: () => this.attempt(this.play(cell)), onfocus: () => this.focus(cell),
    });
  }

  makeGrid() {
    const { columns, rows } = this.game;
    const lines = Array.from({ length: rows }, (_, y) =>
      el('div', { role: 'row' }, this.cells.slice(y * columns, (y + 1) * columns)));
    return el('div', {
      class: 'grid-board', role: 'grid', 'aria-label': t('board.grid'), style: `--columns: ${columns}`,
      onkeydown: (event) => this.key(event),
    }, lines);
  }

  makePlayers() {
    const options = [[PERSON, t('board.person')], ...this.game.ais.map(({ ai }) => [ai, ai])];
    const side = (name) => choice(t(`board.${name}`), options, settings.players[name], (value) => {
      settings.players[name] = value;
      this.think();
    }, { dataset: { side: name } });
    this.sides = { circle: side('circle'), cross: side('cross') };
    this.seed = el('input', {
      type: 'number', min: 0, step: 1, value: settings.seed, dataset: { control: 'seed' },
      onchange: () => { settings.seed = Math.max(0, Math.trunc(Number(this.seed.value)) || 0); },
    });
    return el('div', { class: 'row' }, this.sides.circle, this.sides.cross,
      el('label', { class: 'field' }, el('span', {}, t('board.seed')), this.seed));
  }

  makeReplay() {
    const slider = el('input', {
      type: 'range', min: 0, value: 0, dataset: { control: 'slider' },
      oninput: () => this.attempt(this.goTo(Number(slider.value))),
    });
    const label = el('span', { class: 'soft' });
    const control = (name, action) => button(t(`board.${name}`), action, { dataset: { control: name } });
    const buttons = {
      first: control('first', () => this.attempt(this.goTo(0))),
      previous: control('previous', () => this.attempt(this.goTo(this.record.at - 1))),
      next: control('next', () => this.attempt(this.goTo(this.record.at + 1))),
      last: control('last', () => this.attempt(this.goTo(this.record.cells.length))),
      undo: control('undo', () => this.attempt(this.undo())),
      redo: control('redo', () => this.attempt(this.redo())),
      new: control('new', () => this.attempt(this.start())),
    };
    const element = el('div', { class: 'replay' },
      el('label', { class: 'field' }, label, slider),
      el('div', { class: 'row' }, Object.values(buttons)));
    return { element, slider, label, buttons };
  }

  makeFiles() {
    const input = el('input', {
      type: 'file', accept: 'application/json', hidden: true, dataset: { control: 'file' },
      onchange: () => this.load(input.files[0]).finally(() => { input.value = ''; }),
    });
    const control = (name, action) => button(t(`board.${name}`), action, { dataset: { control: name } });
    return el('div', { class: 'row' }, control('save', () => this.save()),
      control('load', () => input.click()), input, control('share', () => this.share()));
  }

  makeShown() {
    const shown = choice(t('board.show'), SHOWN.map((each) => [each, t(`board.show.${each}`)]), settings.shown,
      (value) => { settings.shown = value; this.attempt(this.render()); }, { dataset: { control: 'shown' } });
    const advisers = [['', t('board.nobody')], ...this.game.ais.map(({ ai }) => [ai, ai])];
    const adviser = choice(t('board.adviser'), advisers, settings.adviser,
      (value) => { settings.adviser = value; this.attempt(this.render()); }, { dataset: { control: 'adviser' } });
    return el('div', { class: 'row' }, shown, adviser);
  }

  // What the reader does.

  /** Show what the address says. */
  async show(parameters) {
    const asked = ++this.shows;
    const record = await GameRecord.from(parameters);
    if (asked !== this.shows) return;
    this.complain(record ? '' : t('board.unknown', { text: [...parameters.values()].join(' ') }));
    settings.thinks &&= !this.record || (record && this.isShown(record)); // Else another game is shown.
    if (record) this.record = this.isShown(record) ? this.record : record;
    else this.record ??= await GameRecord.from(new URLSearchParams());
    await this.render();
    if (settings.thinks) this.think();
  }

  isShown(record) {
    const now = this.record;
    return now && now.start === record.start && now.at === record.at && now.cells.join() === record.cells.join();
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

  async start() {
    this.record = await GameRecord.from(new URLSearchParams());
    await this.changed();
  }

  /** Play a cell for a person whose turn it is; when it is an AI's, let that one move. */
  async play(cell) {
    if (!this.record) return;
    if (this.player() !== PERSON) {
      if (!settings.thinks) this.think();
    } else if (await this.record.play(cell)) await this.played(cell);
  }

  async played(cell) {
    this.announce(cell);
    await this.changed();
  }

  /** Say to screen readers what was played. */
  announce(cell) {
    tell(this.nameOf(cell, t(`board.${this.record.here.board[cell]}`)));
  }

  nameOf(cell, what) {
    const { columns } = this.game;
    return t('board.cell', { x: (cell % columns) + 1, y: Math.floor(cell / columns) + 1, what });
  }

  /** Take back moves until it is a person's turn again. */
  async undo() {
    do this.record.undo();
    while (this.record.at && this.player() !== PERSON && this.hasPerson());
    await this.changed({ thinks: false });
  }

  async redo() {
    do await this.record.redo();
    while (this.record.undone.length && this.player() !== PERSON);
    await this.changed();
  }

  async goTo(at) {
    this.record.goTo(at);
    await this.changed({ thinks: false });
  }

  hasPerson() {
    return Object.values(settings.players).includes(PERSON);
  }

  /** Who moves in the position shown: a person, an AI, or nobody when the game is over. */
  player() {
    return settings.players[this.record.here.turn];
  }

  async changed({ thinks = true } = {}) {
    clearTimeout(this.timer);
    settings.thinks = false;
    this.complain('');
    this.go('board', this.record.toAddress(), { replace: true });
    await this.render();
    if (thinks) this.think();
  }

  /** Let an AI move after a moment when it is its turn at the end of the game. */
  think() {
    clearTimeout(this.timer);
    settings.thinks = false;
    if (!this.record) return;
    const ai = this.player();
    if (!ai || ai === PERSON || !this.record.isAtEnd) return;
    settings.thinks = true;
    this.timer = setTimeout(() => this.attempt(this.move(ai, this.record)), THINKING);
  }

  /** Make the move of an AI, unless the reader has done something else meanwhile. */
  async move(ai, record) {
    const here = record.here;
    const candidates = (await choices(ai, here)).filter((each) => each.candidate);
    const drawn = candidates[Math.floor(chance(settings.seed, here.ply) * candidates.length)];
    if (record !== this.record || record.here !== here || this.player() !== ai || !settings.thinks) return;
    await record.play(drawn.move);
    await this.played(drawn.move);
  }

  focus(cell) {
    this.cells[this.focused].tabIndex = -1;
    this.focused = cell;
    this.cells[cell].tabIndex = 0;
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { columns, rows } = this.game;
    const x = this.focused % columns;
    const y = Math.floor(this.focused / columns);
    const digit = padOf(this.game).indexOf(event.key);
    const to = {
      ArrowLeft: x > 0 && this.focused - 1, ArrowRight: x < columns - 1 && this.focused + 1,
      ArrowUp: y > 0 && this.focused - columns, ArrowDown: y < rows - 1 && this.focused + columns,
    }[event.key];
    if (digit >= 0 && event.key.length === 1) {
      this.cells[digit].focus();
      this.attempt(this.play(digit));
    } else if (to === undefined) return;
    else if (to !== false) this.cells[to].focus();
    event.preventDefault();
  }

  save() {
    const saved = JSON.stringify(this.record.toSave(this.game, settings.players, settings.seed), null, 1);
    const link = el('a', {
      href: URL.createObjectURL(new Blob([`${saved}\n`], { type: 'application/json' })),
      download: `${this.game.name}-${this.record.cells.join('') || 'start'}.json`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  async load(file) {
    let record;
    let saved;
    try {
      saved = JSON.parse(await file.text());
      record = await GameRecord.fromSaved(saved, this.game);
    } catch {
      record = undefined; // Told below, like every file that is no saved game.
    }
    if (!record) {
      this.complain(t('board.nofile', this.game));
      return;
    }
    this.record = record;
    this.seat(saved);
    await this.changed({ thinks: false });
  }

  /** Take the players and the seed of a saved game, as far as there are such. */
  seat({ players, seed }) {
    for (const side of ['circle', 'cross']) {
      const known = players?.[side] === PERSON || this.game.ais.some(({ ai }) => ai === players?.[side]);
      if (known) settings.players[side] = this.sides[side].lastChild.value = players[side];
    }
    if (Number.isSafeInteger(seed) && seed >= 0) settings.seed = this.seed.value = seed;
  }

  /** Copy a link to the position shown. */
  async share() {
    const link = new URL(`#board?board=${this.record.here.board}`, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      this.status.textContent = t('board.copied');
    } catch {
      this.status.textContent = t('board.link', { link }); // Copying may be forbidden.
    }
  }

  // What is shown.

  async render() {
    if (!this.record) return; // Nothing is shown yet; it soon will be.
    const { here } = this.record;
    const after = await children(here);
    const advice = settings.adviser && here.moves.length ? await choices(settings.adviser, here) : null;
    if (here !== this.record.here) return; // Somebody was faster.
    this.renderStatus(here);
    this.renderCells(here, after, advice);
    this.renderReplay();
    this.moves.replaceChildren(...(after.length ? [movesTable(here, after, advice)] : []));
    await this.renderFacts(here);
  }

  renderStatus(here) {
    const what = here.turn ? t(`board.turn.${here.turn}`) : t(`board.status.${here.status}`);
    const verdict = here.turn
      ? ` ${t('board.verdict', { what: t(`board.leads.${here.score}`), distance: here.distance })}` : '';
    this.status.textContent = what + verdict;
    this.status.className = `status ${here.turn ? '' : outcomeClass(here.score)}`;
  }

  renderCells(here, after, advice) {
    for (const [cell, element] of this.cells.entries()) {
      const index = here.moves.indexOf(cell);
      const child = after[index];
      const mark = here.board[cell];
      const hint = child ? hintOf(here, child, advice?.[index]) : '';
      const what = mark === '.' ? [t('board.empty'), child && t(`board.leads.${child.score}`), hint].filter(Boolean).join(', ')
        : t(`board.${mark}`);
      element.setAttribute('aria-label', this.nameOf(cell, what));
      element.setAttribute('aria-disabled', String(!child));
      element.className = ['cell', child && outcomeClass(child.score), here.best.includes(cell) && settings.shown !== 'nothing' && 'best-cell',
        advice?.[index]?.candidate && 'candidate'].filter(Boolean).join(' ');
      element.replaceChildren(...(mark === '.' ? [el('span', { class: 'hint' }, hint)] : [
        svg('svg', { viewBox: '0 0 40 40', 'aria-hidden': 'true' }, drawMark(mark)),
      ]));
    }
  }

  renderReplay() {
    const { at, cells, undone } = this.record;
    const { slider, label, buttons } = this.replay;
    slider.max = cells.length;
    slider.value = at;
    label.textContent = t('board.step', { at, all: cells.length });
    for (const name of ['first', 'previous', 'undo']) buttons[name].disabled = at === 0;
    for (const name of ['next', 'last']) buttons[name].disabled = at === cells.length;
    buttons.redo.disabled = !undone.length;
  }

  async renderFacts(here) {
    const members = (await ofPly(here.ply)).filter((each) => each.class === here.class);
    const { columns } = this.game;
    const line = this.record.start.ply ? null : this.record.cells.slice(0, this.record.at).join(',');
    const fact = (name, value) => [el('dt', {}, t(`board.${name}`)), el('dd', { dataset: { fact: name } }, value)];
    this.facts.replaceChildren(
      el('dl', {},
        fact('number', number(here.position)), fact('class', number(here.class)),
        fact('scores', `${here.score}, ${here.score_sv}, ${here.score_svrd}`),
        fact('random', chances(here)), fact('critical', t(here.critical ? 'board.yes' : 'board.no')),
        fact('nodes', number(here.nodes)), fact('subtree', number(here.subtree)),
        fact('orbit', el('span', { class: 'images' }, members.map((each) => el('a', {
          href: `#board?board=${each.board}`, 'aria-current': each === here ? 'true' : null,
        }, drawBoard(columns, each.board, { size: 44 })))))),
      line === null ? '' : el('a', { href: `#tree${line && `?line=${line}`}` }, t('board.intree')),
    );
  }
}

/** What an empty cell shows of the move that fills it. */
function hintOf(here, child, advice) {
  switch (settings.shown) {
    case 'nothing': return '';
    case 'outcome': return OUTCOME[child.score];
    case 'value': return advice?.value === null || !advice ? '' : String(advice.value);
    default: return String(child[settings.shown]);
  }
}

/** The chances of random play: circle, draw, cross. */
const chances = (position) => ['circle', 'draw', 'cross'].map((side) => percent(position[`random_${side}`])).join(' · ');

/** Every move with what it leads to, in cell order, the best ones marked, blunders of an AI too. */
function movesTable(here, after, advice) {
  const headings = ['move', 'outcome', 'score', 'sv', 'svrd', 'distance', 'loss', 'best'].map((each) => t(`board.${each}`));
  if (advice) headings.push(t('board.value', { ai: settings.adviser }), t('board.candidate'));
  headings.push(t('board.random'));
  const rows = after.map((child, index) => {
    const move = here.moves[index];
    const best = (list) => here[list].includes(move);
    const scored = (column, list) => el('span', { class: best(list) ? 'best' : null }, String(child[column]));
    const row = [
      move, el('span', { class: outcomeClass(child.score) }, OUTCOME[child.score]),
      scored('score', 'best'), scored('score_sv', 'best_sv'), scored('score_svrd', 'best_svrd'),
      child.distance, here.loss[index] || '', best('best') ? el('span', { class: 'best' }, t('board.best')) : '',
    ];
    if (advice) row.push(advice[index].value ?? '', adviceMark(advice[index], best('best')));
    return [...row, el('span', { class: 'chances' }, chances(child))];
  });
  const made = table(t('board.moves'), headings, rows, { class: 'moves' });
  for (const [index, row] of [...made.tBodies[0].rows].entries()) row.dataset.move = here.moves[index];
  return made;
}

function adviceMark(advice, isBest) {
  if (!advice.candidate) return '';
  return isBest ? t('board.yes') : el('span', { class: 'blunder' }, t('board.blunder'));
}
