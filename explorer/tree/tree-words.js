// The texts of the tree in every language, and its nodes as words, pictures and rows of links.

import { el, facts } from '../elements/dom.js';
import { drawBoard, outcomeClass } from '../elements/drawing.js';
import { linkTo } from '../state/address.js';
import { addTexts, listed, number, percent, t } from '../words/i18n.js';
import { cellName, lineText } from '../words/moves.js';
import { isBest, settings } from './tree-nodes.js';

addTexts({
  'tree.score': ['Score', '評価値の種類'], 'tree.score.score': ['score', '評価値'], 'tree.score.score_sv': ['by speed', '早さ'],
  'tree.score.score_svrd': ['draws ranked', '引き分けの優劣'], 'tree.shown': ['At each node', '各ノードに表示'], 'tree.shown.score': ['score', '評価値'],
  'tree.shown.distance': ['moves left', '残り手数'], 'tree.shown.random': ['chances of random play', 'ランダム対局の確率'],
  'tree.shown.subtree': ['size of the subtree', '部分木のノード数'], 'tree.value.score': ['{name} {value}', '{name} {value}'],
  'tree.value.distance': ['moves left: {value}', '残り {value} 手'], 'tree.value.random': ['random play: {value}', 'ランダム対局 {value}'],
  'tree.value.subtree': ['nodes: {value}', '{value} ノード'], 'tree.dim': ['Dim moves that are not best', '最善手以外を薄く表示'], 'tree.best': ['best', '最善手'],
  'tree.jump': ['Board or line', '盤面または手順'], 'tree.go': ['Go there', '移動'],
  'tree.hint': ['A board such as {board}, or a line of cells such as {line} or {together}.', '盤面は {board} のように、手順は {line} または {together} のように入力します。'],
  'tree.unreadable': ['“{text}” is neither a board of {cells} {cells|cell|cells} (o, x and .) nor a line of cells.', '「{text}」は {cells} マスの盤面（o、x、.）でも手順でもありません。'],
  'tree.unreachable': ['Play cannot reach the board “{text}”.', '盤面「{text}」に至る対局はありません。'],
  'tree.badmove': ['Move {at} of this line, {cell}, is not possible there.', 'この手順の {at} 手目 {cell} には着手できません。'],
  'tree.nomove': ['This is no move here: {key}.', 'ここには着手できません：{key}'], 'tree.path': ['Path from the root', 'ルートからの手順'],
  'tree.siblings': ['Siblings', '兄弟ノード'], 'tree.children': ['Children', '子ノード'], 'tree.continuation': ['Best continuation', '最善手による進行'],
  'tree.nosiblings': ['The root has no siblings.', 'ルートに兄弟ノードはありません。'], 'tree.onlychild': ['There was no other move.', 'ほかに合法手はありませんでした。'],
  'tree.nochildren': ['The game is over here.', 'ここで決着がついています。'], 'tree.list': ['The tree', 'ゲーム木'], 'tree.status.circle': ['circle has won', '〇の勝ちで決着'],
  'tree.status.draw': ['ended in a draw', '引き分けで決着'], 'tree.status.cross': ['cross has won', '×の勝ちで決着'],
  'tree.keys': ['Keys: ↑ ↓ next node, → open or first child, ← close or parent, Enter or Space select, Home root, End last.', 'キー：↑ ↓ 前後のノード、→ 開く・最初の子へ、← 閉じる・親へ、Enter・Space 選択、Home ルート、End 最後。'],
  'tree.pad': ['The digits play a move, as on a number pad: 7 8 9 is the top row.', '数字キーはテンキーの位置に着手します（7 8 9 が一番上の行）。'],
  'tree.facts': ['This node', 'このノード'], 'tree.fact.line': ['line', '手順'], 'tree.fact.board': ['board', '盤面'],
  'tree.fact.subtree': ['nodes at and below it', '部分木のノード数'], 'tree.fact.distance': ['moves left', '残り手数'],
  'tree.fact.outcome': ['with best play', '双方が最善を尽くした結果'], 'tree.noline': ['none: the root', 'なし（ルート）'], 'tree.tosearch': ['In the search', '探索で見る'],
  'tree.map': ['The whole tree: a row for each move, a box for each node, as wide as what is below it, in the colour of who wins; the list below says the same', 'ゲーム木の全体：行が手数、長方形がノード、幅が部分木のノード数、色が結果を表します。下の一覧と同じ内容です'],
  'tree.map.hint': ['Blue: circle wins. Grey: a draw. Orange: cross wins. The strip in a grey box: how random play would end. Point at a box or click it; Ctrl + wheel or two fingers zoom.', '青：〇の勝ち、灰：引き分け、橙：×の勝ち。長方形にポインターを合わせると内容を、クリックすると盤面を表示します。灰色の長方形の帯はランダム対局の結果の割合です。Ctrl + ホイールまたは 2 本指で拡大・縮小、ドラッグで移動できます。'],
  'tree.map.box': ['{line}: {outcome}, {nodes} {nodes|node|nodes}', '{line}：{outcome}、{nodes} ノード'], 'tree.overview': ['The whole tree by ply', 'ゲーム木の全体（手数ごと）'],
  'tree.loading': ['Loading…', '読み込んでいます…'],
  'tree.caption': ['Nodes of the whole tree, by what they are worth; the ply of the node shown is marked.', 'ゲーム木全体のノード数（結果別）。表示中のノードの手数の行を目立たせています。'],
  'tree.column.ply': ['ply', '手数'], 'tree.column.positions': ['positions', '局面'], 'tree.column.nodes': ['nodes', 'ノード'], 'tree.column.won': ['〇 circle wins', '〇の勝ち'],
  'tree.column.drawn': ['△ draw', '△ 引き分け'], 'tree.column.lost': ['× cross wins', '×の勝ち'], 'tree.column.shares': ['shares', '割合'], 'tree.all': ['all', '合計'],
});

