// One replay: what is chosen, its map, the step in words, its counters and its algorithm. Two of them
// stand side by side on one clock.

import { button, el } from '../elements/dom.js';
import { BoardPicture } from '../elements/drawing.js';
import { allRecords } from '../tree/icicle.js';
import { lineTo } from '../tree/tree-nodes.js';
import { number, t } from '../words/i18n.js';
import { Code } from './pseudo-code.js';
import { Choices, keyOf, nameOf, replaysOf } from './search-choice.js';
import { readTrace } from './search-file.js';
import { SearchMap } from './search-map.js';
import { SearchSteps, TREES, treeSteps } from './search-steps.js';
import { wordsOf } from './search-words.js';

/** What the address says of a search from a file. */
const FILE = 'file';

const STATES = {
  'building-bfs': ['created', 'later'], 'building-dfs': ['created', 'later'], scoring: ['won', 'drawn', 'lost', 'created'],
};
const SEARCHED = ['open', 'won', 'drawn', 'lost', 'cut', 'known', 'later'];

export class Lane {
  /**
   * `changed()` is called when another replay is chosen or read, `select(cells)` when the reader chooses
   * a node, `look(view)` when another part of the map is shown.
   */
  constructor(game, { changed, select, look }) {
    this.game = game;
    this.changed = changed;
    this.key = null; // What the address calls the replay.
    this.model = null;
    this.file = null; // { trace, root } of the reader.
    this.step = null;
    this.stops = []; // The steps at the node of the board.
    this.opens = 0; // Counts what was asked for, to drop what is late.
    this.replays = replaysOf(game);
    this.choices = new Choices(this.replays, (search) => this.take(keyOf(search)));
    this.map = new SearchMap(game, (cells) => this.lineAfter(cells).then(select), look);
    this.board = new BoardPicture(game.columns, game.rows, 120);
    this.words = el('p', { class: 'words', role: 'status' });
    this.counts = el('dl', { class: 'counts' });
    this.legend = el('ul', { class: 'legend' });
    this.code = new Code();
    this.told = el('p', { class: 'error', role: 'alert', hidden: true });
    this.waiting = el('p', { role: 'status', hidden: true });
    this.stage = el('div', { class: 'stage', hidden: true }, this.map.element,
      el('div', { class: 'below' }, el('div', {}, el('div', { class: 'now' }, el('span', { 'aria-hidden': 'true' }, this.board.element), this.words), this.counts), this.code.element), this.legend);
    const head = el('div', { class: 'head' }, el('div', { class: 'row' }, this.choices.element, this.makeFile()), this.told, this.waiting);
    this.element = el('section', { class: 'lane' }, head, this.stage);
  }

  makeFile() {
    const input = el('input', { type: 'file', accept: '.json,application/json', hidden: true, 'data-control': 'trace', onchange: async () => {
      const [file] = input.files;
      if (file) await this.read(file);
      input.value = ''; // So that the same file can be chosen again.
    } });
    this.more = el('div', { class: 'row' }, button(t('search.file'), () => input.click(), { 'data-control': 'open', title: t('search.file.hint') }), input);
    return this.more;
  }

  /** Show another replay, and say so. */
  async take(key) {
    await this.open(key);
    this.changed();
  }

  /** Read a trace from a file, and show it. */
  async read(file) {
    try {
      this.file = await readTrace(this.game, file);
    } catch (error) {
      this.complain(error.message);
      return;
    }
    this.key = null;
    await this.take(FILE);
  }

  /** Show the replay with a key; what goes wrong is said in a sentence. */
  async open(key) {
    if (key === this.key && this.model) return;
    const mine = ++this.opens;
    const search = this.searchOf(key);
    this.complain(search ? '' : t(key === FILE ? 'search.file.again' : 'search.unknown', { key }));
    const wanted = search ?? this.replays[0];
    const progress = (share) => { this.waiting.textContent = t('search.loading', { share: Math.floor(100 * share) }); };
    progress(0);
    const timer = setTimeout(() => { this.waiting.hidden = false; }, this.model ? 150 : 0);
    try {
      const records = await allRecords(this.game);
      const model = await this.modelOf(wanted, records, progress);
      if (mine === this.opens) this.start(keyOf(wanted), wanted, records, model);
    } catch (error) {
      if (mine === this.opens) this.complain(error.message);
    } finally {
      clearTimeout(timer);
      if (mine === this.opens) this.waiting.hidden = true;
    }
  }

  searchOf(key) {
    return key === FILE ? this.file?.trace : this.replays.find((each) => keyOf(each) === key);
  }

  async modelOf(search, records, progress) {
    if (search === this.file?.trace) return new SearchSteps(records, this.file.root, search);
    if (TREES.includes(search.algorithm)) return treeSteps(this.game, search.algorithm, records, progress);
    return new SearchSteps(records, records[0], await this.game.document(`traces/${search.search}.json`));
  }

  start(key, search, records, model) {
    this.key = search === this.file?.trace ? FILE : key;
    this.model = model;
    this.stage.hidden = false;
    this.element.setAttribute('aria-label', nameOf(search));
    this.choices.update(search);
    this.counters = model.counters.map((name) => el('dd', { 'data-counter': name }));
    this.counts.replaceChildren(...model.counters.map((name, index) => el('div', {}, el('dt', {}, t(`search.counter.${name}`)), this.counters[index])));
    this.legend.replaceChildren(...(Object.hasOwn(STATES, search.algorithm) ? STATES[search.algorithm] : SEARCHED).map((state) =>
      el('li', {}, el('span', { class: 'swatch', 'data-state': state }), t(`search.legend.${state}`))));
    this.map.start(records, model);
    this.code.start(model, search);
    this.step = null;
  }

  complain(sentence) {
    this.told.textContent = sentence;
    this.told.hidden = !sentence;
  }

  // The line of the board, and lines of the map: they differ where a search starts at another position.

  /** The line from the empty board to a node of the map. */
  async lineAfter(cells) {
    return [...await lineTo(this.game, this.model.root), ...cells];
  }

  /** Light the line of the board, if it comes by the root of the map. */
  light(cells, { path }) {
    if (!this.model) return;
    const { root } = this.model;
    const isHere = cells.length >= root.ply && (root.ply === 0 || path.some(({ board }) => board === root.board));
    this.map.line = isHere ? cells.slice(root.ply) : [];
    this.stops = isHere ? this.model.stepsOf(this.map.line) : [];
    this.map.ask();
  }

  // Steps.

  get count() {
    return this.model?.count ?? 0;
  }

  /** Show a step, or the last one where there are fewer. */
  show(asked) {
    if (!this.model) return;
    const step = Math.min(asked, this.count - 1);
    const { model } = this;
    if (step === this.step) return;
    this.step = step;
    const now = model.at(step);
    this.map.show(step);
    this.code.update(step);
    this.board.update(model.nodes.record(now.node).board, { marked: model.nodes.ply[now.node] ? [model.nodes.cell[now.node]] : [] });
    const words = wordsOf(this.game, model, now);
    if (this.words.textContent !== words) this.words.textContent = words;
    now.counters.forEach((count, index) => {
      const place = this.counters[index];
      if (place.dataset.value === String(count)) return;
      place.dataset.value = count;
      place.textContent = number(count);
    });
  }
}
