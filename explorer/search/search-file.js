// A trace from a file of the reader, as `marubatsu search --trace FILE` writes it.

import { t } from '../words/i18n.js';

const LARGEST = 32e6; // bytes
const MOST_EVENTS = 2e6;
const MOST = 1e9; // of a score
const LONGEST = 1000; // characters of a name
const LONGEST_SHOWN = 100; // characters of what is wrong
const KINDS = ['enter', 'hit', 'cut', 'leave'];

/** Whether a file seems to hold a trace; its keys may have any order. */
export const isTrace = async (file) => /"content":\s*"search trace"/.test(await file.slice(0, LARGEST).text().catch(() => ''));

/** Read a file: { trace, root: the record where it starts }. Throws an Error with a sentence. */
export async function readTrace(game, file) {
  const { name } = file;
  if (file.size > LARGEST) throw new Error(t('search.file.large', { name, most: LARGEST / 1e6 }));
  const trace = await parsed(file);
  if (!isWhole(trace)) throw new Error(t('search.file.none', { name }));
  if (trace.game !== game.name) throw new Error(t('search.file.game', { name, other: trace.game.slice(0, LONGEST_SHOWN), game: game.name }));
  const root = await game.recordOf(trace.board);
  if (!root) throw new Error(t('search.file.board', { name, board: trace.board.slice(0, LONGEST_SHOWN) }));
  return { trace: { ...trace, name }, root };
}

async function parsed(file) {
  try {
    return JSON.parse(await file.text());
  } catch {
    return null;
  }
}

/** Whether everything is there that a replay reads; that it fits the game is seen when it is made. */
function isWhole(trace) {
  if (trace?.content !== 'search trace') return false;
  const { kinds, codes, cells, board, algorithm, game, ordering, evaluation, max_depth, seed } = trace;
  const isNumber = (value) => value === null || (Number.isFinite(value) && Math.abs(value) <= MOST);
  const isName = (value) => value === null || (typeof value === 'string' && value.length <= LONGEST);
  const isKind = (kind) => KINDS.includes(kind?.kind) && [kind.alpha, kind.beta, kind.score].every(isNumber) && Number.isFinite(kind.skipped)
    && (kind.score !== null || kind.kind === 'enter');
  return [board, game].every((each) => typeof each === 'string') && /^[a-z_]{1,40}$/.test(algorithm)
    && [ordering, evaluation].every(isName) && [max_depth, seed].every(isNumber)
    && [kinds, codes, cells].every(Array.isArray) && codes.length <= MOST_EVENTS && kinds.every(isKind) && codes.length > 0 && codes.every((code) => Number.isInteger(code) && code >= 0 && code < kinds.length)
    && codes.filter((code) => kinds[code].kind === 'enter').length === cells.length;
}