/** What the address says of a node. */
export const changesOf = (game, cells) => ({
  start: null, at: null, line: lineText(game, cells, '.'), score: settings.score === 'score' ? null : settings.score,
});

/** Who wins: has won when the game is over, or wins with best play. */
const outcomeOf = ({ turn, status, score }) => t(turn ? `leads.${score}` : `tree.status.${status}`);

/** The chances of random play; lines break between them only. */
const chancesOf = (position) => [['〇', 'circle'], ['△', 'draw'], ['×', 'cross']].map(([mark, result]) =>
  `${mark} ${percent(position[`random_${result}`])}`.replaceAll(' ', '\u00a0')).join(' ');

const moveOf = ({ parent, move }, game) => (parent ? cellName(game, move) : t('icicle.root'));

/** What the reader wants to see at each node. */
function valueOf({ position }) {
  const value = {
    score: () => String(position[settings.score]), distance: () => number(position.distance),
    random: () => chancesOf(position), subtree: () => number(position.subtree),
  }[settings.shown]();
  return t(`tree.value.${settings.shown}`, { value, name: t(`tree.score.${settings.score}`) });
}

const moverOf = ({ parent, move, position }) => parent && t(`mark.${position.board[move]}`);

/** A node in words, for screen readers. */
export const sentenceOf = (node, game) =>
  listed([moveOf(node, game), moverOf(node), outcomeOf(node.position), valueOf(node), node.parent && isBest(node) && t('tree.best')]);

/** The words next to or below the board of a node; the board shows who moved, and screen readers say it. */
export const wordsOf = (node, game) => [
  ['move', moveOf(node, game)], ['outcome', outcomeOf(node.position)], ['value', valueOf(node)],
  ['best', node.parent && isBest(node) && t('tree.best')], ['spoken', moverOf(node)],
].filter(([, text]) => text).flatMap(([name, text]) => [el('span', { class: name }, text), ' ']);

export const classOf = (node) => `node ${outcomeClass(node.position.score)} ${isBest(node) ? '' : 'other'}`;

/** The board of a node, its last move ringed; the words say it to screen readers. */
export const pictureOf = ({ parent, move, position }, columns, size) =>
  el('span', { 'aria-hidden': 'true' }, drawBoard(columns, position.board, { size, marked: parent ? [move] : [] }));

/** A row of nodes, each a link to itself; `current` is the one shown. */
export function rowOf(nodes, game, current) {
  return el('ol', { class: 'nodes' }, nodes.map((node) => el('li', {}, el('a', {
    ...linkTo(changesOf(game, node.cells)), class: classOf(node), 'aria-current': node === current ? 'true' : null,
  }, pictureOf(node, game.columns, 56), wordsOf(node, game)))));
}

/** The facts of a node, and where else to look at it; those of its position are in the pane of moves. */
export function factsOf(game, { cells, position }) {
  const fact = (name, value) => [t(`tree.fact.${name}`), value, name];
  return el('section', { dataset: { part: 'facts' } }, el('h2', {}, t('tree.facts')),
    facts([
      fact('line', cells.length ? lineText(game, cells) : t('tree.noline')), fact('board', el('code', {}, position.board)),
      fact('outcome', el('span', { class: outcomeClass(position.score) }, outcomeOf(position))), fact('distance', number(position.distance)), fact('subtree', number(position.subtree)),
    ]),
    el('p', { class: 'row' }, el('a', linkTo({ ...changesOf(game, cells), pane: 'search' }), t('tree.tosearch'))));
}
