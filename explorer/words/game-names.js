// The name of a game for people, its rules in a sentence, and its result with best play.

import { addTexts, listed, t } from './i18n.js';

addTexts({
  'name.tictactoe': ['Tic-tac-toe', '三目並べ（〇×ゲーム）'], 'name.connect4': ['Connect Four', 'コネクトフォー'],
  'name.game': ['{columns}×{rows}, {run} in a row', '{columns}×{rows} の{run}目並べ'], 'name.gravity': ['with gravity', '重力あり'], 'name.misere': ['misère', '並べたら負け'],
  'name.torus': ['on a torus', '端がつながる盤'], 'name.run.2': ['two', '二'], 'name.run.3': ['three', '三'], 'name.run.4': ['four', '四'], 'name.run.5': ['five', '五'],
  'name.run.6': ['six', '六'], 'name.run.7': ['seven', '七'], 'name.run.8': ['eight', '八'], 'result.1': ['〇 wins', '〇の勝ち'], 'result.0': ['a draw', '引き分け'],
  'result.-1': ['× wins', '×の勝ち'], 'result.null': ['not solved here', '未解析'],
  'rule.turns': ['Circle and cross take turns on {columns}×{rows} cells.', '{columns}×{rows} マスの盤面に、〇と×が交互に着手します。'],
  'rule.gravity': ['A mark falls to the lowest empty cell of its column.', 'マークは列の一番下の空きマスに落ちます。'],
  'rule.torus': ['Lines go on at the opposite edge.', '並びは盤面の反対側の端に続きます。'], 'rule.wins': ['{run} in a line wins.', '縦・横・斜めに {run} 個並べると勝ちです。'],
  'rule.misere': ['Who completes {run} in a line loses.', '縦・横・斜めに {run} 個並べた側の負けです。'], 'rule.others': ['Further rules: {others}.', 'その他のルール：{others}。'],
});

const OWN = ['tictactoe', 'connect4']; // Games with names of their own.
const LONGEST = 8; // run that has a word
const KNOWN_RULES = ['gravity', 'misere', 'torus']; // that have words

const extrasOf = ({ notation }) => notation.split('-').slice(1);

/** The name of a game, such as "4×4, four in a row". */
export function nameOfGame(game) {
  if (OWN.includes(game.name)) return t(`name.${game.name}`);
  const run = game.run <= LONGEST && game.run > 1 ? t(`name.run.${game.run}`) : String(game.run);
  const extras = extrasOf(game).map((rule) => (KNOWN_RULES.includes(rule) ? t(`name.${rule}`) : rule));
  return listed([t('name.game', { ...game, run }), ...extras]);
}

/** The rules of a game in a sentence, from what the API says of them. */
export function rulesOf(game) {
  const others = extrasOf(game).filter((rule) => !KNOWN_RULES.includes(rule)).join(', ');
  const parts = ['turns', game.gravity && 'gravity', game.torus && 'torus', game.misere ? 'misere' : 'wins', others && 'others'].filter(Boolean);
  return parts.map((part) => t(`rule.${part}`, { ...game, others })).join(t('space'));
}

/** Who wins with best play, by the score of the empty board. */
export const resultOf = (score) => t(`result.${score}`);
