// The animations in words: the name of a search, a step, a score.

import { cellName } from './cells.js';
import { number, t } from './i18n.js';

const OPTIONS = ['ordering', 'order_all', 'shortest_victory', 'init_window', 'use_table', 'seed', 'max_depth', 'evaluation'];

/** A search by its columns. */
export function searchName(trace) {
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
export function wordsOf(game, { nodes }, { node, kind, alpha, beta, score = null, skipped }) {
  const { status, turn } = nodes.record(node);
  const isEnd = kind !== 'leave' && kind !== 'cut' && turn === null;
  const said = t(`animation.words.${kind === 'score' && turn ? `score.${turn}` : kind}`, {
    skipped, alpha: lowEnd(alpha), beta: highEnd(beta), score: score === null ? '' : scoreText(score), move: moveOf(game, nodes, node),
  });
  return isEnd ? t('animation.words.over', { words: said, over: t(`animation.over.${status}`) }) : said;
}

/** The move that leads to a node. */
function moveOf(game, nodes, node) {
  const { turn } = nodes.record(nodes.parent[node]) ?? {};
  return turn ? t('animation.played', { who: t(`animation.${turn}`), cell: cellName(game, nodes.cell[node]) }) : t('animation.start');
}

/** A score with a minus of its own width. */
export const scoreText = (score) => String(Number(score.toFixed(3))).replace('-', '−');

/** The ends of a window. */
export const lowEnd = (alpha) => (Number.isFinite(alpha) ? scoreText(alpha) : '−∞');
export const highEnd = (beta) => (Number.isFinite(beta) ? scoreText(beta) : '∞');
