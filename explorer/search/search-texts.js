// The texts of the replays in every language, and their words: a step, a score, the ends of a window.

import { addTexts, t } from '../words/i18n.js';
import { cellName } from '../words/moves.js';

addTexts({
  'search.searches': ['Searches', '探索'], 'search.trees': ['The full tree', 'ゲーム木の全体'], 'search.algorithm': ['Algorithm', 'アルゴリズム'],
  'search.algorithm.minimax': ['Minimax', 'ミニマックス法'], 'search.algorithm.alphabeta': ['Alpha-beta', 'αβ法'], 'search.algorithm.scout': ['Scout', 'スカウト法'],
  'search.algorithm.mtdf': ['MTD(f)', 'MTD(f) 法'], 'search.algorithm.nullwindow': ['Null window', 'null window 探索'],
  'search.algorithm.depth_limited': ['Depth-limited', '深さ制限探索'], 'search.algorithm.iterative_deepening': ['Iterative deepening', '反復深化'],
  'search.algorithm.pvs': ['Principal variation search', 'PVS 法'], 'search.algorithm.building-bfs': ['Building, breadth first', '木の作成（幅優先）'],
  'search.algorithm.building-dfs': ['Building, depth first', '木の作成（深さ優先）'], 'search.algorithm.scoring': ['Scoring, last node first', '評価値の計算（末尾から）'],
  'search.choose.ordering': ['Order of moves', '手の順序付け'], 'search.choose.depth': ['Depth', '深さ'], 'search.choose.evaluation': ['Evaluation', '評価関数'],
  'search.choose.seed': ['Seed', '乱数の種'], 'search.with.ordering': ['{value} first', '{value} の着手を先頭に'],
  'search.with.ordering.all': ['all by {value}', 'すべて {value} の順'], 'search.without.ordering': ['as on the board', 'マスの番号順'],
  'search.with.depth': ['{value} {value|ply|plies}', '深さ {value}'], 'search.with.evaluation': ['evaluated by {value}', '評価関数 {value}'],
  'search.with.seed': ['seed {value}', '乱数の種 {value}'], 'search.with.use_table': ['table', '置換表'], 'search.with.init_window': ['root window', 'ルートの窓'],
  'search.with.shortest_victory': ['shortest victory', '最短の勝利を優先'], 'search.without.depth': ['to the end', '決着まで'], 'search.without.evaluation': ['none', 'なし'],
  'search.without.seed': ['first best move', '最初の最善手'], 'search.compare': ['Compare with another search', '別の探索と比べる'],
  'search.alone': ['Close this search', 'この探索を閉じる'], 'search.file': ['Open a trace…', '探索の記録を開く…'],
  'search.file.hint': ['A file that `marubatsu search --trace FILE` wrote; or drop it here', '`marubatsu search --trace FILE` で書き出したファイル。ここにドロップしても開けます'],
  'search.fromfile': ['from a file', 'ファイルから'],
  'search.file.none': ['“{name}” holds no trace of a search: `marubatsu search --trace FILE` writes one.', '「{name}」は探索の記録ではありません。`marubatsu search --trace FILE` で作れます。'],
  'search.file.large': ['“{name}” is larger than {most} MB.', '「{name}」は {most} MB を超えています。'],
  'search.file.game': ['“{name}” is a trace of {other}; this page shows {game}. Choose {other} as the game, then open the file again.', '「{name}」は {other} の探索の記録ですが、表示中のゲームは {game} です。ゲームを {other} に変えてから開き直してください。'],
  'search.file.board': ['“{name}” starts at {board}, which play cannot reach.', '「{name}」の最初の盤面 {board} に至る対局はありません。'],
  'search.file.outside': ['Event {step} is outside of the search.', 'イベント {step} は探索の範囲外です。'],
  'search.file.nomove': ['Event {step} plays cell {cell}, which is no move of {board}.', 'イベント {step} のマス {cell} は、盤面 {board} の合法手ではありません。'],
  'search.file.again': ['The page keeps no files: open the trace again.', 'ファイルはページに保存されません。もう一度開いてください。'],
  'search.unknown': ['There is no search “{key}” here.', '「{key}」という探索はありません。'], 'search.play': ['Start', '再生'],
  'search.whole': ['all in {value} s, ever faster', '全体を {value} 秒で（徐々に加速）'], 'search.choose': ['Choose another search', '探索を選ぶ'],
  'search.result': ['The same score with {times} times fewer nodes: {less} instead of {more}.', '同じ評価値を {times} 分の 1 のノード数で：{more} に対して {less}。'],
  'search.pause': ['Pause', '一時停止'], 'search.first': ['First', '最初'], 'search.previous': ['Back', '戻る'], 'search.next': ['Forward', '進む'],
  'search.last': ['Last', '最後'], 'search.speed': ['Speed', '速さ'], 'search.rate': ['{value} a second', '毎秒 {value} ステップ'],
  'search.fastest': ['as fast as possible', 'できるだけ速く'],
  'search.slow': ['Your system asks for little motion: play makes at most {value} {value|step|steps} a second.', 'システムが動きを減らす設定になっているため、再生は毎秒 {value} ステップまでです。'],
  'search.step': ['Step {step} of {last}', 'ステップ {step} / {last}'], 'search.slider': ['Step', 'ステップ'],
  'search.keys': ['Keys: Space plays, ← → step, Home and End jump.', 'キー操作：Space で再生、← → で 1 ステップ、Home と End で両端へ。'],
  'search.node': ['Node of the board: {line}, {steps} {steps|step|steps}', '盤面のノード：{line}、ステップ数 {steps}'],
  'search.earlier': ['Its step before', 'このノードの前のステップ'], 'search.later': ['Its next step', 'このノードの次のステップ'],
  'search.map': ['The full tree, filled by the search: a row for each ply, a box for each node, as wide as its subtree; the words below say each step', '探索が進むと色が付くゲーム木の全体：行が手数、長方形がノード、幅が部分木のノード数を表します。各ステップは下の文でも説明します'],
  'search.map.hint': ['Point at a box, or click it to see its board. Ctrl + wheel or two fingers zoom.', '長方形にポインターを合わせると内容を、クリックすると盤面を表示します。Ctrl + ホイールまたは 2 本指で拡大・縮小、ドラッグで移動できます。'],
  'search.map.box': ['{line}: {state}; {nodes} {nodes|node|nodes} at and below it', '{line}：{state}、部分木のノード数 {nodes}'],
  'search.windows': ['The path: moves and windows', '経路：着手と窓'], 'search.place': ['{place}. {move}', '{place}. {move}'], 'search.state.visited': ['visited', '訪問済み'],
  'search.state.open': ['being visited', '訪問中'], 'search.state.cut': ['cut', '枝刈り'], 'search.state.known': ['answered by the table', '置換表で決定'],
  'search.state.depth': ['below the depth', '深さの限界より下'], 'search.state.later': ['not visited yet', '未訪問'], 'search.state.created': ['created', '作成済み'],
  'search.state.scored': ['scored', '計算済み'], 'search.state.won': ['circle wins', '〇の勝ち'], 'search.state.drawn': ['draw', '引き分け'],
  'search.state.lost': ['cross wins', '×の勝ち'], 'search.counter.visited': ['nodes visited', '訪問したノード'],
  'search.counter.hits': ['answered by the table', '置換表で決まったノード'], 'search.counter.cuts': ['cuts', '枝刈りの回数'],
  'search.counter.pruned': ['moves pruned', '枝刈りした着手'], 'search.counter.created': ['nodes created', '作成したノード'],
  'search.counter.scored': ['nodes scored', '評価値が決まったノード'], 'search.circle': ['Circle', '〇'], 'search.cross': ['Cross', '×'],
  'search.over.circle': ['circle has won', '〇の勝ち'], 'search.over.cross': ['cross has won', '×の勝ち'], 'search.over.draw': ['a draw', '引き分け'],
  'search.played': ['{who} plays {cell}', '{who}が {cell} に着手'], 'search.root': ['the root', 'ルート'],
  'search.words.enter': ['Enter: {move}. Window {alpha} to {beta}.', '訪問：{move}。窓は {alpha} から {beta}。'],
  'search.words.leave': ['Leave with score {score}.', '評価値 {score} で戻る。'],
  'search.words.hit': ['The transposition table answers: score {score}.', '置換表に登録済み：評価値 {score}。'],
  'search.words.cut': ['Cut: score {score} reaches an end of the window {alpha} to {beta}; moves pruned: {skipped}.', '枝刈り：評価値 {score} が窓（{alpha} から {beta}）の端に達したので、残りの {skipped} 手を省く。'],
  'search.words.create': ['Create: {move}.', '作成：{move}。'], 'search.words.over': ['{words} The game is over: {over}.', '{words}決着：{over}。'],
  'search.words.score': ['Score {score}.', '評価値は {score}。'],
  'search.words.score.circle': ['Circle to move: the greatest score of the children is {score}.', '〇の手番：子の評価値の最大値は {score}。'],
  'search.words.score.cross': ['Cross to move: the least score of the children is {score}.', '×の手番：子の評価値の最小値は {score}。'],
});

/** A step in words. */
export function wordsOf(game, { nodes }, { node, kind, alpha, beta, score = null, skipped }) {
  const { status, turn } = nodes.record(node);
  const isEnd = kind !== 'leave' && kind !== 'cut' && turn === null;
  const words = t(`search.words.${kind === 'score' && turn ? `score.${turn}` : kind}`, {
    skipped, alpha: lowEnd(alpha), beta: highEnd(beta), score: score === null ? '' : scoreText(score), move: moveOf(game, nodes, node),
  });
  return isEnd ? t('search.words.over', { words, over: t(`search.over.${status}`) }) : words;
}

/** The move that leads to a node. */
function moveOf(game, nodes, node) {
  const { turn } = nodes.record(nodes.parent[node]) ?? {};
  return turn ? t('search.played', { who: t(`search.${turn}`), cell: cellName(game, nodes.cell[node]) }) : t('search.root');
}

/** A score with a minus of its own width. */
const scoreText = (score) => String(Number(score.toFixed(3))).replace('-', '−');

/** The ends of a window. */
export const lowEnd = (alpha) => (Number.isFinite(alpha) ? scoreText(alpha) : '−∞');
export const highEnd = (beta) => (Number.isFinite(beta) ? scoreText(beta) : '∞');
