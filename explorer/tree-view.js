// The tree: one node of the full tree with its path, its siblings, its children and the best play
// from it; a list to expand and collapse; and the whole tree by ply.
//
// A node of the tree is { parent, move, position, cells }: how play came to a position. It is told
// apart by its cells, the line of play. Everything about its position comes from the documents.

import { children, ofPly, position as positionOf, root } from './api.js';
import { button, choice, el, table, tell } from './dom.js';
import { drawBoard, outcomeClass } from './drawing.js';
import { addTexts, number, percent, t } from './i18n.js';

addTexts({
  en: {
    'tree.score': 'Score', 'tree.score.score': 'score', 'tree.score.score_sv': 'score sv', 'tree.score.score_svrd': 'score svrd',
    'tree.shown': 'At each node', 'tree.shown.score': 'score', 'tree.shown.distance': 'moves left', 'tree.shown.random': 'chances of random play', 'tree.shown.subtree': 'size of the subtree',
    'tree.value.score': '{name} {value}', 'tree.value.distance': 'moves left: {value}', 'tree.value.random': 'random play: {value}', 'tree.value.subtree': 'nodes: {value}',
    'tree.dim': 'Dim moves that are not best', 'tree.best': 'best',
    'tree.jump': 'Board or line', 'tree.go': 'Go there', 'tree.hint': 'A board such as {board}, or a line: cells from 0 with commas (4,0,8), or digits from 1 run together (519).',
    'tree.unreadable': '“{text}” is neither a board of {cells} cells (o, x and .) nor a line of cells.',
    'tree.unreachable': 'Play cannot reach the board “{text}”.', 'tree.badmove': 'Move {at} of this line, {cell}, is not possible there.',
    'tree.nomove': 'This is no move here: {key}.',
    'tree.path': 'Path from the root', 'tree.siblings': 'Siblings', 'tree.children': 'Children', 'tree.continuation': 'Best continuation',
    'tree.nosiblings': 'The root has no siblings.', 'tree.onlychild': 'There was no other move.', 'tree.nochildren': 'The game is over here.',
    'tree.list': 'The tree', 'tree.root': 'root', 'tree.move': 'cell {cell}',
    'tree.move.o': 'circle in column {x}, row {y}', 'tree.move.x': 'cross in column {x}, row {y}',
    'tree.leads.1': 'circle wins', 'tree.leads.0': 'draw', 'tree.leads.-1': 'cross wins',
    'tree.status.circle': 'circle has won', 'tree.status.draw': 'ended in a draw', 'tree.status.cross': 'cross has won',
    'tree.turn.circle': 'circle to move', 'tree.turn.cross': 'cross to move',
    'tree.keys': 'Keys: ↑ ↓ next node, → open or first child, ← close or parent, Enter or Space select, Home root, End last.',
    'tree.pad': 'The digits play a move, as on a number pad: 7 8 9 is the top row.',
    'tree.facts': 'This node', 'tree.fact.line': 'line', 'tree.fact.ply': 'ply', 'tree.fact.board': 'board', 'tree.fact.position': 'position', 'tree.fact.class': 'class',
    'tree.fact.nodes': 'nodes that show this position', 'tree.fact.subtree': 'nodes at and below it', 'tree.fact.scores': 'score, sv, svrd', 'tree.fact.distance': 'moves left',
    'tree.fact.random': 'random play', 'tree.fact.state': 'state', 'tree.fact.outcome': 'with best play', 'tree.line': '{cells} (in the tables {digits})', 'tree.noline': 'none: the root',
    'tree.toboard': 'On the board', 'tree.toanimation': 'In the animations',
    'tree.overview': 'The whole tree by ply', 'tree.loading': 'Loading…', 'tree.caption': 'Nodes of the whole tree, by what they are worth; the ply of the node shown is marked.',
    'tree.column.ply': 'ply', 'tree.column.positions': 'positions', 'tree.column.nodes': 'nodes', 'tree.column.won': '〇 circle wins', 'tree.column.drawn': '△ draw', 'tree.column.lost': '× cross wins',
    'tree.column.shares': 'shares', 'tree.all': 'all',
  },
  ja: {
    'tree.score': '評価値の種類', 'tree.score.score': '評価値', 'tree.score.score_sv': '評価値 sv', 'tree.score.score_svrd': '評価値 svrd',
    'tree.shown': '各ノードに表示', 'tree.shown.score': '評価値', 'tree.shown.distance': '残り手数', 'tree.shown.random': 'ランダム対局の確率', 'tree.shown.subtree': '部分木のノード数',
    'tree.value.score': '{name} {value}', 'tree.value.distance': '残り {value} 手', 'tree.value.random': 'ランダム対局 {value}', 'tree.value.subtree': '{value} ノード',
    'tree.dim': '最善手以外を薄く表示', 'tree.best': '最善手',
    'tree.jump': '盤面または手順', 'tree.go': '移動', 'tree.hint': '盤面は {board} のように、手順は 0 から数えたマスをコンマで区切って（4,0,8）、または 1 から数えた数字を続けて（519）入力します。',
    'tree.unreadable': '「{text}」は {cells} マスの盤面（o、x、.）でも手順でもありません。',
    'tree.unreachable': '盤面「{text}」に至る対局はありません。', 'tree.badmove': 'この手順の {at} 手目 {cell} には着手できません。',
    'tree.nomove': 'ここには着手できません：{key}',
    'tree.path': 'ルートからの手順', 'tree.siblings': '兄弟ノード', 'tree.children': '子ノード', 'tree.continuation': '最善手による進行',
    'tree.nosiblings': 'ルートに兄弟ノードはありません。', 'tree.onlychild': '他の着手はありませんでした。', 'tree.nochildren': 'ここで決着がついています。',
    'tree.list': 'ゲーム木', 'tree.root': 'ルート', 'tree.move': 'マス {cell}',
    'tree.move.o': '〇が {x} 列 {y} 行に着手', 'tree.move.x': '×が {x} 列 {y} 行に着手',
    'tree.leads.1': '〇の勝ち', 'tree.leads.0': '引き分け', 'tree.leads.-1': '×の勝ち',
    'tree.status.circle': '〇の勝ちで決着', 'tree.status.draw': '引き分けで決着', 'tree.status.cross': '×の勝ちで決着',
    'tree.turn.circle': '〇の手番', 'tree.turn.cross': '×の手番',
    'tree.keys': 'キー：↑ ↓ 前後のノード、→ 開く・最初の子へ、← 閉じる・親へ、Enter・スペース 選択、Home ルート、End 最後。',
    'tree.pad': '数字キーはテンキーの位置に着手します（7 8 9 が一番上の行）。',
    'tree.facts': 'このノード', 'tree.fact.line': '手順', 'tree.fact.ply': '手数', 'tree.fact.board': '盤面', 'tree.fact.position': '局面番号', 'tree.fact.class': '同型の組',
    'tree.fact.nodes': 'この局面のノード数', 'tree.fact.subtree': 'これ以下のノード数', 'tree.fact.scores': '評価値、sv、svrd', 'tree.fact.distance': '残り手数',
    'tree.fact.random': 'ランダム対局', 'tree.fact.state': '状態', 'tree.fact.outcome': '最善を尽くした結果', 'tree.line': '{cells}（テーブルでは {digits}）', 'tree.noline': 'なし（ルート）',
    'tree.toboard': '盤で見る', 'tree.toanimation': 'アニメーションで見る',
    'tree.overview': '深さごとの木全体', 'tree.loading': '読み込んでいます…', 'tree.caption': '木全体のノード数（結果別）。表示中のノードの深さに印を付けています。',
    'tree.column.ply': '深さ', 'tree.column.positions': '局面', 'tree.column.nodes': 'ノード', 'tree.column.won': '〇の勝ち', 'tree.column.drawn': '△ 引き分け', 'tree.column.lost': '×の勝ち',
    'tree.column.shares': '割合', 'tree.all': '合計',
  },
});

