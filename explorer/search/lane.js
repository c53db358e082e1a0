// One replay: its options, its counters, its map; and apart from these the step in words and the
// algorithm. Two of them race on one clock.

import { button, el, fileInput } from '../elements/dom.js';
import { BoardPicture } from '../elements/drawing.js';
import { Latest } from '../elements/latest.js';
import { allRecords } from '../tree/icicle.js';
import { lineTo } from '../tree/tree-nodes.js';
import { number, t } from '../words/i18n.js';
import { Code } from './pseudo-code.js';
import { Choices, keyOf, nameOf, replaysOf } from './search-choice.js';
import { readTrace } from './search-file.js';
import { SearchMap } from './search-map.js';
import { SearchSteps, TREES, treeSteps } from './search-steps.js';
import { wordsOf } from './search-texts.js';

/** What the address says of a search from a file. */
const FILE = 'file';

const STATES = {
  'building-bfs': ['created', 'later'], 'building-dfs': ['created', 'later'], scoring: ['won', 'drawn', 'lost', 'created'],
};
const SEARCHED = ['open', 'won', 'drawn', 'lost', 'cut', 'known', 'later'];

export class Lane {
  /**
   * `opened()` is called when a replay is there, `changed()` when the reader has selected or read another
   * one, `select(cells)` when the reader chooses a node, `look(view)` when another part of the map is shown.
   */
  constructor(game, { opened, changed, select, look }) {
    this.game = game;
    this.opened = opened;
    this.changed = changed;
    this.key = null; // What the address calls the replay requested last.
    this.search = null; // The one that is there.
    this.model = null;
    this.file = null; // { trace, root } of the reader.
    this.step = null;
    this.stops = []; // The steps at the node of the board.
    this.replays = replaysOf(game);
    this.choices = new Choices(this.replays, (search) => this.take(keyOf(search)));
    this.map = new SearchMap(game, async (cells) => select([...await lineTo(game, this.model.root), ...cells]), look);
    this.board = new BoardPicture(game.columns, game.rows, 120);
    this.words = el('p', { class: 'words', role: 'status' });
    this.counts = el('dl', { class: 'counts' });
    this.code = new Code();
    this.error = el('p', { class: 'error', role: 'alert', hidden: true });
    this.names = [el('h2'), el('h2')]; // Above the map, and above the words.
    const options = el('details', { class: 'choose' }, el('summary', {}, t('search.choose')), el('div', { class: 'row' }, this.choices.element, this.makeFile()));
    const stage = el('div', { class: 'stage' }, el('div', { class: 'head' }, this.names[0], this.counts), this.map.element);
    this.answer = new Latest(stage, { keeps: true });
    this.element = el('section', { class: 'lane' }, stage, options, this.error);
    this.detail = el('section', { class: 'detail', hidden: true }, this.names[1],
      el('div', { class: 'now' }, el('span', { 'aria-hidden': 'true' }, this.board.element), this.words), this.code.element);
  }

  makeFile() {
    const input = fileInput('.json,application/json', (file) => this.read(file), { hidden: true, 'data-control': 'trace' });
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
    await this.take(FILE);
  }

  /** Show the replay with a key, or else the first one. */
  async open(key) {
    const search = this.searchOf(key);
    this.complain(search ? '' : t(key === FILE ? 'search.file.again' : 'search.unknown', { key }));
    const wanted = search ?? this.replays[0];
    this.key = wanted === this.file?.trace ? FILE : keyOf(wanted);
    await this.answer.take(async () => {
      const records = await allRecords(this.game);
      return [records, wanted === this.search ? this.model : await this.modelOf(wanted, records)];
    }, ([records, model]) => {
      if (model !== this.model) this.start(wanted, records, model);
      this.opened();
    });
  }

  searchOf(key) {
    return key === FILE ? this.file?.trace : this.replays.find((each) => keyOf(each) === key);
  }

  async modelOf(search, records) {
    if (search === this.file?.trace) return new SearchSteps(records, this.file.root, search);
    if (TREES.includes(search.algorithm)) return treeSteps(this.game, search.algorithm, records);
    return new SearchSteps(records, records[0], await this.game.document(`traces/${search.search}.json`));
  }

  start(search, records, model) {
    this.search = search;
    this.model = model;
    this.detail.hidden = false;
    this.element.setAttribute('aria-label', nameOf(search));
    for (const name of this.names) name.textContent = nameOf(search);
    this.choices.update(search);
    this.counters = model.counters.map((name) => el('dd', { 'data-counter': name }));
    this.counts.replaceChildren(...model.counters.map((name, index) => el('div', {}, el('dt', {}, t(`search.counter.${name}`)), this.counters[index])));
    this.map.start(records, model);
    this.code.start(model, search);
    this.step = null;
  }

  /** The states that the map may show. */
  get states() {
    const algorithm = this.search?.algorithm;
    return Object.hasOwn(STATES, algorithm) ? STATES[algorithm] : SEARCHED;
  }

  complain(sentence) {
    this.error.textContent = sentence;
    this.error.hidden = !sentence;
  }

  // The line of the board, and lines of the map: they differ where a search starts at another position.

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
  show(goal) {
    if (!this.model) return;
    const step = Math.min(goal, this.count - 1);
    const { model } = this;
    if (step === this.step) return;
    this.step = step;
    const now = model.at(step);
    this.map.show(step);
    this.code.update(step);
    this.element.classList.toggle('done', step === this.count - 1);
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
