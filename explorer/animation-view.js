// The animations: how the tree is built and scored, and every traced search, step by step. The
// models are in animation-steps.js; here are the elements, which stay and are updated, and the clock.

import { button, choice, el, svg } from './dom.js';
import { drawBoard } from './drawing.js';
import { load, TREES } from './animation-steps.js';
import { addTexts, number, t } from './i18n.js';

addTexts({
  en: {
    'animation.show': 'Animation', 'animation.trees': 'The full tree', 'animation.searches': 'Searches from the empty board',
    'animation.building-bfs': 'Building the tree, breadth first', 'animation.building-dfs': 'Building the tree, depth first',
    'animation.scoring': 'Scoring the tree, from the last node back to the root',
    'animation.alphabeta': 'Alpha-beta', 'animation.scout': 'Scout', 'animation.mtdf': 'MTD(f)',
    'animation.nullwindow': 'Null window', 'animation.depth_limited': 'Depth-limited',
    'animation.with.ordering': 'moves ordered by {value}', 'animation.with.order_all': 'at every node', 'animation.with.shortest_victory': 'shortest win scores more',
    'animation.with.init_window': 'root window', 'animation.with.use_table': 'table', 'animation.with.seed': 'seed {value}',
    'animation.with.max_depth': 'depth {value}', 'animation.with.evaluation': 'evaluated by {value}', 'animation.plain': 'plain',
    'animation.counts': '{entered} nodes, {events} events', 'animation.comma': ', ',
    'animation.play': 'Play', 'animation.pause': 'Pause', 'animation.first': 'First', 'animation.previous': 'Back', 'animation.next': 'Forward', 'animation.last': 'Last',
    'animation.speed': 'Speed', 'animation.rate': '{value} a second', 'animation.rate.1': '1 a second', 'animation.fastest': 'as fast as possible',
    'animation.slow': 'Your system asks for little motion: play makes at most {value} steps a second.',
    'animation.step': 'Step {step} of {last}', 'animation.slider': 'Step',
    'animation.keys': 'Keys: Space plays, ← → step, Home and End jump. Choose a small board, then jump between its steps.',
    'animation.loading': 'Loading … {share} %', 'animation.unknown': 'There is no animation {id}.', 'animation.badline': 'There is no line {line}.',
    'animation.node': 'Node (cells played)', 'animation.node.root': 'root', 'animation.node.earlier': 'Its step before', 'animation.node.later': 'Its next step',
    'animation.node.steps': 'steps here: {steps}', 'animation.path': 'The path and its branches', 'animation.ply': 'ply {ply}',
    'animation.slot': 'Line {line}, board {board}: {state}', 'animation.slot.score': ', score {score}',
    'animation.state.done': 'visited', 'animation.state.now': 'being visited', 'animation.state.cut': 'cut (pruned)', 'animation.state.later': 'not visited (yet)',
    'animation.create.done': 'created', 'animation.create.now': 'on the path', 'animation.create.later': 'not created yet',
    'animation.score.done': 'scored', 'animation.score.now': 'on the path', 'animation.score.later': 'not scored yet',
    'animation.counter.visited': 'nodes visited', 'animation.counter.hits': 'answered by the table', 'animation.counter.cuts': 'cuts', 'animation.counter.pruned': 'moves pruned',
    'animation.counter.created': 'nodes created in all', 'animation.counter.moved': 'of them made by a move', 'animation.counter.scored': 'nodes scored',
    'animation.plies': 'By ply', 'animation.of': '{some} of {all}', 'animation.window': 'Window and score', 'animation.scoreis': 'score {score}',
    'animation.circle': 'Circle', 'animation.cross': 'Cross', 'animation.over.circle': 'circle has won', 'animation.over.cross': 'cross has won', 'animation.over.draw': 'a draw',
    'animation.played': '{who} plays cell {cell}', 'animation.start': 'the root, the empty board',
    'animation.words.enter': 'Enter: {move}. Window {alpha} to {beta}.', 'animation.words.leave': 'Leave with score {score}.',
    'animation.words.hit': 'The transposition table answers: score {score}.', 'animation.words.cut': 'Cut: score {score} reaches an end of the window {alpha} to {beta}; moves pruned: {skipped}.',
    'animation.words.create': 'Create: {move}.', 'animation.words.over': '{words} The game is over: {over}.',
    'animation.words.score': 'Score {score}.', 'animation.words.score.circle': 'Circle to move: the greatest score of the children is {score}.', 'animation.words.score.cross': 'Cross to move: the least score of the children is {score}.',
  },
  ja: {
    'animation.show': 'アニメーション', 'animation.trees': 'ゲーム木の全体', 'animation.searches': '空の盤からの探索',
    'animation.building-bfs': '木の作成（幅優先）', 'animation.building-dfs': '木の作成（深さ優先）',
    'animation.scoring': '評価値の計算（最後のノードから根へ）',
    'animation.alphabeta': 'αβ法', 'animation.scout': 'スカウト法', 'animation.mtdf': 'MTD(f) 法',
    'animation.nullwindow': 'null window 探索', 'animation.depth_limited': '深さ制限探索',
    'animation.with.ordering': '{value} による順序付け', 'animation.with.order_all': '全ノードで順序付け', 'animation.with.shortest_victory': '最短の勝利を優先',
    'animation.with.init_window': '根の窓を設定', 'animation.with.use_table': '置換表あり', 'animation.with.seed': '乱数の種 {value}',
    'animation.with.max_depth': '深さ {value}', 'animation.with.evaluation': '静的評価 {value}', 'animation.plain': '設定なし',
    'animation.counts': '{entered} ノード、{events} 手順', 'animation.comma': '、',
    'animation.play': '再生', 'animation.pause': '一時停止', 'animation.first': '最初', 'animation.previous': '戻る', 'animation.next': '進む', 'animation.last': '最後',
    'animation.speed': '速さ', 'animation.rate': '毎秒 {value} 手順', 'animation.rate.1': '毎秒 1 手順', 'animation.fastest': 'できるだけ速く',
    'animation.slow': '動きを減らす設定のため、再生は毎秒 {value} 手順までです。',
    'animation.step': '手順 {step} / {last}', 'animation.slider': '手順',
    'animation.keys': 'キー操作：Space で再生、← → で 1 手順、Home と End で両端へ。小さな盤を選ぶと、そのノードの手順に移動できます。',
    'animation.loading': '読み込み中… {share} %', 'animation.unknown': '{id} というアニメーションはありません。', 'animation.badline': '{line} という手順の局面はありません。',
    'animation.node': 'ノード（着手したマス）', 'animation.node.root': '根', 'animation.node.earlier': 'このノードの前の手順', 'animation.node.later': 'このノードの次の手順',
    'animation.node.steps': 'このノードの手順数：{steps}', 'animation.path': '根からの経路と枝', 'animation.ply': '{ply} 手目',
    'animation.slot': '着手 {line}、盤 {board}：{state}', 'animation.slot.score': '、評価値 {score}',
    'animation.state.done': '訪問済み', 'animation.state.now': '訪問中', 'animation.state.cut': '枝刈り', 'animation.state.later': '未訪問',
    'animation.create.done': '作成済み', 'animation.create.now': '経路上', 'animation.create.later': '未作成',
    'animation.score.done': '計算済み', 'animation.score.now': '経路上', 'animation.score.later': '未計算',
    'animation.counter.visited': '訪問したノード', 'animation.counter.hits': '置換表で済んだノード', 'animation.counter.cuts': '枝刈りの回数', 'animation.counter.pruned': '枝刈りした着手',
    'animation.counter.created': '作成したノードの総数', 'animation.counter.moved': 'うち着手で作成', 'animation.counter.scored': '評価値が決まったノード',
    'animation.plies': '手数別', 'animation.of': '{some} / {all}', 'animation.window': '窓と評価値', 'animation.scoreis': '評価値 {score}',
    'animation.circle': '〇', 'animation.cross': '×', 'animation.over.circle': '〇の勝ち', 'animation.over.cross': '×の勝ち', 'animation.over.draw': '引き分け',
    'animation.played': '{who}がマス {cell} に着手', 'animation.start': '根（空の盤）',
    'animation.words.enter': '訪問：{move}。窓は {alpha} から {beta}。', 'animation.words.leave': '評価値 {score} で戻る。',
    'animation.words.hit': '置換表に登録済み：評価値 {score}。', 'animation.words.cut': '枝刈り：評価値 {score} が窓（{alpha} から {beta}）の端に達したので、残りの {skipped} 手を省く。',
    'animation.words.create': '作成：{move}。', 'animation.words.over': '{words}決着：{over}。',
    'animation.words.score': '評価値は {score}。', 'animation.words.score.circle': '〇の手番：子の評価値の最大値は {score}。', 'animation.words.score.cross': '×の手番：子の評価値の最小値は {score}。',
  },
});

