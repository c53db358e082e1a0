// Searches and trees, step by step: a replay, or two that race on one clock. Here are the clock, the
// controls that both share, and the address. What is not played is shown finished.

import { button, el, onKey, setOff } from '../elements/dom.js';
import { address, complaintAbout, go } from '../state/address.js';
import { lineOf } from '../tree/tree-nodes.js';
import { changesOf } from '../tree/tree-words.js';
import { number, t } from '../words/i18n.js';
import { lineText } from '../words/moves.js';
import { Clock, wantsCalm } from './clock.js';
import { Lane } from './lane.js';
import { keyOf, replaysOf } from './search-choice.js';
import './search-texts.js';

const frames = (window.marubatsuFrames ??= []); // What the last frames cost, for the tests.
const drawn = new MessageChannel(); // Its message comes when a frame is drawn.
drawn.port1.onmessage = ({ data }) => {
  frames.push(performance.now() - data);
  if (frames.length > 1000) frames.shift();
};
const SHOWN = ['show', 'beside']; // The names of both replays in the address.
const PARAMETERS = [...SHOWN, 'step', 'rate', 'zoom', 'play']; // Those of the address.
const RACE = ['alphabeta', 'alphabeta.table']; // Shown where the address names none.
const DELAY = 400; // milliseconds until the address is written: browsers allow few changes a second

let left = null; // The replays, the step, whether it played, and the files, when the language was changed.

/** Make the pane; see panes.js. */
export const create = (game) => new SearchPane(game);

class SearchPane {
  constructor(game) {
    this.game = game;
    this.record = null;
    this.asked = null; // The address that it shows, or will show.
    this.cells = []; // The line to the node of the board.
    this.goal = Infinity; // The step to show; a replay with fewer steps shows its last one.
    this.playing = false;
    this.starts = false; // Whether to play as soon as all replays are there.
    this.frameRequest = 0; // The number of the pending one.
    this.writer = 0; // The timer after which the address is written, ...
    this.written = null; // ... and what it says of the replays.
    this.replays = replaysOf(game).map(keyOf);
    this.usual = RACE.every((key) => this.replays.includes(key)) ? RACE : [this.replays[0], null];
    this.onkey = (event) => this.key(event);
    this.clock = new Clock(() => this.goTo(this.step));
    this.lanes = SHOWN.map((_, at) => new Lane(game, {
      opened: () => this.opened(), changed: () => this.write(), look: (view) => this.looked(at, view),
      select: (cells) => go(changesOf(game, cells)),
    }));
    this.lanes[1].more.append(button(t('search.alone'), () => this.close(), { 'data-control': 'alone' }));
    this.lanes[1].map.caption.textContent = ''; // The first one says how to use them.
    this.places = el('div', { class: 'lanes' });
    this.details = el('div', { class: 'details' });
    this.legend = el('ul', { class: 'legend' });
    this.result = el('p', { class: 'result', role: 'status' });
    this.error = el('p', { class: 'error', role: 'alert', hidden: true });
    this.compare = button(t('search.compare'), () => this.addSecond(), { 'data-control': 'compare' });
    this.jumps = this.makeJumps();
    this.element = el('section', { class: 'search-pane' }, this.error, this.result, this.makeControls(), this.places, this.legend, this.compare, this.details, this.jumps);
  }

  makeControls() {
    const move = (name, step) => button(t(`search.${name}`), () => this.goTo(step()), { 'data-control': name });
    this.play = button(t('search.play'), () => this.toggle(), { 'data-control': 'play', class: 'play primary' });
    this.slider = el('input', { type: 'range', min: 0, value: 0, 'data-control': 'slider', 'aria-label': t('search.slider'), oninput: () => this.goTo(Number(this.slider.value)) });
    this.where = el('output', { class: 'where', 'aria-live': 'off' });
    return el('div', { class: 'player' },
      el('div', { class: 'row' }, this.play, el('span', { class: 'steps' },
        move('first', () => 0), move('previous', () => this.step - 1), move('next', () => this.step + 1), move('last', () => Infinity)), this.clock.speed),
      el('div', { class: 'slide' }, this.slider, this.where), this.clock.slow);
  }

  /** The way between the steps at the node of the board, and what the keys do; below all that comes late. */
  makeJumps() {
    const jump = (name, find) => button(t(`search.${name}`), () => this.goTo(find() ?? this.step), { 'data-control': name });
    this.earlier = jump('earlier', () => this.stops.findLast((step) => step < this.step));
    this.later = jump('later', () => this.stops.find((step) => step > this.step));
    this.node = el('span', { class: 'soft node-of-board' });
    return el('div', { class: 'jumps', hidden: true }, el('div', { class: 'row' }, this.node, this.earlier, this.later), el('p', { class: 'soft keys' }, t('search.keys')));
  }

  /** The replays that are shown. */
  get shown() {
    return this.lanes.filter(({ element }) => element.parentElement === this.places);
  }

