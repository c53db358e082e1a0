// The animations: how the tree is built and scored, and every traced search, step by step. The
// models are in animation-steps.js; here are the controls, the address, and what happens at a frame.

import { address, go } from './address.js';
import { cellsOf, lineText, readLine } from './cells.js';
import { Clock } from './animation-clock.js';
import { Counter, PlyBars } from './animation-counts.js';
import { Path } from './animation-path.js';
import { load, TREES } from './animation-steps.js';
import './animation-texts.js';
import { WindowLine } from './animation-window.js';
import { searchName, wordsOf } from './animation-words.js';
import { button, choice, el } from './dom.js';
import { BoardPicture } from './drawing.js';
import { number, t } from './i18n.js';

const frames = (window.marubatsuFrames ??= []); // What the last frames cost, for the tests.

let left = null; // Where the animation stood when the language was changed, and whether it played.

/** Make the pane; see main.js. */
export const create = (game) => new AnimationView(game);

class AnimationView {
  constructor(game) {
    this.game = game;
    this.ids = [...Object.keys(TREES), ...game.traces.map(({ search }) => `search-${search}`)];
    Object.assign(this, { id: null, model: null, step: 0, line: [], stops: [], playing: false, asked: 0, writer: 0, written: null });
    this.onkey = (event) => this.key(event);
    this.channel = new MessageChannel(); // Its message comes when the frame is drawn.
    this.channel.port1.onmessage = ({ data }) => noteFrame(performance.now() - data);
    this.clock = new Clock();
    this.element = el('section', { class: 'animation-view' }, this.makeControls(), this.makeStage());
  }

  // Elements that stay.

  makeControls() {
    const move = (name, step) => button(t(`animation.${name}`), () => this.goTo(step()), { 'data-control': name });
    const chooser = choice(t('animation.show'), [], '', (id) => this.open(id, 0, this.line), { 'data-control': 'animation' });
    this.select = chooser.querySelector('select');
    this.select.append(
      el('optgroup', { label: t('animation.trees') }, Object.keys(TREES).map((id) => el('option', { value: id }, t(`animation.${id}`)))),
      el('optgroup', { label: t('animation.searches') }, this.game.traces.map((trace) => el('option', { value: `search-${trace.search}` }, searchName(trace)))),
    );
    this.play = button(t('animation.play'), () => this.toggle(), { 'data-control': 'play', class: 'play' });
    this.slider = el('input', { type: 'range', min: 0, value: 0, 'data-control': 'slider', 'aria-label': t('animation.slider'), oninput: () => this.goTo(Number(this.slider.value)) });
    this.where = el('output', { class: 'where', 'aria-live': 'off' });
    this.told = el('p', { class: 'error', role: 'alert', hidden: true });
    this.waiting = el('p', { role: 'status', hidden: true });
    return el('div', { class: 'controls' },
      chooser,
      el('div', { class: 'row' },
        move('first', () => 0), move('previous', () => this.step - 1), this.play, move('next', () => this.step + 1), move('last', () => Infinity), this.clock.speed),
      el('div', { class: 'slide' }, this.slider, this.where),
      this.makeNode(), this.clock.slow, el('p', { class: 'soft keys' }, t('animation.keys')), this.told, this.waiting);
  }

  makeNode() {
    this.node = el('input', { type: 'text', autocapitalize: 'none', spellcheck: 'false', size: 16, placeholder: t('animation.node.root'), 'data-control': 'line', 'aria-describedby': 'animation-line', onchange: () => this.jump(this.node.value) });
    const jump = (name, find) => button(t(`animation.node.${name}`), () => this.goTo(find() ?? this.step), { 'data-control': name });
    this.earlier = jump('earlier', () => this.stops.findLast((step) => step < this.step));
    this.later = jump('later', () => this.stops.find((step) => step > this.step));
    this.many = el('span', { class: 'soft', id: 'animation-line' });
    return el('div', { class: 'row' }, el('label', { class: 'field' }, el('span', {}, t('animation.node')), this.node), this.earlier, this.later, this.many);
  }

  makeStage() {
    const { columns, rows, plies } = this.game;
    this.board = new BoardPicture(columns, rows, 200);
    this.words = el('p', { class: 'words', role: 'status' });
    this.counts = el('dl', { class: 'counts' });
    this.window = new WindowLine();
    this.bars = new PlyBars(plies);
    this.path = new Path(this.game, (line) => this.choose(line));
    this.stage = el('div', { class: 'columns', hidden: true },
      el('div', {}, el('div', { class: 'now' }, this.board.element, this.words), this.counts, this.window.element, this.bars.element),
      this.path.element);
    return this.stage;
  }

  // What is shown.

  async show() {
    const parameters = address();
    const told = whatIsSaid(parameters);
    document.addEventListener('keydown', this.onkey);
    if (left) {
      await this.goOn();
      return;
    }
    if (this.id && told === this.written) return;
    this.written = told;
    const isSame = !parameters.has('show') || parameters.get('show') === this.id;
    const step = parameters.has('step') ? Number(parameters.get('step')) : isSame ? this.step : 0;
    const line = parameters.has('node') || !isSame ? cellsOf(this.game, parameters.get('node') ?? '') : this.line;
    await this.open(parameters.get('show') ?? this.id ?? this.ids[0], step, line);
  }

  /** Go on in another language, at the same step. */
  async goOn() {
    const { id, step, line, playing } = left;
    left = null;
    await this.open(id, step, line);
    if (playing && this.id === id) this.toggle();
  }