const RATES = [1, 2, 3, 5, 10, 30, 60, 300, 1000, 5000, 25000]; // steps a second
const FASTEST = 'fastest'; // The whole animation in a fixed number of frames.
const FRAMES = 120;
const CALM = 3; // steps a second when little motion is asked for
const OPTIONS = ['ordering', 'order_all', 'shortest_victory', 'init_window', 'use_table', 'seed', 'max_depth', 'evaluation'];
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const frames = (window.marubatsuFrames ??= []);
const chosen = { rate: '10' }; // Kept when the language changes.

/** Make the view; see main.js. */
export const create = (game, go) => new AnimationView(game, go);

class AnimationView {
  constructor(game, go) {
    this.game = game;
    this.go = go;
    this.ids = [...Object.keys(TREES), ...game.traces.map(({ search }) => `search-${search}`)];
    Object.assign(this, { id: null, model: null, step: 0, line: [], stops: [], playing: false, asked: 0, writer: 0, written: null });
    this.onkey = (event) => this.key(event);
    this.channel = new MessageChannel(); // Its message comes when the frame is drawn.
    this.channel.port1.onmessage = ({ data }) => noteFrame(performance.now() - data);
    this.element = el('section', { class: 'animation-view' }, this.makeControls(), this.makeStage());
    calm.addEventListener('change', () => this.showSpeed());
    this.showSpeed();
  }