const BEST = { score: 'best', score_sv: 'best_sv', score_svrd: 'best_svrd' }; // the best moves by each score
const SHOWN = ['score', 'distance', 'random', 'subtree'];
const PADS = { '3x3': '789456123' }; // the digit of each cell on a number pad

// What the reader has chosen; kept when the language or the view changes.
const settings = { score: 'score', shown: 'score', dims: true };

/** Make the view; see main.js. */
export function create(game, go) {
  return new TreeView(game, go);
}

// Nodes.

const makeNode = (parent, move, position) => ({ parent, move, position, cells: parent ? [...parent.cells, move] : [] });
const keyOf = (node) => node.cells.join();

/** The nodes below a node, in the order of its moves. */
async function below(node) {
  const positions = await children(node.position);
  return positions.map((position, index) => makeNode(node, node.position.moves[index], position));
}

/** The nodes along a line from the root, as far as its moves are possible. */
async function walk(cells) {
  const nodes = [makeNode(null, null, await root())];
  for (const cell of cells) {
    const next = (await below(nodes.at(-1))).find(({ move }) => move === cell);
    if (!next) break;
    nodes.push(next);
  }
  return nodes;
}

/** The nodes after a node when both sides play the first best move by the chosen score. */
async function continuation(node) {
  const nodes = [];
  for (let here = node; here.position.moves.length; here = nodes.at(-1)) {
    const [best] = here.position[BEST[settings.score]];
    nodes.push((await below(here)).find(({ move }) => move === best));
  }
  return nodes;
}