  /** Whether all of them are loaded. */
  get areThere() {
    return this.shown.every(({ model }) => model);
  }

  get count() {
    return Math.max(1, ...this.shown.map(({ count }) => count));
  }

  get step() {
    return Math.min(this.goal, this.count - 1);
  }

  get stops() {
    return [...new Set(this.shown.flatMap(({ stops }) => stops))].sort((a, b) => a - b);
  }

  // What is shown.

  async show(record, isLatest) {
    this.record = record;
    if (left?.game !== this.game.name) left = null;
    document.addEventListener('keydown', this.onkey);
    const cells = await lineOf(record);
    if (!isLatest()) return;
    this.cells = cells;
    const parameters = readParameters();
    if (parameters === this.written && !left) this.light();
    else await this.open(parameters);
  }

  /** Show what the address says; after a change of the language, go on from where it was. */
  async open(written) {
    const parameters = address();
    const state = left ?? { step: Number(parameters.get('step') ?? Infinity), playing: parameters.get('play') === 'on' && !wantsCalm(), files: [], keys: SHOWN.map((name) => parameters.get(name)) };
    left = null;
    this.setPlaying(false);
    this.written = written;
    state.files.forEach((file, at) => { this.lanes[at].file = file; });
    this.clock.set(parameters.get('rate'));
    const [first, second] = state.keys.some((key) => key !== null) ? state.keys : this.usual;
    this.place(second !== null);
    if (this.usual === RACE && first === RACE[0] && second === RACE[1]) this.announceResult();
    this.goal = state.step >= 0 ? Math.trunc(state.step) : Infinity;
    this.starts = state.playing;
    this.zoomTo(parameters.get('zoom'));
    this.asked = parameters;
    await Promise.all([this.lanes[0].open(first ?? this.replays[0]), second === null || this.lanes[1].open(second)]);
    if (this.asked === parameters) this.complain(parameters);
  }

  /** Say what means nothing of an address that is shown. */
  complain(parameters) {
    const right = new Map(Object.entries({
      step: (value) => Number.isInteger(Number(value)) && value >= 0 && (value < this.count || !this.areThere),
      rate: (value) => value === this.clock.wanted, zoom: (value) => viewIn(value) !== null, play: (value) => value === 'on',
    }));
    this.error.textContent = complaintAbout(parameters, (name, value) => right.get(name)?.(value) === false);
    this.error.hidden = !this.error.textContent;
  }

  /** Show the result of the race in advance, from the data of the game, so that nothing moves later. */
  announceResult() {
    const [more, less] = RACE.map((key) => this.game.traces.find((search) => keyOf(search) === key).entered);
    this.result.textContent = resultOf(less, more);
    this.element.classList.add('mirrors');
  }

  hide({ returns = false } = {}) {
    const { game, goal, playing, lanes } = this;
    left = returns && lanes[0].model ? { game: game.name, step: goal, playing, files: lanes.map(({ file }) => file), keys: lanes.map((lane) => (this.shown.includes(lane) ? lane.key : null)) } : null;
    document.removeEventListener('keydown', this.onkey);
    this.setPlaying(false);
    clearTimeout(this.writer);
    for (const { answer } of lanes) answer.drop();
    Object.assign(this, { record: null, writer: 0, written: null, starts: false });
  }

  /** Show the second replay next to the first one, or remove it. */
  place(hasSecond) {
    const lanes = this.lanes.slice(0, hasSecond ? 2 : 1);
    this.places.replaceChildren(...lanes.map(({ element }) => element));
    this.details.replaceChildren(...lanes.map(({ detail }) => detail));
    this.compare.hidden = hasSecond;
  }

  /** Show another replay next to the first one: the usual one, if that is not there already. */
  async addSecond() {
    const [first, second] = this.lanes;
    second.file = first.file;
    this.place(true);
    await second.take(second.key ?? this.replays.find((key) => key !== first.key));
    const options = second.element.querySelector('.choose');
    options.setAttribute('open', '');
    options.querySelector('[data-control="algorithm"]').focus();
  }

  close() {
    this.place(false);
    this.opened();
    this.write();
    this.compare.focus();
  }

  /** Another replay is there. */
  opened() {
    this.slider.max = String(this.count - 1);
    this.light();
    const states = new Set(this.shown.flatMap((lane) => lane.states));
    this.legend.replaceChildren(...[...states].map((state) => el('li', {}, el('span', { class: 'swatch', 'data-state': state }), t(`search.state.${state}`))));
    if (this.areThere) {
      this.result.textContent = sentenceOf(this.shown);
      this.element.classList.toggle('mirrors', this.lanes[0].model.root === this.lanes[1].model?.root);
      this.aimAt(this.goal);
    }
    this.jumps.hidden = false;
    this.draw(); // At once: empty counters would be painted, and grow.
    this.writeSoon();
    if (!this.starts || !this.areThere) return;
    this.starts = false;
    this.toggle();
  }

