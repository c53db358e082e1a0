// The texts of the replays in every language, and their words: a step, a score, the ends of a window.

import { addTexts, t } from '../words/i18n.js';
import { cellName } from '../words/moves.js';

addTexts({
  en: {
    'search.searches': 'Searches', 'search.trees': 'The full tree', 'search.algorithm': 'Algorithm',
    'search.algorithm.minimax': 'Minimax', 'search.algorithm.alphabeta': 'Alpha-beta', 'search.algorithm.scout': 'Scout', 'search.algorithm.mtdf': 'MTD(f)', 'search.algorithm.nullwindow': 'Null window',
    'search.algorithm.depth_limited': 'Depth-limited', 'search.algorithm.iterative_deepening': 'Iterative deepening', 'search.algorithm.pvs': 'Principal variation search',
    'search.algorithm.building-bfs': 'Building, breadth first', 'search.algorithm.building-dfs': 'Building, depth first', 'search.algorithm.scoring': 'Scoring, last node first',
    'search.choose.ordering': 'Order of moves', 'search.choose.depth': 'Depth', 'search.choose.evaluation': 'Evaluation', 'search.choose.seed': 'Seed',
    'search.with.ordering': '{value} first', 'search.with.ordering.all': 'all by {value}', 'search.without.ordering': 'as on the board', 'search.with.depth': '{value} {value|ply|plies}', 'search.with.evaluation': 'evaluated by {value}', 'search.with.seed': 'seed {value}',
    'search.with.use_table': 'table', 'search.with.init_window': 'root window', 'search.with.shortest_victory': 'shortest victory',
    'search.without.depth': 'to the end', 'search.without.evaluation': 'none', 'search.without.seed': 'first best move',
    'search.compare': 'Compare with another search', 'search.alone': 'Close this search',
    'search.file': 'Open a trace…', 'search.file.hint': 'A file that `marubatsu search --trace FILE` wrote; or drop it here', 'search.fromfile': 'from a file',
    'search.file.none': '“{name}” holds no trace of a search: `marubatsu search --trace FILE` writes one.', 'search.file.large': '“{name}” is larger than {most} MB.',
    'search.file.game': '“{name}” is a trace of {other}; this page shows {game}. Choose {other} as the game, then open the file again.', 'search.file.board': '“{name}” starts at {board}, which play cannot reach.',
    'search.file.again': 'The page keeps no files: open the trace again.', 'search.unknown': 'There is no search “{key}” here.',
    'search.play': 'Start', 'search.whole': 'all in {value} s, ever faster', 'search.choose': 'Choose another search',
    'search.result': 'The same score with {times} times fewer nodes: {less} instead of {more}.', 'search.pause': 'Pause', 'search.first': 'First', 'search.previous': 'Back', 'search.next': 'Forward', 'search.last': 'Last',
    'search.speed': 'Speed', 'search.rate': '{value} a second', 'search.fastest': 'as fast as possible',
    'search.slow': 'Your system asks for little motion: play makes at most {value} {value|step|steps} a second.',
    'search.step': 'Step {step} of {last}', 'search.slider': 'Step', 'search.keys': 'Keys: Space plays, ← → step, Home and End jump.',
    'search.node': 'Node of the board: {line}, {steps} {steps|step|steps}', 'search.earlier': 'Its step before', 'search.later': 'Its next step',
    'search.map': 'The full tree, filled by the search: a row for each ply, a box for each node, as wide as its subtree; the words below say each step', 'search.map.hint': 'Point at a box, or click it to see its board. Ctrl + wheel or two fingers zoom.',
    'search.map.box': '{line}: {state}; {nodes} {nodes|node|nodes} at and below it', 'search.windows': 'The path: moves and windows', 'search.place': '{place}. {move}',
    'search.state.visited': 'visited', 'search.state.open': 'being visited', 'search.state.cut': 'cut', 'search.state.known': 'answered by the table', 'search.state.depth': 'below the depth', 'search.state.later': 'not visited yet', 'search.state.created': 'created', 'search.state.scored': 'scored',
    'search.legend.open': 'being visited', 'search.legend.won': 'circle wins', 'search.legend.drawn': 'draw', 'search.legend.lost': 'cross wins', 'search.legend.cut': 'cut (pruned)', 'search.legend.known': 'answered by the table', 'search.legend.later': 'not visited', 'search.legend.created': 'created',
    'search.counter.visited': 'nodes visited', 'search.counter.hits': 'answered by the table', 'search.counter.cuts': 'cuts', 'search.counter.pruned': 'moves pruned', 'search.counter.created': 'nodes created', 'search.counter.scored': 'nodes scored',
    'search.circle': 'Circle', 'search.cross': 'Cross', 'search.over.circle': 'circle has won', 'search.over.cross': 'cross has won', 'search.over.draw': 'a draw',
    'search.played': '{who} plays {cell}', 'search.root': 'the root',
    'search.words.enter': 'Enter: {move}. Window {alpha} to {beta}.', 'search.words.leave': 'Leave with score {score}.',
    'search.words.hit': 'The transposition table answers: score {score}.', 'search.words.cut': 'Cut: score {score} reaches an end of the window {alpha} to {beta}; moves pruned: {skipped}.',
    'search.words.create': 'Create: {move}.', 'search.words.over': '{words} The game is over: {over}.',
    'search.words.score': 'Score {score}.', 'search.words.score.circle': 'Circle to move: the greatest score of the children is {score}.', 'search.words.score.cross': 'Cross to move: the least score of the children is {score}.',
  },
  ja: {
    'search.searches': '探索', 'search.trees': 'ゲーム木の全体', 'search.algorithm': 'アルゴリズム',
    'search.algorithm.minimax': 'ミニマックス法', 'search.algorithm.alphabeta': 'αβ法', 'search.algorithm.scout': 'スカウト法', 'search.algorithm.mtdf': 'MTD(f) 法', 'search.algorithm.nullwindow': 'null window 探索',
    'search.algorithm.depth_limited': '深さ制限探索', 'search.algorithm.iterative_deepening': '反復深化', 'search.algorithm.pvs': 'PVS 法',
    'search.algorithm.building-bfs': '木の作成（幅優先）', 'search.algorithm.building-dfs': '木の作成（深さ優先）', 'search.algorithm.scoring': '評価値の計算（末尾から）',
    'search.choose.ordering': '手の順序付け', 'search.choose.depth': '深さ', 'search.choose.evaluation': '評価関数', 'search.choose.seed': '乱数の種',
    'search.with.ordering': '{value} の着手を先頭に', 'search.with.ordering.all': 'すべて {value} の順', 'search.without.ordering': 'マスの番号順', 'search.with.depth': '深さ {value}', 'search.with.evaluation': '評価関数 {value}', 'search.with.seed': '乱数の種 {value}',
    'search.with.use_table': '置換表', 'search.with.init_window': 'ルートの窓', 'search.with.shortest_victory': '最短の勝利を優先',
    'search.without.depth': '決着まで', 'search.without.evaluation': 'なし', 'search.without.seed': '最初の最善手',
    'search.compare': '別の探索と比べる', 'search.alone': 'この探索を閉じる',
    'search.file': '探索の記録を開く…', 'search.file.hint': '`marubatsu search --trace FILE` で書き出したファイル。ここにドロップしても開けます', 'search.fromfile': 'ファイルから',
    'search.file.none': '「{name}」は探索の記録ではありません。`marubatsu search --trace FILE` で作れます。', 'search.file.large': '「{name}」は {most} MB を超えています。',
    'search.file.game': '「{name}」は {other} の探索の記録ですが、表示中のゲームは {game} です。ゲームを {other} に変えてから開き直してください。', 'search.file.board': '「{name}」の最初の盤面 {board} に至る対局はありません。',
    'search.file.again': 'ファイルはページに保存されません。もう一度開いてください。', 'search.unknown': '「{key}」という探索はありません。',
    'search.play': '再生', 'search.whole': '全体を {value} 秒で（徐々に加速）', 'search.choose': '探索を選ぶ',
    'search.result': '同じ評価値を {times} 分の 1 のノード数で：{more} に対して {less}。', 'search.pause': '一時停止', 'search.first': '最初', 'search.previous': '戻る', 'search.next': '進む', 'search.last': '最後',
    'search.speed': '速さ', 'search.rate': '毎秒 {value} ステップ', 'search.fastest': 'できるだけ速く',
    'search.slow': 'システムが動きを減らす設定になっているため、再生は毎秒 {value} ステップまでです。',
    'search.step': 'ステップ {step} / {last}', 'search.slider': 'ステップ', 'search.keys': 'キー操作：Space で再生、← → で 1 ステップ、Home と End で両端へ。',
    'search.node': '盤面のノード：{line}、ステップ数 {steps}', 'search.earlier': 'このノードの前のステップ', 'search.later': 'このノードの次のステップ',
    'search.map': '探索が進むと色が付くゲーム木の全体：行が手数、長方形がノード、幅が部分木のノード数を表します。各ステップは下の文でも説明します', 'search.map.hint': '長方形にポインターを合わせると内容を、クリックすると盤面を表示します。Ctrl + ホイールまたは 2 本指で拡大・縮小、ドラッグで移動できます。',
    'search.map.box': '{line}：{state}、部分木のノード数 {nodes}', 'search.windows': '経路：着手と窓', 'search.place': '{place}. {move}',
    'search.state.visited': '訪問済み', 'search.state.open': '訪問中', 'search.state.cut': '枝刈り', 'search.state.known': '置換表で決定', 'search.state.depth': '深さの限界より下', 'search.state.later': '未訪問', 'search.state.created': '作成済み', 'search.state.scored': '計算済み',
    'search.legend.open': '訪問中', 'search.legend.won': '〇の勝ち', 'search.legend.drawn': '引き分け', 'search.legend.lost': '×の勝ち', 'search.legend.cut': '枝刈り', 'search.legend.known': '置換表で決定', 'search.legend.later': '未訪問', 'search.legend.created': '作成済み',
    'search.counter.visited': '訪問したノード', 'search.counter.hits': '置換表で決まったノード', 'search.counter.cuts': '枝刈りの回数', 'search.counter.pruned': '枝刈りした着手', 'search.counter.created': '作成したノード', 'search.counter.scored': '評価値が決まったノード',
    'search.circle': '〇', 'search.cross': '×', 'search.over.circle': '〇の勝ち', 'search.over.cross': '×の勝ち', 'search.over.draw': '引き分け',
    'search.played': '{who}が {cell} に着手', 'search.root': 'ルート',
    'search.words.enter': '訪問：{move}。窓は {alpha} から {beta}。', 'search.words.leave': '評価値 {score} で戻る。',
    'search.words.hit': '置換表に登録済み：評価値 {score}。', 'search.words.cut': '枝刈り：評価値 {score} が窓（{alpha} から {beta}）の端に達したので、残りの {skipped} 手を省く。',
    'search.words.create': '作成：{move}。', 'search.words.over': '{words}決着：{over}。',
    'search.words.score': '評価値は {score}。', 'search.words.score.circle': '〇の手番：子の評価値の最大値は {score}。', 'search.words.score.cross': '×の手番：子の評価値の最小値は {score}。',
  },
});

/** A step in words. */
export function wordsOf(game, { nodes }, { node, kind, alpha, beta, score = null, skipped }) {
  const { status, turn } = nodes.record(node);
  const isEnd = kind !== 'leave' && kind !== 'cut' && turn === null;
  const said = t(`search.words.${kind === 'score' && turn ? `score.${turn}` : kind}`, {
    skipped, alpha: lowEnd(alpha), beta: highEnd(beta), score: score === null ? '' : scoreText(score), move: moveOf(game, nodes, node),
  });
  return isEnd ? t('search.words.over', { words: said, over: t(`search.over.${status}`) }) : said;
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