/** The cells of a line that leads to a position, found backwards from child to parent. */
async function lineTo(position) {
  const cells = [];
  for (let here = position; here.ply > 0;) {
    const { position: sought } = here;
    here = (await ofPly(here.ply - 1)).find((each) => each.children.includes(sought));
    cells.unshift(here.moves[here.children.indexOf(sought)]);
  }
  return cells;
}

/** Whether the move to a node is a best one by the chosen score; nothing is better than the root. */
const isBest = ({ parent, move }) => !parent || parent.position[BEST[settings.score]].includes(move);

// Words about nodes.

const addressOf = (cells) => ({ ...(cells.length && { line: cells.join() }), score: settings.score });
const linkTo = (cells) => `#tree?${new URLSearchParams(addressOf(cells))}`;

/** Who wins: has won when the game is over, or wins with best play. */
const outcomeOf = ({ turn, status, score }) => t(turn ? `tree.leads.${score}` : `tree.status.${status}`);
const chancesOf = (position) => [['〇', 'circle'], ['△', 'draw'], ['×', 'cross']].map(([mark, result]) =>
  `${mark} ${percent(position[`random_${result}`])}`.replaceAll(' ', '\u00a0')).join(' '); // Lines break between chances only.
const moveOf = ({ parent, move }) => (parent ? t('tree.move', { cell: move }) : t('tree.root'));

/** What the reader wants to see at each node. */
function valueOf({ position }) {
  const value = {
    score: () => String(position[settings.score]), distance: () => number(position.distance),
    random: () => chancesOf(position), subtree: () => number(position.subtree),
  }[settings.shown]();
  return t(`tree.value.${settings.shown}`, { value, name: t(`tree.score.${settings.score}`) });
}

/** A node in words, for screen readers. */
function sentenceOf(node, columns) {
  const { parent, move, position } = node;
  const what = parent && t(`tree.move.${position.board[move]}`, { x: (move % columns) + 1, y: Math.floor(move / columns) + 1 });
  return [moveOf(node), what, outcomeOf(position), valueOf(node), parent && isBest(node) && t('tree.best')].filter(Boolean).join(', ');
}

/** The words beside or below the board of a node. */
const wordsOf = (node) => [
  el('span', { class: 'move' }, moveOf(node)), el('span', { class: 'outcome' }, outcomeOf(node.position)),
  el('span', { class: 'value' }, valueOf(node)), node.parent && isBest(node) && el('span', { class: 'best' }, t('tree.best')),
];

const classOf = (node) => `node ${outcomeClass(node.position.score)} ${isBest(node) ? '' : 'other'}`;

/** The board of a node, its last move ringed; the words say it to screen readers. */
const pictureOf = ({ parent, move, position }, columns, size) =>
  el('span', { 'aria-hidden': 'true' }, drawBoard(columns, position.board, { size, marked: parent ? [move] : [] }));