  /** Light the line of the board on each map. */
  light() {
    for (const lane of this.shown) lane.light(this.cells, this.record);
    const line = lineText(this.game, this.cells) || t('icicle.root');
    this.node.textContent = t('search.node', { line, steps: number(this.stops.length) });
    this.showJumps();
  }

  showJumps() {
    const { stops } = this;
    setOff(this.earlier, !(stops[0] < this.step));
    setOff(this.later, !(stops.at(-1) > this.step));
  }

  /** Maps of the same tree show the same part of it. */
  looked(at, view) {
    for (const { map, model } of this.shown) if (model?.root === this.lanes[at].model?.root) map.mirror(view);
    this.writeSoon();
  }

  zoomTo(text) {
    const view = viewIn(text ?? '0-1');
    if (view) this.lanes[0].map.look(...view);
  }

  goTo(step) {
    this.aimAt(Math.max(0, Math.trunc(step)));
    if (this.playing) this.clock.start(this.step, this.count);
    this.ask();
    this.writeSoon();
  }

  /** The last step of all is the end, also of a replay that comes later. */
  aimAt(step) {
    this.goal = step < this.count - 1 ? step : Infinity;
  }

  /** Have the step drawn in the next frame. */
  ask() {
    this.frameRequest ||= requestAnimationFrame((time) => this.frame(time));
  }

  writeSoon() {
    this.writer ||= setTimeout(() => this.write(), DELAY);
  }

  write() {
    clearTimeout(this.writer);
    this.writer = 0;
    if (!this.element.isConnected) return; // Another pane is shown by now.
    const [first, second] = this.lanes;
    const [from, to] = first.map.view;
    const isWhole = from === 0 && to === 1;
    go({
      show: first.key, beside: this.shown.length > 1 ? second.key : null, step: this.goal === Infinity ? null : String(this.goal),
      play: null, rate: this.clock.parameter, zoom: isWhole ? null : `${Number(from.toFixed(7))}-${Number(to.toFixed(7))}`,
    }, { replace: true, quiet: true });
    this.written = readParameters();
  }

  // Playing.

  toggle() {
    this.setPlaying(!this.playing);
    if (!this.playing) return;
    this.goTo(this.step === this.count - 1 ? 0 : this.step);
  }

  setPlaying(playing) {
    this.playing = playing;
    this.play.textContent = t(playing ? 'search.pause' : 'search.play');
    this.play.dataset.playing = String(playing);
    for (const { words } of this.lanes) words.setAttribute('aria-live', playing ? 'off' : 'polite');
  }

  frame(time) {
    const began = performance.now();
    this.frameRequest = 0;
    if (this.playing) this.advance(time);
    this.draw();
    drawn.port2.postMessage(began);
    if (this.playing) this.ask();
  }

  /** Make the steps that are due. */
  advance(time) {
    this.aimAt(this.step + this.clock.due(time, this.step, this.count));
    this.writeSoon();
    if (this.goal === Infinity) this.setPlaying(false);
  }

  draw() {
    for (const lane of this.shown) lane.show(this.step);
    this.slider.value = this.step;
    const where = t('search.step', { step: number(this.step), last: number(this.count - 1) });
    if (this.where.textContent !== where) this.where.textContent = where;
    this.showJumps();
  }

  key(event) {
    if (event.defaultPrevented) return;
    const at = event.target.closest?.('button, select, textarea, input, summary');
    if (at && at !== this.slider && !(at.matches('button, summary') && event.key !== ' ')) return;
    onKey(event, {
      ' ': () => this.toggle(), ArrowLeft: () => this.goTo(this.step - 1), ArrowRight: () => this.goTo(this.step + 1),
      Home: () => this.goTo(0), End: () => this.goTo(Infinity),
    });
  }

  /** Read a trace that was dropped: onto a replay, or anywhere for the first one. */
  async take(file, target) {
    const lane = this.shown.find(({ element }) => element.contains(target)) ?? this.lanes[0];
    await lane.read(file);
  }
}

/** The part of the map that a text of the address names, or null. */
function viewIn(text) {
  const [from, to, ...others] = text.split('-').map(Number);
  return from >= 0 && from < to && to <= 1 && !others.length ? [from, to] : null;
}

/** What the address says of the replays. */
function readParameters() {
  const parameters = address();
  return PARAMETERS.map((name) => parameters.get(name)).join();
}

/** What a search that ends with the score of another saves against it; nothing where they cannot be compared. */
function sentenceOf(lanes) {
  const ends = lanes.map(({ model }) => model?.at(model.count - 1));
  if (ends.length < 2 || !lanes.every(({ model }) => model?.counters.includes('visited')) || ends[0].score !== ends[1].score) return '';
  const [less, more] = ends.map(({ counters: [visited] }) => visited).sort((one, other) => one - other);
  return less === more ? '' : resultOf(less, more);
}

const resultOf = (less, more) => t('search.result', { less: number(less), more: number(more), times: number(Number((more / less).toPrecision(2))) });