  hide({ returns = false } = {}) {
    const { id, model, step, line, playing } = this;
    left = returns && model ? { id, step, line, playing } : null;
    document.removeEventListener('keydown', this.onkey);
    this.setPlaying(false);
    clearTimeout(this.writer);
    this.writer = 0;
    this.written = null;
  }

  /** Load an animation and stand at a step of it; what goes wrong is said in a sentence. */
  async open(id, step, line) {
    this.setPlaying(false);
    const wanted = this.ids.includes(id) ? id : this.ids[0];
    this.complain('');
    this.id = wanted;
    this.select.value = wanted;
    const progress = (share) => { this.waiting.textContent = t('animation.loading', { share: Math.floor(100 * share) }); };
    const wait = () => { this.waiting.hidden = false; };
    progress(0);
    const timer = setTimeout(wait, this.model ? 150 : 0);
    try {
      const model = await load(wanted, this.game, progress);
      if (this.id === wanted) this.start(model, step, line);
      if (wanted !== id) this.complain(t('animation.unknown', { id }));
    } catch (error) {
      this.complain(error.message);
    } finally {
      clearTimeout(timer);
      this.waiting.hidden = true;
    }
  }

  start(model, step, line) {
    this.model = model;
    this.stage.hidden = false;
    this.slider.max = model.count - 1;
    this.counters = model.counters.map((name) => new Counter(name));
    this.counts.replaceChildren(...this.counters.map(({ element }) => element));
    this.window.start(model.values);
    this.bars.element.hidden = !model.at(0).plies;
    this.path.start(model);
    this.choose(line);
    this.goTo(Number.isFinite(step) ? step : 0);
  }

  complain(sentence) {
    this.told.textContent = sentence;
    this.told.hidden = !sentence;
  }

  /** Choose the node of a line that was typed. */
  jump(typed) {
    this.choose(readLine(this.game, typed)?.map(({ cell }) => cell), typed);
  }

  /** Choose the node of a line, between whose steps one can jump; the root when there is none. */
  choose(line, said = line?.join()) {
    if (!this.model) return;
    const isKnown = line !== undefined && this.model.nodes.knows(line);
    this.complain(isKnown ? '' : t('animation.badline', { line: said }));
    this.line = isKnown ? line : [];
    this.stops = this.model.steps(this.line);
    this.node.value = lineText(this.game, this.line);
    this.many.textContent = t(`animation.node.${this.line.length ? 'cells' : 'atroot'}`, {
      steps: number(this.stops.length),
    });
    this.ask();
  }

  goTo(step) {
    if (!this.model) return;
    this.step = Math.max(0, Math.min(this.model.count - 1, Math.trunc(step)));
    this.ask();
  }

  /** Have the step drawn in the next frame, and the address changed soon. */
  ask() {
    this.asked ||= requestAnimationFrame((time) => this.frame(time));
    this.writer ||= setTimeout(() => this.write(), 400); // Browsers allow few changes a second.
  }

  write() {
    this.writer = 0;
    go({ show: this.id, step: String(this.step), node: lineText(this.game, this.line, '.') }, { replace: true, quiet: true });
    this.written = whatIsSaid(address());
  }

  // Playing.

  toggle() {
    if (!this.model) return;
    this.setPlaying(!this.playing);
    if (!this.playing) return;
    if (this.step === this.model.count - 1) this.step = 0;
    this.clock.start();
    this.ask();
  }

  setPlaying(playing) {
    this.playing = playing;
    this.play.textContent = t(playing ? 'animation.pause' : 'animation.play');
    this.words.setAttribute('aria-live', playing ? 'off' : 'polite');
  }

  frame(time) {
    const began = performance.now();
    this.asked = 0;
    if (this.playing) this.advance(time);
    if (this.drawn !== this.step || !this.playing) {
      this.draw();
      this.channel.port2.postMessage(began);
    }
    if (this.playing) this.ask();
  }

  /** Make the steps that are due. */
  advance(time) {
    const { count } = this.model;
    this.step = Math.min(this.step + this.clock.due(time, count), count - 1);
    if (this.step === count - 1) this.setPlaying(false);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const at = event.target.closest?.('button, a, select, textarea, input');
    if (at && at !== this.slider && !(at.matches('button') && event.key !== ' ')) return;
    const act = {
      ' ': () => this.toggle(), ArrowLeft: () => this.goTo(this.step - 1), ArrowRight: () => this.goTo(this.step + 1),
      Home: () => this.goTo(0), End: () => this.goTo(Infinity),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Draw the step. */
  draw() {
    const { model, step } = this;
    const now = model.at(step);
    const path = model.nodes.path(now.node);
    this.drawn = step;
    this.board.update(model.nodes.record(now.node).board, { marked: path.length > 1 ? [model.nodes.cell[now.node]] : [] });
    say(this.words, wordsOf(this.game, model, now));
    for (const counter of this.counters) counter.update(now.counters[counter.name]);
    if (model.values) this.window.update(now);
    if (now.plies) this.bars.update(now.plies);
    this.path.update(model, step, path, this.line.join());
    this.slider.value = step;
    say(this.where, t('animation.step', { step: number(step), last: number(model.count - 1) }));
    this.earlier.disabled = !(this.stops[0] < step);
    this.later.disabled = !(this.stops.at(-1) > step);
  }
}

/** What an address says of the animation. */
const whatIsSaid = (parameters) => ['show', 'step', 'node'].map((name) => parameters.get(name) ?? '').join();

/** Change a text that screen readers read aloud, only when it says something else. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function noteFrame(cost) {
  frames.push(cost);
  if (frames.length > 1000) frames.shift();
}