/** A row of nodes, each a link to itself; `current` is the one shown. */
function rowOf(nodes, columns, current) {
  return el('ol', { class: 'nodes' }, nodes.map((node) => el('li', {}, el('a', {
    href: linkTo(node.cells), class: classOf(node), 'aria-label': sentenceOf(node, columns), 'aria-current': node === current ? 'true' : null,
  }, pictureOf(node, columns, 56), wordsOf(node)))));
}

// The list to expand and collapse, with the roles and keys of a tree.

class TreeList {
  /** `select(cells)` is called when the reader chooses a node; `attempt(promise)` tells what fails. */
  constructor(game, select, attempt) {
    this.game = game;
    this.select = select;
    this.attempt = attempt;
    this.items = new Map(); // By line: { node, element, row, twisty }, of what is visible.
    this.current = null; // The item that has the focus when the tree has it.
    this.revealed = null; // The line of the selected node.
    this.element = el('ul', { class: 'tree', role: 'tree', 'aria-label': t('tree.list'), onkeydown: (event) => this.key(event) });
  }

  makeItem(node) {
    const { columns } = this.game;
    const item = { node, row: el('div', {}), twisty: null };
    const ends = !node.position.moves.length;
    item.twisty = el('span', { class: 'twisty', 'aria-hidden': 'true', onclick: (event) => {
      event.stopPropagation();
      this.focus(item);
      this.toggle(item);
    } });
    item.words = el('span', { class: 'words', 'aria-hidden': 'true' });
    item.row.append(item.twisty, pictureOf(node, columns, 36), item.words);
    item.row.addEventListener('click', () => {
      this.focus(item);
      this.select(node.cells);
    });
    item.element = el('li', {
      role: 'treeitem', tabindex: -1, 'aria-level': node.cells.length + 1, 'aria-selected': String(keyOf(node) === this.revealed),
      'aria-expanded': ends ? null : 'false', dataset: { line: keyOf(node) },
    }, item.row);
    this.items.set(keyOf(node), item);
    this.describe(item);
    return item.element;
  }

  /** Write the words of an item anew: the settings may have changed. */
  describe({ node, element, row, words }) {
    row.className = classOf(node);
    words.replaceChildren(...wordsOf(node).filter(Boolean));
    element.setAttribute('aria-label', sentenceOf(node, this.game.columns));
  }

  isOpen = ({ element }) => element.getAttribute('aria-expanded') === 'true';

  async open(item) {
    if (!item.node.position.moves.length || this.isOpen(item)) return;
    const nodes = await below(item.node);
    if (this.isOpen(item)) return; // Somebody was faster.
    item.element.append(el('ul', { role: 'group' }, nodes.map((node) => this.makeItem(node))));
    item.element.setAttribute('aria-expanded', 'true');
  }

  close(item) {
    for (const inside of item.element.querySelectorAll('[role="treeitem"]')) this.items.delete(inside.dataset.line);
    if (item.element.contains(this.current.element)) this.makeCurrent(item);
    item.element.querySelector('[role="group"]').remove();
    item.element.setAttribute('aria-expanded', 'false');
  }

  toggle(item) {
    if (this.isOpen(item)) this.close(item);
    else this.attempt(this.open(item));
  }

  /** Describe all nodes anew, and when another one is selected, open the way to it, and it. */
  async reveal(nodes) {
    if (!this.items.size) this.element.append(this.makeItem(nodes[0]));
    for (const item of this.items.values()) this.describe(item);
    const key = keyOf(nodes.at(-1));
    if (this.revealed === key) return; // What the reader has closed stays closed.
    this.revealed = key;
    for (const node of nodes) await this.open(this.items.get(keyOf(node)));
    if (this.revealed === key) this.mark(this.items.get(key));
  }

  /** Mark an item as the selected one. */
  mark(selected) {
    for (const item of this.items.values()) item.element.setAttribute('aria-selected', String(item === selected));
    if (this.element.contains(document.activeElement)) this.focus(selected);
    else this.makeCurrent(selected);
    this.scrollTo(selected);
  }

  makeCurrent(item) {
    if (this.current) this.current.element.tabIndex = -1;
    this.current = item;
    item.element.tabIndex = 0;
  }

