// What a move was: best, the only one, forced, or a blunder; and what it gave away.

import { t } from './i18n.js';

/** The score of a position or a move from the view of a side: 1, 0, -1; null where it is unknown. */
export const scoreFor = (side, { score }) => (score === null ? null : side === 'circle' ? score : -score);

/**
 * The kind of a move of a position: 'forced' (there was no other), 'only' (no other loses nothing),
 * 'best', 'mistake' (it loses 1), 'blunder' (it loses 2), 'unknown'.
 */
export function kindOf(here, move) {
  if (here.moves.length === 1) return 'forced';
  if (move.loss === null) return 'unknown';
  if (move.loss) return move.loss === 1 ? 'mistake' : 'blunder';
  return here.moves.every((each) => each === move || each.loss > 0) ? 'only' : 'best';
}

/** The mark of a kind, as players write it. */
export const MARK = { forced: '□', only: '!', best: '', mistake: '?', blunder: '??', unknown: '·' };

/** The kind of a move in words: of one that loses something, what that is. */
export function kindText(here, move) {
  const name = kindOf(here, move);
  if (!move.loss) return t(`kind.${name}`);
  return t('kind.gives', { before: t(`kind.score.${scoreFor(here.turn, here)}`), after: t(`kind.score.${scoreFor(here.turn, move)}`) });
}

/** Who wins a position with best play, or has won it, from the view of its mover: 'win', 'draw', 'loss', 'unknown'. */
export const valueOf = (score) => (score === null ? 'unknown' : ['loss', 'draw', 'win'][score + 1]);