  // Elements that stay.

  makeControls() {
    const move = (name, step) => button(t(`animation.${name}`), () => this.goTo(step()), { 'data-control': name });
    this.select = choice(t('animation.show'), [], '', (id) => this.open(id, 0, this.line), { 'data-control': 'animation' });
    this.select.lastChild.append(
      el('optgroup', { label: t('animation.trees') }, Object.keys(TREES).map((id) => el('option', { value: id }, t(`animation.${id}`)))),
      el('optgroup', { label: t('animation.searches') }, this.game.traces.map((trace) => el('option', { value: `search-${trace.search}` }, searchName(trace)))),
    );
    this.play = button(t('animation.play'), () => this.toggle(), { 'data-control': 'play', class: 'play' });
    const rates = [...RATES.map((rate) => [String(rate), rate === 1 ? t('animation.rate.1') : t('animation.rate', { value: number(rate) })]), [FASTEST, t('animation.fastest')]];
    this.speed = choice(t('animation.speed'), rates, chosen.rate, (rate) => { chosen.rate = rate; }, { 'data-control': 'speed' });
    this.slider = el('input', { type: 'range', min: 0, value: 0, 'data-control': 'slider', 'aria-label': t('animation.slider'), oninput: () => this.goTo(Number(this.slider.value)) });
    this.where = el('output', { class: 'where' });
    this.slow = el('p', { class: 'soft' }, t('animation.slow', { value: CALM }));
    this.told = el('p', { class: 'error', role: 'alert', hidden: true });
    this.waiting = el('p', { role: 'status', hidden: true });
    return el('div', { class: 'controls' },
      this.select,
      el('div', { class: 'row' },
        move('first', () => 0), move('previous', () => this.step - 1), this.play, move('next', () => this.step + 1), move('last', () => Infinity), this.speed),
      el('div', { class: 'slide' }, this.slider, this.where),
      this.makeNode(), this.slow, el('p', { class: 'soft keys' }, t('animation.keys')), this.told, this.waiting);
  }

  makeNode() {
    this.node = el('input', { type: 'text', inputmode: 'numeric', size: 16, placeholder: t('animation.node.root'), 'data-control': 'line', onchange: () => this.choose(readLine(this.node.value)) });
    const jump = (name, find) => button(t(`animation.node.${name}`), () => this.goTo(find() ?? this.step), { 'data-control': name });
    this.earlier = jump('earlier', () => this.stops.findLast((step) => step < this.step));
    this.later = jump('later', () => this.stops.find((step) => step > this.step));
    this.many = el('span', { class: 'soft' });
    return el('div', { class: 'row' }, el('label', { class: 'field' }, el('span', {}, t('animation.node')), this.node), this.earlier, this.later, this.many);
  }