  focus(item) {
    this.makeCurrent(item);
    item.element.focus({ preventScroll: true }); // An item is as long as all that is open in it.
    item.row.scrollIntoView({ block: 'nearest' });
  }

  /** Scroll inside the tree only; the page stays where it is. */
  scrollTo({ row }) {
    const top = row.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
    const room = this.element.clientHeight - row.offsetHeight;
    if (top < 0 || top > room) this.element.scrollTop += top - room / 3;
  }

  /** Where a key leads in the list: an item, or undefined. */
  neighbour(key) {
    const visible = [...this.element.querySelectorAll('[role="treeitem"]')].map(({ dataset }) => this.items.get(dataset.line));
    const at = visible.indexOf(this.current);
    switch (key) {
      case 'ArrowUp': return visible[at - 1];
      case 'ArrowDown': return visible[at + 1];
      case 'Home': return visible[0];
      case 'End': return visible.at(-1);
      case 'ArrowLeft': return this.current.node.parent && this.items.get(keyOf(this.current.node.parent));
      default: return visible[at + 1]; // ArrowRight in an open item.
    }
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.current) return;
    const { current } = this;
    const { key } = event;
    const pad = PADS[`${this.game.columns}x${this.game.rows}`] ?? '';
    if (key === 'Enter' || key === ' ') this.select(current.node.cells);
    else if (key === (this.isOpen(current) ? 'ArrowLeft' : 'ArrowRight')) this.toggle(current);
    else if (['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) {
      const to = this.neighbour(key);
      if (to) this.focus(to);
    } else if (key.length === 1 && pad.includes(key)) this.play(pad.indexOf(key), key);
    else return;
    event.preventDefault();
  }

  /** Play a move in the node that has the focus. */
  play(cell, key) {
    const { cells, position } = this.current.node;
    if (position.moves.includes(cell)) this.select([...cells, cell]);
    else tell(t('tree.nomove', { key }));
  }
}

// The view.

