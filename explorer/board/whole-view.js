// The right side of the first screen: what is true of the whole game, its picture, and the game so far.

import { el } from '../elements/dom.js';
import { linkTo } from '../state/address.js';
import { emptyBoard } from '../state/record.js';
import { GameMap, LineMap } from '../tree/game-map.js';
import { nameOfGame, resultOf, rulesOf } from '../words/game-names.js';
import { addTexts, number, t } from '../words/i18n.js';
import { History } from './history.js';

addTexts({
  'whole.side': ['The whole game', 'ゲームの全体'], 'whole.all': ['{positions} positions, all solved.', '全 {positions} 局面を解析済み。'],
  'whole.solved': ['Every position is solved.', 'すべての局面を解析済み。'], 'whole.searched': ['A search answers, move by move.', '評価値は 1 手ごとに探索で求めます。'],
  'whole.value.1': ['With best play circle wins in {distance} {distance|move|moves}. Can you find the way?', '最善なら {distance} 手で〇が勝ちます。見つけられますか？'],
  'whole.value.0': ['With best play it is a draw. Can you hold it?', '最善なら引き分けです。守り切れますか？'],
  'whole.value.-1': ['With best play cross wins in {distance} {distance|move|moves}. Can you find the way?', '最善なら {distance} 手で×が勝ちます。見つけられますか？'],
  'whole.known': ['Known result of best play: {result}.', '知られている結果：最善なら{result}。'],
  'whole.prove': ['Check {classes} {classes|value|values} in your browser', '{classes} 個の値をブラウザで確かめる'],
  'whole.needs': ['Alpha-beta, a search that skips what cannot matter, needs {visited} of these {nodes} {nodes|box|boxes}.', '結果に影響しない手を調べない αβ法なら、全 {nodes} ノードのうち {visited} ノードで足ります。'],
  'whole.watch': ['Watch it search', '探索を見る'],
});

/** What is known of the whole game, from what is known of its empty board. */
function truthOf(game, root) {
  const isKnown = root.score !== null && root.distance !== null;
  const truth = isKnown ? t(`whole.value.${root.score}`, root) : game.score !== null && t('whole.known', { result: resultOf(game.score) });
  const size = game.plies.length ? t('whole.all', { positions: number(game.plies.reduce((sum, row) => sum + row.positions, 0)) })
    : t(game.tables.length ? 'whole.solved' : 'whole.searched');
  return [size, truth].filter(Boolean).join(t('space'));
}

/** The plainest alpha-beta search that can be watched. */
const plainest = ({ traces }) => traces.find((search) => search.algorithm === 'alphabeta' && !search.ordering && !search.use_table && !search.init_window && !search.shortest_victory);

export class WholeView {
  /** `goTo(at)` shows a step of the game, `follow(cells)` the position after a line. */
  constructor(game, { goTo, follow }) {
    this.game = game;
    this.truth = el('p', { class: 'truth' });
    this.map = game.tree ? new GameMap(game, follow) : new LineMap(game);
    this.history = new History(game, goTo);
    this.history.element.hidden = true;
    const search = plainest(game);
    this.watch = el('a', { ...linkTo({ pane: 'search', show: null, beside: null, step: null, play: 'on' }), class: 'button primary' }, t('whole.watch'));
    this.element = el('section', { class: 'whole-view', 'aria-label': t('whole.side') },
      el('h2', { class: 'game-name' }, nameOfGame(game)), this.truth, el('p', { class: 'rules soft' }, rulesOf(game)), this.map.element,
      game.tree && search && el('p', { class: 'needs' }, t('whole.needs', { visited: number(search.entered), nodes: number(game.tree.nodes) }), ' ', this.watch),
      game.proof && el('p', { class: 'needs' }, el('a', { href: `proof/index.html?game=${encodeURIComponent(game.name)}` }, t('whole.prove', { classes: number(game.proof.classes) }))),
      this.history.element);
    game.glance(emptyBoard(game)).then((root) => this.showTruth(root), () => {}); // The board says what is wrong.
  }

  showTruth(root) {
    this.truth.textContent = truthOf(this.game, root);
  }

  /** Show a record: `isLit` when values may be seen, `fault` the number of the move that gave the game away, or null. */
  update(record, { isLit, fault }) {
    if (!record.start.ply && !record.start.is_glance) this.showTruth(record.start);
    this.watch.classList.toggle('primary', Boolean(record.here.turn)); // At the end, to play again is the first thing to do.
    this.map.update(record, { isLit, fault });
    this.history.update(record, { isLit });
  }
}
