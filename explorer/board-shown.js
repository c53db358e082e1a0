// What the reader wants to see of each move on the board, and the AI that is asked about it.

import { choices } from './api.js';
import { choice, el } from './dom.js';
import { OUTCOME } from './drawing.js';
import { t } from './i18n.js';

const SHOWN = ['nothing', 'outcome', 'score', 'score_sv', 'score_svrd', 'distance', 'value'];

/** What the reader has chosen; kept when the language or the view changes. */
export const settings = { shown: 'outcome', adviser: '' };

/** The fields to choose it; `changed` is called when something else is chosen. */
export function makeShown(game, changed) {
  const field = (name, label, options) => choice(label, options, settings[name], (value) => {
    settings[name] = value;
    changed();
  }, { dataset: { control: name } });
  return el('div', { class: 'row' },
    field('shown', t('board.show'), SHOWN.filter((each) => each !== 'score_svrd' || game.tables.includes('positions')).map((each) => [each, t(`board.show.${each}`)])),
    field('adviser', t('board.adviser'), [['', t('board.nobody')], ...game.opponents.map((ai) => [ai, ai])]));
}

/** What the AI makes of each move of a position; null when no AI is asked or there is no move. */
export const advise = async (here) => (settings.adviser && here.moves.length ? choices(settings.adviser, here) : null);

/** What the empty cell of a move shows: what it leads to, or what the AI makes of it. */
export function hintOf(move, advised) {
  switch (settings.shown) {
    case 'nothing': return '';
    case 'outcome': return OUTCOME[move.score];
    case 'value': return String(advised?.ai_score ?? '');
    default: return String(move[settings.shown]);
  }
}