class TreeView {
  constructor(game, go) {
    this.game = game;
    this.go = go;
    this.nodes = []; // From the root to the node shown.
    this.shows = 0; // Counts what was asked for, to drop what is late.
    this.list = new TreeList(game, (cells) => this.select(cells), (promise) => this.attempt(promise));
    this.told = el('p', { class: 'error', role: 'alert', id: 'tree-told', hidden: true });
    this.around = el('div', { class: 'around' });
    this.overview = el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('tree.overview') });
    const pad = `${game.columns}x${game.rows}` in PADS ? t('tree.pad') : '';
    this.element = el('section', { class: 'tree-view' },
      this.makeSettings(), this.makeJump(), this.told,
      el('div', { class: 'columns' },
        el('div', {}, el('h2', {}, t('tree.list')), el('p', { class: 'soft keys' }, `${t('tree.keys')} ${pad}`), this.list.element),
        this.around),
      this.makeOverview());
  }

  // Elements that stay.

  makeSettings() {
    const scores = Object.keys(BEST).map((each) => [each, t(`tree.score.${each}`)]);
    const shown = SHOWN.map((each) => [each, t(`tree.shown.${each}`)]);
    const dim = button(t('tree.dim'), () => {
      settings.dims = !settings.dims;
      this.dim();
    }, { dataset: { control: 'dim' } });
    this.dim = () => {
      dim.setAttribute('aria-pressed', String(settings.dims));
      this.element.classList.toggle('dims', settings.dims);
    };
    const score = choice(t('tree.score'), scores, settings.score, (value) => {
      settings.score = value;
      this.select(this.nodes.at(-1)?.cells ?? []);
    }, { dataset: { control: 'score' } });
    this.score = score.querySelector('select');
    return el('div', { class: 'row' }, score, choice(t('tree.shown'), shown, settings.shown, (value) => {
      settings.shown = value;
      this.attempt(this.render());
    }, { dataset: { control: 'shown' } }), dim);
  }

  makeJump() {
    this.input = el('input', { type: 'text', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', 'aria-describedby': 'tree-hint tree-told', dataset: { control: 'jump' } });
    const submit = (event) => {
      event.preventDefault();
      this.attempt(this.jump(this.input.value));
    };
    const board = 'o...x'.padEnd(this.game.columns * this.game.rows, '.');
    return el('form', { class: 'jump', onsubmit: submit },
      el('div', { class: 'row' }, el('label', { class: 'field' }, el('span', {}, t('tree.jump')), this.input), el('button', { type: 'submit' }, t('tree.go'))),
      el('p', { class: 'soft', id: 'tree-hint' }, t('tree.hint', { board })));
  }

  makeOverview() {
    const details = el('details', { ontoggle: () => details.open && this.attempt(this.renderOverview()) },
      el('summary', {}, t('tree.overview')), this.overview);
    return details;
  }

  // What the reader does.

  /** Show what the address says; of an impossible line, as much as is possible. */
  async show(parameters) {
    const asked = ++this.shows;
    const parts = (parameters.get('line') ?? '').split(',').filter(Boolean);
    const nodes = await walk(parts.map(Number));
    if (asked !== this.shows) return;
    if (parameters.get('score') in BEST) settings.score = parameters.get('score');
    this.score.value = settings.score;
    this.nodes = nodes;
    this.complain(this.badMove(nodes, parts));
    await this.render();
  }

  select(cells) {
    this.go('tree', addressOf(cells));
  }

  /** Go to a board or a line that the reader has typed. */
  async jump(typed) {
    const text = typed.normalize('NFKC').trim().replace(/[〇○]/g, 'o').replace(/×/g, 'x').toLowerCase();
    const cells = this.game.columns * this.game.rows;
    this.complain('');
    if (/^[ox.]+$/.test(text) && text.length === cells) await this.jumpToBoard(text);
    else if (/^\d[\d\s,、]*$/.test(text)) await this.jumpToLine(text);
    else this.complain(t('tree.unreadable', { text: typed, cells }));
  }

  async jumpToBoard(text) {
    const position = await positionOf(text);
    if (position) this.select(await lineTo(position));
    else this.complain(t('tree.unreachable', { text }));
  }

  /** Lines are cells from 0 with something between them, or digits from 1, as the tables write them. */
  async jumpToLine(text) {
    const isParted = /\D/.test(text);
    const parts = isParted ? text.split(/[\s,、]+/).filter(Boolean) : [...text];
    const nodes = await walk(parts.map((part) => Number(part) - (isParted ? 0 : 1)));
    const sentence = this.badMove(nodes, parts);
    if (sentence) this.complain(sentence);
    else this.select(nodes.at(-1).cells);
  }

  /** What is wrong with a line that was walked; nothing when all of it is possible. */
  badMove(nodes, parts) {
    const at = nodes.length;
    return at > parts.length ? '' : t('tree.badmove', { at, cell: parts[at - 1] });
  }

  complain(sentence) {
    this.told.textContent = sentence;
    this.told.hidden = !sentence;
    this.input.setAttribute('aria-invalid', String(Boolean(sentence)));
  }

  /** Do something that may fail, when nobody waits for it. */
  attempt(promise) {
    promise.catch((error) => this.complain(error.message));
  }

  // What is shown.

  async render() {
    const { nodes } = this;
    const node = nodes.at(-1);
    if (!node) return; // Nothing is shown yet; it soon will be.
    const all = node.parent ? await below(node.parent) : [];
    const next = await below(node);
    if (nodes !== this.nodes) return; // Somebody was faster.
    this.dim();
    this.renderAround(nodes, all.filter(({ move }) => move !== node.move), next);
    this.attempt(this.renderContinuation(node));
    this.markPly(node.position.ply);
    await this.list.reveal(nodes);
    tell(sentenceOf(node, this.game.columns));
  }

  renderAround(nodes, siblings, next) {
    const { columns } = this.game;
    const node = nodes.at(-1);
    const hadFocus = this.around.contains(document.activeElement);
    const part = (name, each, otherwise) => el('section', { dataset: { part: name } }, el('h2', {}, t(`tree.${name}`)),
      each.length ? rowOf(each, columns, node) : el('p', { class: 'soft' }, otherwise));
    this.around.replaceChildren(
      part('path', nodes), part('siblings', siblings, t(node.parent ? 'tree.onlychild' : 'tree.nosiblings')),
      part('children', next, t('tree.nochildren')), part('continuation', [], next.length ? t('tree.loading') : t('tree.nochildren')), factsOf(node));
    if (hadFocus) this.around.querySelector('[aria-current]').focus({ preventScroll: true });
  }

  /** Show the best play to the end; it comes after the rest, since it needs every ply from here on. */
  async renderContinuation(node) {
    const place = this.around.querySelector('[data-part="continuation"]');
    const best = await continuation(node);
    if (best.length) place.lastElementChild.replaceWith(rowOf(best, this.game.columns, node));
  }

  /** Load every ply and count its nodes by what they are worth. */
  async renderOverview() {
    if (this.overview.querySelector('table')) return;
    this.overview.replaceChildren(t('tree.loading'));
    const { plies } = this.game;
    const counted = await Promise.all(plies.map(async ({ ply, positions, nodes }) => ({ ply, positions, nodes, ...countOf(await ofPly(ply)) })));
    const sum = (name) => counted.reduce((before, each) => before + each[name], 0);
    const total = Object.fromEntries(Object.keys(counted[0]).map((name) => [name, sum(name)]));
    const columns = ['ply', 'positions', 'nodes', 'won', 'drawn', 'lost', 'shares'];
    const made = table(t('tree.caption'), columns.map((each) => t(`tree.column.${each}`)), [
      ...counted.map((row) => rowOfOverview(row, String(row.ply))), rowOfOverview(total, t('tree.all')),
    ], { class: 'plies' });
    for (const [index, { ply }] of counted.entries()) made.tBodies[0].rows[index].dataset.ply = ply;
    this.overview.replaceChildren(made);
    this.markPly(this.nodes.at(-1)?.position.ply);
  }

  markPly(ply) {
    for (const row of this.overview.querySelectorAll('tr[data-ply]')) {
      if (Number(row.dataset.ply) === ply) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  }
}

/** How many nodes show positions that are won for circle, drawn, and won for cross. */
function countOf(positions) {
  const counts = { won: 0, drawn: 0, lost: 0 };
  for (const { score, nodes } of positions) counts[outcomeClass(score)] += nodes;
  return counts;
}

/** A row of the overview; the bar shows the shares that the numbers say. */
function rowOfOverview(row, name) {
  const parts = ['won', 'drawn', 'lost'];
  const bar = parts.map((each) => el('span', { class: each, style: `width: ${(100 * row[each]) / row.nodes}%` }));
  return [name, number(row.positions), number(row.nodes), ...parts.map((each) => el('span', { class: each }, number(row[each]))),
    el('span', { class: 'bar', 'aria-hidden': 'true' }, bar)];
}

/** The facts of a node, and where else to look at it. */
function factsOf({ cells, position }) {
  const fact = (name, value) => [el('dt', {}, t(`tree.fact.${name}`)), el('dd', { dataset: { fact: name } }, value)];
  const digits = cells.map((cell) => cell + 1).join('');
  return el('section', { dataset: { part: 'facts' } }, el('h2', {}, t('tree.facts')),
    el('dl', {},
      fact('line', cells.length ? t('tree.line', { cells: cells.join(', '), digits }) : t('tree.noline')),
      fact('ply', String(position.ply)), fact('board', el('code', {}, position.board)),
      fact('state', position.turn ? t(`tree.turn.${position.turn}`) : outcomeOf(position)),
      position.turn && fact('outcome', el('span', { class: outcomeClass(position.score) }, outcomeOf(position))),
      fact('scores', `${position.score}, ${position.score_sv}, ${position.score_svrd}`),
      fact('distance', number(position.distance)), fact('random', chancesOf(position)),
      fact('position', number(position.position)), fact('class', number(position.class)),
      fact('nodes', number(position.nodes)), fact('subtree', number(position.subtree))),
    el('p', { class: 'row' },
      el('a', { href: `#board?${new URLSearchParams({ board: position.board })}` }, t('tree.toboard')),
      el('a', { href: `#animation?${new URLSearchParams({ line: cells.join() })}` }, t('tree.toanimation'))));
}
