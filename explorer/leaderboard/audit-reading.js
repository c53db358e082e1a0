// Reading the JSON of an audit: every part of it is checked, for any program may have written it.

import { addTexts, t } from '../words/i18n.js';

addTexts({
  'audit.toolarge': ['The file is larger than {limit} MB, which no audit is.', 'ファイルが {limit} MB を超えています。検証結果のファイルではありません。'],
  'audit.notjson': ['The file is not JSON, as audits and saved games are. Logs of games are for the command marubatsu review.', 'ファイルは JSON ではありません（検証結果や保存した対局は JSON です）。対局の記録は marubatsu review コマンドで検証できます。'],
  'audit.notaudit': ['The file is not the JSON of an audit: {where} is missing or not what it should be.', '検証結果の JSON ではありません：{where} がないか、正しくありません。'],
  'audit.othergame': ['The audit is of the game {game}; this page shows {name}.', 'この検証結果は {game} のものです。このページは {name} を表示しています。'],
  'audit.unreadable': ['The file cannot be read.', 'ファイルを読めません。'],
});

const LARGEST = 5; // MB of a file
const LONGEST = 2000; // characters of a text in a file

/** What a file says, after every part of it was checked; throws an Error with a sentence. */
export async function readAudit(game, file) {
  if (file.size > LARGEST * 1e6) throw new Error(t('audit.toolarge', { limit: LARGEST }));
  const text = await file.text().catch(() => { throw new Error(t('audit.unreadable')); });
  let audit;
  try {
    audit = JSON.parse(text);
  } catch {
    throw new Error(t('audit.notjson'));
  }
  const wrong = unlike(shapeOf(game), audit, '') ?? excess(audit);
  if (wrong !== null) throw new Error(t('audit.notaudit', { where: wrong || 'object' }));
  if (audit.game !== game.name) throw new Error(t('audit.othergame', { game: audit.game.slice(0, 40), name: game.name }));
  return audit;
}

/** What an audit must look like: objects by key, [each of a list], or a test. */
function shapeOf(game) {
  const size = game.columns * game.rows;
  const text = (value) => typeof value === 'string' && value.length <= LONGEST;
  const count = (value) => Number.isSafeInteger(value) && value >= 0;
  const percent = (value) => Number.isFinite(value) && value >= 0 && value <= 100;
  const flag = (value) => typeof value === 'boolean';
  const board = (value) => text(value) && value.length === size && /^[ox.]+$/.test(value);
  const cell = (value) => count(value) && value < size;
  const cells = (value) => Array.isArray(value) && value.length <= size && value.every(cell);
  const side = (value) => value === 'circle' || value === 'cross';
  const score = (value) => [-1, 0, 1].includes(value);
  const known = (test) => (value) => value === null || test(value);
  return {
    schema: (value) => value === 3, game: text, ai: text, family: text, asked: count, examined: count, without_answer: count, repeats: count, could_read_answers: known(text),
    findings: [{ kind: text, count, board: (value) => value === '' || board(value), detail: text }],
    verdicts: {
      classes_right: known(count), classes: count, positions_right: known(count), positions: count,
      best_move_percent: known(percent), mean_plies_lost: known((value) => Number.isFinite(value) && value >= 0 && value <= size), strongly_solved: known(flag), as_circle: known(flag), as_cross: known(flag), weakly_solved: known(flag),
    },
    blunders_by_ply: [{ ply: cell, critical: count, wrong: count, loses_a_won_game: count, mean_chance_percent: percent }],
    blunders: [{ board, turn: side, move: cell, board_after: board, score, score_after: score, chance_percent: percent, best_moves: cells, ply: count, class: known(count) }],
    refutations: [{ side, length: count, moves: cells }],
    matches: [{ opponent: text, side: (value) => side(value) || value === 'total', win_percent: percent, draw_percent: percent, lose_percent: percent, win: known(text), draw: known(text), lose: known(text) }],
  };
}

/** Where there is more of a part than of the whole, or null. */
function excess({ verdicts, blunders_by_ply: plies }) {
  const name = ['classes', 'positions'].find((each) => verdicts[`${each}_right`] > verdicts[each]);
  const at = plies.findIndex(({ critical, wrong, loses_a_won_game: lost }) => wrong > critical || lost > wrong);
  return name ? `verdicts.${name}_right` : at < 0 ? null : `blunders_by_ply.${at}`;
}

/** Where a value is unlike a shape, or null. */
function unlike(shape, value, where) {
  if (typeof shape === 'function') return shape(value) ? null : where;
  const [keys, of] = Array.isArray(shape)
    ? [Array.isArray(value) && value.keys(), () => shape[0]]
    : [value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(shape), (key) => shape[key]];
  if (!keys) return where;
  for (const key of keys) {
    const wrong = unlike(of(key), value[key], where ? `${where}.${key}` : String(key));
    if (wrong !== null) return wrong;
  }
  return null;
}
