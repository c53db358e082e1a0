// The replays in words: a step, a score, the ends of a window.

import { t } from '../words/i18n.js';
import { cellName } from '../words/moves.js';

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
export const scoreText = (score) => String(Number(score.toFixed(3))).replace('-', '−');

/** The ends of a window. */
export const lowEnd = (alpha) => (Number.isFinite(alpha) ? scoreText(alpha) : '−∞');
export const highEnd = (beta) => (Number.isFinite(beta) ? scoreText(beta) : '∞');
