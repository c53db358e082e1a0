// The algorithms in a few lines of pseudo-code, one of them lit at each step.

import { el } from '../elements/dom.js';
import { addTexts, t } from '../words/i18n.js';
import { highEnd, lowEnd } from './search-texts.js';

addTexts({
  'code.title': ['Algorithm', 'アルゴリズム'], 'code.ordered': [', {ordering} first', '（{ordering} の着手を先頭に）'],
  'code.sorted': [', sorted by {ordering}', '（{ordering} の順）'], 'code.call': ['visit(root, {alpha}, {beta})', '探索(ルート, {alpha}, {beta})'],
  'code.mtdf': ['until the bounds meet: visit(root) with a null window at the last score', '上限と下限が一致するまで：直前の評価値の null window で 探索(ルート)'],
  'code.deepen': ['for depth 1, 2, …: visit(root, {alpha}, {beta})', '深さ 1、2、… で：探索(ルート, {alpha}, {beta})'],
  'code.bound': ['the score becomes one of the bounds', '評価値を上限または下限とする'], 'code.visit': ['visit(node, α, β):', '探索(ノード, α, β)：'],
  'code.over': ['game over: return its score', '決着している：その評価値を返す'],
  'code.depth': ['game over, or deep enough: return its evaluation', '決着、または深さの限界：評価関数の値を返す'],
  'code.table': ['the table settles it: return what it holds', '置換表で決まる：登録された値を返す'],
  'code.child': ['for each move{order}: visit(the node after it)', '各着手について{order}：探索(着手後のノード)'],
  'code.first': ['the first move{order}: visit(the node after it, α, β)', '最初の着手{order}：探索(着手後のノード, α, β)'],
  'code.null': ['each other move: visit it with a null window', '残りの着手：null window で探索'],
  'code.again': ['its score lies between α and β: visit it again', '評価値が α と β の間：探索し直す'],
  'code.cut': ['the score leaves the window: cut the other moves', '評価値が窓の外に出た：残りの着手を枝刈り'],
  'code.return': ['return the best score: greatest for circle, least for cross', '最善の評価値を返す：〇は最大、×は最小'], 'code.start': ['make the root', 'ルートを作る'],
  'code.bfs': ['take the oldest node without children', '子のない最も古いノードを取り出す'], 'code.bfs.add': ['make a node for each of its moves', '着手ごとにノードを作る'],
  'code.dfs': ['build(node):', '作成(ノード)：'], 'code.dfs.add': ['for each move: make a node, and build it at once', '着手ごとにノードを作り、すぐに 作成(そのノード)'],
  'code.scoring': ['for each node, the last one first:', '最後のノードから順に：'], 'code.scoring.over': ['game over: its result is the score', '決着している：結果が評価値'],
  'code.scoring.circle': ['circle to move: the greatest score of its children', '〇の手番：子の評価値の最大値'],
  'code.scoring.cross': ['cross to move: the least score of its children', '×の手番：子の評価値の最小値'],
});

const EVALUATING = ['depth_limited', 'iterative_deepening', 'pvs'];
const DEEPENING = ['iterative_deepening', 'pvs'];
const SCOUTING = ['scout', 'pvs'];

const TREE_LINES = {
  'building-bfs': [['start', 0], ['bfs', 0], ['bfs.add', 1]],
  'building-dfs': [['start', 0], ['dfs', 0], ['dfs.add', 1]],
  scoring: [['scoring', 0], ['scoring.over', 1], ['scoring.circle', 1], ['scoring.cross', 1]],
};

/** The lines of an algorithm with its options: [name, how far it is indented]. */
function linesOf({ algorithm, use_table }) {
  if (Object.hasOwn(TREE_LINES, algorithm)) return TREE_LINES[algorithm];
  const scouts = SCOUTING.includes(algorithm);
  const head = algorithm === 'mtdf' ? [['mtdf', 0], ['bound', 1]] : [[DEEPENING.includes(algorithm) ? 'deepen' : 'call', 0]];
  return [
    ...head, ['visit', 0], [EVALUATING.includes(algorithm) ? 'depth' : 'over', 1], ...(use_table ? [['table', 1]] : []),
    ...(scouts ? [['first', 1], ['null', 1], ['again', 2]] : [['child', 1]]), ...(algorithm === 'minimax' ? [] : [['cut', 2]]), ['return', 1],
  ];
}

/** The line that a step of a model runs. */
function lineAt(model, step) {
  const { node, kind } = model.at(step);
  const before = step ? model.at(step - 1) : {};
  const isRoot = model.nodes.ply[node] === 0;
  const { turn } = model.nodes.record(node);
  if (kind === 'create') return isRoot ? 'start' : 'add';
  if (kind === 'score') return `scoring.${turn ?? 'over'}`;
  if (kind === 'hit') return 'table';
  if (kind === 'leave' && before.node === node && before.kind === 'hit') return 'table';
  if (kind === 'leave') return before.node === node && before.kind === 'enter' ? 'over' : isRoot ? 'root' : 'return';
  if (kind === 'enter' && !isRoot) {
    const { place, isAgain } = model.entryOf(node);
    return isAgain ? 'again' : place === 1 ? 'first' : 'null';
  }
  return kind === 'enter' ? 'call' : kind;
}

/** Lines that stand for others where an algorithm lacks these. */
const INSTEAD = { call: ['mtdf', 'deepen'], root: ['bound', 'return'], over: ['depth'], first: ['child'], null: ['child'], again: ['child'], add: ['bfs.add', 'dfs.add'] };

export class Code {
  constructor() {
    this.list = el('ol', { class: 'code' });
    this.element = el('details', { class: 'algorithm', open: true }, el('summary', {}, t('code.title')), this.list);
    this.lit = null;
  }

  /** Show the lines of the search that a model replays. */
  start(model, search) {
    const { alpha = null, beta = null } = model.at(0);
    const { ordering, order_all } = search;
    const order = ordering ? t(order_all ? 'code.sorted' : 'code.ordered', { ordering }) : '';
    this.model = model;
    this.lines = new Map(linesOf(search).map(([name, depth]) => [name, el('li', { dataset: { line: name }, style: `--depth: ${depth}` },
      t(`code.${name}`, { alpha: lowEnd(alpha), beta: highEnd(beta), order }))]));
    this.list.replaceChildren(...this.lines.values());
  }

  /** Light the line of a step. */
  update(step) {
    const name = lineAt(this.model, step);
    const lit = [name, ...(INSTEAD[name] ?? [])].map((each) => this.lines.get(each)).find(Boolean);
    if (lit === this.lit) return;
    this.lit?.removeAttribute('aria-current');
    lit?.setAttribute('aria-current', 'step');
    this.lit = lit;
  }
}
