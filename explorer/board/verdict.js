// The line below the board: whose move it is; at the end who won and which move gave the game away.

import { addTexts, t } from '../words/i18n.js';
import { cellName, kindText, lineText, scoreFor } from '../words/moves.js';

addTexts({
  'verdict.yours': ['Your move.', 'あなたの手番です。'], 'verdict.theirs': ['{name} to move.', '{name} の手番です。'], 'verdict.turn.circle': ['Circle to move.', '〇の手番です。'],
  'verdict.turn.cross': ['Cross to move.', '×の手番です。'], 'verdict.won': ['You won.', 'あなたの勝ちです。'], 'verdict.lost': ['You lost.', 'あなたの負けです。'],
  'verdict.draw': ['A draw.', '引き分けです。'], 'verdict.held': ['A draw: you held it against {name}.', '{name} を相手に引き分けに持ち込みました。'],
  'verdict.circle': ['Circle won.', '〇の勝ちです。'], 'verdict.cross': ['Cross won.', '×の勝ちです。'],
  'verdict.fault.0': ['{cell} gave it away: {better} would have kept the draw.', '敗着は {cell} です。{better} なら引き分けでした。'],
  'verdict.fault.1': ['{cell} gave it away: {better} would have kept the win.', '敗着は {cell} です。{better} なら勝ちでした。'],
  'verdict.missed': ['{cell} gave the win away: {better} would have kept it.', '{cell} で勝ちを逃しました。{better} なら勝ちでした。'],
  'verdict.clean': ['No one gave anything away.', 'どちらも最善を尽くしました。'],
  'verdict.doomed': ['Both sides played best moves only.', '双方が最善を尽くすと、この結果になります。'],
  'verdict.best': ['With best play: {what}, in {distance} {distance|move|moves}.', '双方が最善を尽くすと {distance} 手で{what}です。'],
  'verdict.bounded': ['The search did not find the value in its time.', '時間内に評価値を求められませんでした。'],
  'verdict.blunder': ['{cell} is a blunder: {gives}. Better: {better}.', '{cell} は悪手：{gives}。最善手：{better}。'],
  'board.asking': ['Asking for the value…', '評価値を問い合わせ中…'],
});

const RESULTS = { circle: 1, draw: 0, cross: -1 }; // in circle's view

/** The number of the move that gave the result of a finished game away; null where there is none, or it is unknown. */
export function decisive(record) {
  const { here, at } = record;
  if (here.turn) return null;
  const isFault = (index) => record.moveAt(index).loss > 0 && record.moveAt(index).score === RESULTS[here.status];
  const last = record.path.slice(0, at).findLastIndex((_, index) => isFault(index));
  return last < 0 ? null : last;
}

/** What the line says of a record; `players` are those of the game, `hints` whether values may be seen. */
export function verdictOf(record, players, hints) {
  const { here } = record;
  const parts = here.turn ? [...faultsOf(record, players, hints), turnOf(here, players), hints && valueOf(here)] : [resultOf(record, players), whyOf(record)];
  return parts.filter(Boolean).join(t('space'));
}

function turnOf(here, players) {
  const ai = players.aiOf(here);
  if (players.people !== 1) return t(`verdict.turn.${here.turn}`);
  return ai ? t('verdict.theirs', { name: players.nameOf(ai) }) : t('verdict.yours');
}

/** Whether a finished game is one that a person played alone; a draw is not called held after a win was given away. */
export const isOwnResult = (record, players) =>
  players.people === 1 && record.at > 0 && !(record.here.status === 'draw' && record.path[decisive(record)]?.turn === players.person);

/** Who won, from the view of a person who plays alone. */
function resultOf(record, players) {
  const { status } = record.here;
  if (!isOwnResult(record, players)) return t(`verdict.${status}`);
  if (status === 'draw') return t('verdict.held', { name: players.nameOf(players.of(players.other)) });
  return t(status === players.person ? 'verdict.won' : 'verdict.lost');
}

/** Why a game ended as it did: by which move, or that no one gave anything away. */
function whyOf(record) {
  const at = decisive(record);
  if (at === null) {
    const isKnown = record.path.slice(0, record.at).every((_, index) => record.moveAt(index).loss === 0);
    return isKnown && record.at > 0 ? t(record.here.status === 'draw' ? 'verdict.clean' : 'verdict.doomed') : '';
  }
  const before = scoreFor(record.path[at].turn, record.path[at]);
  const key = record.here.status === 'draw' ? 'verdict.missed' : `verdict.fault.${before}`;
  return t(key, { cell: cellName(record.game, record.cells[at]), better: betterThan(record, at) });
}

/** What is known of a position with best play. */
function valueOf({ is_glance: isGlance, score, distance }) {
  if (isGlance) return t('board.asking');
  return score === null ? t('verdict.bounded') : t('verdict.best', { what: t(`leads.${score}`), distance });
}

/** What the last move of a person gave away, and with hints that of an AI, too. */
function faultsOf(record, players, hints) {
  const isAIs = (at) => Boolean(players.aiOf(record.path[at]));
  const last = record.at - 1;
  const shown = last > 0 && isAIs(last) ? [last - 1, last] : [last];
  return shown.filter((at) => at >= 0 && (hints || !isAIs(at))).map((at) => blunderAt(record, at));
}

/** What a bad move gave away, and what was better; nothing of another. */
function blunderAt(record, at) {
  const here = record.path[at];
  const move = record.moveAt(at);
  if (!move.loss) return '';
  return t('verdict.blunder', { cell: cellName(record.game, move.move), gives: kindText(here, move), better: betterThan(record, at) });
}

/** The moves that lost nothing, in place of a move of a record. */
const betterThan = ({ game, path }, at) =>
  lineText(game, path[at].moves.filter(({ is_best: isBest }) => isBest).map(({ move }) => move).toSorted((one, other) => one - other), t('comma'));