  makeStage() {
    const { columns, rows, plies } = this.game;
    this.board = new Board(columns, rows, 200);
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

  async show(parameters) {
    document.addEventListener('keydown', this.onkey);
    if (this.id && parameters.toString() === this.written) return;
    const same = !parameters.has('show') || parameters.get('show') === this.id;
    const step = parameters.has('step') ? Number(parameters.get('step')) : same ? this.step : 0;
    const line = parameters.has('line') || !same ? readLine(parameters.get('line') ?? '') : this.line;
    await this.open(parameters.get('show') ?? this.id ?? this.ids[0], step, line);
  }

  hide() {
    document.removeEventListener('keydown', this.onkey);
    this.pause();
    clearTimeout(this.writer);
    this.writer = 0;
    this.written = null;
  }

  /** Load an animation and stand at a step of it; what goes wrong is said in a sentence. */
  async open(id, step, line) {
    this.pause();
    this.complain('');
    if (!this.ids.includes(id)) this.complain(t('animation.unknown', { id }));
    const wanted = this.ids.includes(id) ? id : this.ids[0];
    this.id = wanted;
    this.select.lastChild.value = wanted;
    const progress = (share) => { this.waiting.textContent = t('animation.loading', { share: Math.floor(100 * share) }); };
    progress(0);
    if (!this.model) this.waiting.hidden = false;
    const timer = setTimeout(() => { this.waiting.hidden = false; }, 150);
    try {
      const model = await load(wanted, this.game, progress);
      if (this.id === wanted) this.start(model, step, line);
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
    this.slider.step = 1;
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

  /** Choose the node of a line, between whose steps one can jump. */
  choose(line) {
    const stops = this.model.steps(line);
    const known = stops.length || !line.length || isLine(this.model.nodes.record(0), line, this.model.nodes.records);
    if (!known) this.complain(t('animation.badline', { line: line.join() }));
    else this.complain('');
    this.line = known ? line : [];
    this.stops = known ? [...stops] : [...this.model.steps([])];
    this.node.value = this.line.join();
    this.many.textContent = t('animation.node.steps', { steps: number(this.stops.length) });
    this.ask();
  }

  goTo(step) {
    if (!this.model) return;
    this.step = Math.max(0, Math.min(this.model.count - 1, Math.trunc(step)));
    if (!Number.isFinite(this.step)) this.step = step > 0 ? this.model.count - 1 : 0;
    this.ask();
  }

  /** Have the step drawn in the next frame, and the address changed soon. */
  ask() {
    this.asked ||= requestAnimationFrame((time) => this.frame(time));
    this.writer ||= setTimeout(() => this.write(), 400); // Browsers allow few changes a second.
  }

  write() {
    this.writer = 0;
    const parameters = { show: this.id, step: this.step, ...(this.line.length && { line: this.line.join() }) };
    this.written = new URLSearchParams(parameters).toString();
    this.go('animation', parameters, { replace: true });
  }

  // The clock.

  toggle() {
    if (this.playing) return this.pause();
    if (!this.model) return undefined;
    if (this.step === this.model.count - 1) this.step = 0;
    this.playing = true;
    this.owed = 1; // The first step is made at once.
    this.before = null;
    this.showPlaying();
    return this.ask();
  }

  pause() {
    this.playing = false;
    this.showPlaying();
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
    const elapsed = Math.min(time - (this.before ?? time), 250) / 1000;
    this.before = time;
    const rate = chosen.rate === FASTEST ? (60 * this.model.count) / FRAMES : Number(chosen.rate);
    this.owed += elapsed * (calm.matches ? Math.min(rate, CALM) : rate);
    const due = calm.matches ? Math.min(1, Math.floor(this.owed)) : Math.floor(this.owed);
    this.owed -= due;
    this.step = Math.min(this.step + due, this.model.count - 1);
    if (this.step === this.model.count - 1) this.pause();
  }

  showPlaying() {
    this.play.textContent = t(this.playing ? 'animation.pause' : 'animation.play');
    this.words?.setAttribute('aria-live', this.playing ? 'off' : 'polite');
  }

  showSpeed() {
    this.slow.hidden = !calm.matches;
    for (const option of this.speed.lastChild.options) option.disabled = calm.matches && !(Number(option.value) <= CALM);
    if (calm.matches && !(Number(chosen.rate) <= CALM)) chosen.rate = String(CALM);
    this.speed.lastChild.value = chosen.rate;
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

  // Drawing a step.

  draw() {
    if (!this.model) return;
    const { model, step } = this;
    const now = model.at(step);
    const path = model.nodes.path(now.node);
    const record = model.nodes.record(now.node);
    this.drawn = step;
    this.board.update(record.board, path.length > 1 ? model.nodes.cell[now.node] : null);
    this.board.element.setAttribute('aria-label', record.board);
    setText(this.words, words(model, now));
    for (const counter of this.counters) counter.update(now.counters[counter.name]);
    if (model.values) this.window.update(now);
    if (now.plies) this.bars.update(now.plies);
    this.path.update(model, step, path, this.line.join());
    if (Number(this.slider.value) !== step) this.slider.value = step;
    setText(this.where, t('animation.step', { step: number(step), last: number(model.count - 1) }));
    this.earlier.disabled = !(this.stops[0] < step);
    this.later.disabled = !(this.stops.at(-1) > step);
  }
}

/** A board that is updated: circles, crosses and the ring of the last move. */
class Board {
  constructor(columns, rows, size) {
    this.columns = columns;
    this.element = drawBoard(columns, '.'.repeat(columns * rows), { size });
    this.o = svg('path', { class: 'o' });
    this.x = svg('path', { class: 'x' });
    this.ring = svg('rect', { class: 'ring', width: 36, height: 36, visibility: 'hidden' });
    this.element.append(this.o, this.x, this.ring);
  }

  update(text, ringed = null) {
    if (text !== this.text) {
      this.text = text;
      this.o.setAttribute('d', this.outline(text, 'o', (x, y) => `M${x + 8} ${y + 20}a12 12 0 1 0 24 0a12 12 0 1 0-24 0`));
      this.x.setAttribute('d', this.outline(text, 'x', (x, y) => `M${x + 8} ${y + 8}l24 24m0-24l-24 24`));
    }
    if (ringed === this.ringed) return;
    this.ringed = ringed;
    this.ring.setAttribute('visibility', ringed === null ? 'hidden' : 'visible');
    this.ring.setAttribute('transform', `translate(${(ringed % this.columns) * 40 + 2} ${Math.floor(ringed / this.columns) * 40 + 2})`);
  }

  outline(text, mark, draw) {
    let d = '';
    for (let cell = 0; cell < text.length; cell++) {
      if (text[cell] === mark) d += draw((cell % this.columns) * 40, Math.floor(cell / this.columns) * 40);
    }
    return d;
  }
}

/** A small board of the path: a button that chooses its node. */
class Slot {
  constructor({ columns, rows }, choose) {
    this.board = new Board(columns, rows, 40);
    this.board.element.setAttribute('aria-hidden', 'true');
    this.score = el('span', { class: 'score' });
    this.element = el('button', { type: 'button', class: 'slot', hidden: true, onclick: () => choose(readLine(this.line)) }, this.board.element, this.score);
  }

  update(line, { record, state, score }, group, selected) {
    const key = `${line} ${record.board} ${state} ${score} ${selected}`;
    if (key === this.key) return;
    this.key = key;
    this.line = line;
    this.board.update(record.board);
    this.element.dataset.state = state;
    this.element.setAttribute('aria-pressed', selected);
    setText(this.score, score === null ? '' : value(score));
    const said = t('animation.slot', { line: line || t('animation.node.root'), board: record.board, state: t(`animation.${group}.${state}`) });
    this.element.setAttribute('aria-label', score === null ? said : said + t('animation.slot.score', { score: value(score) }));
  }
}

/** The path from the root: a row for each ply, with the branches beside it. */
class Path {
  constructor(game, choose) {
    const wide = game.columns * game.rows;
    this.legend = el('ul', { class: 'legend' });
    this.rows = game.plies.map(({ ply }) => {
      const slots = Array.from({ length: ply ? wide - ply + 1 : 1 }, () => new Slot(game, choose));
      const label = el('span', { class: 'ply' }, String(ply));
      return { slots, element: el('div', { class: 'branches', role: 'group', 'aria-label': t('animation.ply', { ply }) }, label, slots.map(({ element }) => element)) };
    });
    this.element = el('div', { class: 'path', style: `--wide: ${wide}` }, el('h2', {}, t('animation.path')), this.legend, this.rows.map(({ element }) => element));
  }

  start(model) {
    this.group = model.values ? 'state' : model.at(0).kind;
    for (const { slots } of this.rows) for (const slot of slots) slot.key = null;
    const states = ['done', 'now', ...(model.values ? ['cut'] : []), 'later'];
    this.legend.replaceChildren(...states.map((state) => el('li', {}, el('span', { class: 'slot', 'data-state': state }), t(`animation.${this.group}.${state}`))));
  }

  update(model, step, path, selected) {
    const { nodes } = model;
    const root = { record: nodes.record(path[0]), state: 'now', score: path.length === 1 ? model.at(step).score ?? null : null };
    this.fill(0, [root], '', selected);
    let line = '';
    for (let ply = 1; ply < this.rows.length; ply++) {
      const branches = ply > path.length ? [] : model.branches(path[ply - 1], step);
      if (ply < path.length) branches.find(({ cell }) => cell === nodes.cell[path[ply]]).state = 'now';
      this.fill(ply, branches, line, selected);
      if (ply < path.length) line = join(line, nodes.cell[path[ply]]);
    }
  }

  fill(ply, branches, line, selected) {
    const { slots, element } = this.rows[ply];
    setClass(element, 'empty', !branches.length);
    slots.forEach((slot, index) => {
      const branch = branches[index];
      if (slot.element.hidden !== !branch) slot.element.hidden = !branch;
      if (!branch) return;
      const own = branch.cell === undefined ? '' : join(line, branch.cell);
      slot.update(own, branch, this.group, own === selected);
    });
  }
}

/** A number with a name. */
class Counter {
  constructor(name) {
    this.name = name;
    this.number = el('dd', { 'data-counter': name });
    this.element = el('div', {}, el('dt', {}, t(`animation.counter.${name}`)), this.number);
  }

  update(count) {
    if (count === this.count) return;
    this.count = count;
    this.number.textContent = number(count);
    this.number.dataset.value = count;
  }
}

/** For each ply, how many of its nodes there are so far. */
class PlyBars {
  constructor(plies) {
    this.rows = plies.map(({ ply, nodes }) => ({ all: nodes, count: -1, bar: el('i'), text: el('span', { class: 'number' }), label: t('animation.ply', { ply }) }));
    this.element = el('div', { class: 'bars' }, el('h2', {}, t('animation.plies')),
      el('ul', {}, this.rows.map(({ label, bar, text }) => el('li', {}, el('span', {}, label), el('span', { class: 'bar' }, bar), text))));
  }

  update(counts) {
    this.rows.forEach((row, index) => {
      if (row.count === counts[index]) return;
      row.count = counts[index];
      row.bar.style.transform = `scaleX(${row.count / row.all})`;
      row.text.textContent = t('animation.of', { some: number(row.count), all: number(row.all) });
    });
  }
}

/** The window on a number line, with the score. */
class WindowLine {
  constructor() {
    this.band = svg('rect', { class: 'band', y: 34, height: 12 });
    this.ends = { alpha: this.makeEnd('α'), beta: this.makeEnd('β') };
    this.dot = svg('circle', { class: 'dot', cy: 40, r: 6 });
    this.said = svg('text', { y: 68, 'text-anchor': 'middle', class: 'strong' });
    this.ticks = svg('g', { class: 'ticks' });
    this.picture = svg('svg', { viewBox: '0 0 340 94', role: 'img' },
      svg('path', { class: 'axis', d: 'M6 40h328' }), this.ticks, this.band, this.ends.alpha.element, this.ends.beta.element, this.dot, this.said);
    this.element = el('div', { class: 'window' }, el('h2', {}, t('animation.window')), this.picture);
  }

  makeEnd(name) {
    const [edge, text] = [svg('path', { class: 'edge' }), svg('text', { y: 18, 'text-anchor': 'middle' })];
    return { name, edge, text, element: svg('g', {}, edge, text) };
  }

  /** Fit the line to the values that occur; without any there is no line. */
  start(values) {
    this.element.hidden = !values;
    if (!values) return;
    const [least, greatest] = [values[0] ?? 0, values.at(-1) ?? 0];
    this.x = (each) => (greatest > least ? 50 + (240 * (each - least)) / (greatest - least) : 170);
    const shown = values.length > 9 ? [least, greatest] : values;
    this.ticks.replaceChildren(...shown.map((each) => svg('g', { transform: `translate(${this.x(each)})` },
      svg('path', { d: 'M0 36v8' }), svg('text', { y: 88, 'text-anchor': 'middle' }, value(each)))));
  }

  update({ alpha, beta, score }) {
    const from = alpha === null ? 14 : this.x(alpha);
    const to = beta === null ? 326 : this.x(beta);
    this.band.setAttribute('x', Math.min(from, to));
    this.band.setAttribute('width', Math.abs(to - from));
    this.showEnd(this.ends.alpha, alpha, from, -1);
    this.showEnd(this.ends.beta, beta, to, 1);
    this.dot.setAttribute('visibility', score === null ? 'hidden' : 'visible');
    setText(this.said, score === null ? '' : t('animation.scoreis', { score: value(score) }));
    if (score !== null) {
      this.dot.setAttribute('cx', this.x(score));
      this.said.setAttribute('x', this.x(score));
    }
    const label = `α ${ending(alpha, -1)}, β ${ending(beta, 1)}${score === null ? '' : `, ${this.said.textContent}`}`;
    this.picture.setAttribute('aria-label', label);
  }

  /** A bar at an end, or an arrow where there is none. */
  showEnd({ name, edge, text }, at, x, side) {
    edge.setAttribute('d', at === null ? `M${x} 28l${side * 12} 12l${-side * 12} 12z` : `M${x - 1.5} 28h3v24h-3z`);
    text.setAttribute('x', at === null ? x + side * -8 : x + side * 4);
    setText(text, `${name} ${ending(at, side)}`);
  }
}

// Words.

/** A search by its columns. */
function searchName(trace) {
  const has = OPTIONS.filter((name) => trace[name] !== null && trace[name] !== false);
  const parts = has.map((name) => t(`animation.with.${name}`, { value: trace[name] }));
  const counts = t('animation.counts', { entered: number(trace.entered), events: number(trace.events) });
  return `${algorithmName(trace.algorithm)}: ${parts.join(t('animation.comma')) || t('animation.plain')} (${counts})`;
}

function algorithmName(name) {
  try {
    return t(`animation.${name}`);
  } catch {
    return name; // One that this page does not know yet.
  }
}

/** A step in words. */
function words(model, { node, kind, alpha, beta, score = null, skipped }) {
  const { nodes } = model;
  const { status, turn } = nodes.record(node);
  const over = kind !== 'leave' && kind !== 'cut' && turn === null;
  const values = {
    skipped, alpha: ending(alpha, -1), beta: ending(beta, 1), score: score === null ? '' : value(score), move: moveOf(nodes, node),
  };
  const said = t(`animation.words.${kind === 'score' && turn ? `score.${turn}` : kind}`, values);
  return over ? t('animation.words.over', { words: said, over: t(`animation.over.${status}`) }) : said;
}

/** The move that leads to a node. */
function moveOf(nodes, node) {
  const { turn } = nodes.record(nodes.parent[node]) ?? {};
  return turn ? t('animation.played', { who: t(`animation.${turn}`), cell: nodes.cell[node] }) : t('animation.start');
}

/** A number with a minus of its own width. */
const value = (each) => String(Number(each.toFixed(3))).replace('-', '−');

/** An end of a window. */
const ending = (each, side) => (each === null || each === undefined ? (side < 0 ? '−∞' : '∞') : value(each));

// Small helpers.

const readLine = (text) => text.split(',').filter((each) => each.trim()).map(Number);
const join = (line, cell) => (line ? `${line},${cell}` : String(cell));

/** Whether the records know a line, even if a search never goes there. */
function isLine(start, line, records) {
  let here = start;
  for (const cell of line) here = records[here?.children[here.moves.indexOf(cell)]];
  return Boolean(here);
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function setClass(element, name, wanted) {
  if (element.classList.contains(name) !== wanted) element.classList.toggle(name, wanted);
}

/** Keep what the last frames cost, for the tests. */
function noteFrame(cost) {
  frames.push(cost);
  if (frames.length > 1000) frames.shift();
}
