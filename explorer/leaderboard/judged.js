// All audited AIs: ours from the reports, and others from the files that the reader
// dropped. Those stay as long as the page is open; no one else sees them.

import { natural, t } from '../words/i18n.js';
import { inLanguage } from '../words/japanese.js';

const DROPPED = 'audit:'; // No AI of ours has a name that begins so.
const dropped = [];

/** Keep the audit of a file; one of the same AI takes the place of the older. */
export function keep(audit) {
  const at = dropped.findIndex(({ game, ai }) => game === audit.game && ai === audit.ai);
  dropped.splice(at < 0 ? dropped.length : at, 1, audit);
}

/** The audits that the reader dropped, the last one at the end. */
export const droppedOf = (game) => dropped.filter((each) => each.game === game.name);

/** What the address calls the AI of a dropped audit. */
export const keyOf = (audit) => DROPPED + audit.ai;

/** Whether the address names a dropped audit, be it here or gone. */
export const isDropped = (key) => key.startsWith(DROPPED);

/** The name of the AI that the address calls so. */
export const nameOf = (key) => (isDropped(key) ? key.slice(DROPPED.length) : key);

/**
 * The verdicts on all AIs: rows with key (as the address names the AI), ai, family, rule, english, is_foreign, what the
 * reports strong and weak say, and best_move_percent.
 */
export async function judged(game) {
  const [strong, weak, losses] = await Promise.all(['strong', 'weak', 'expected_loss'].map((report) => game.rowsOf(report)));
  const byAi = (rows) => new Map(rows.map((row) => [row.ai, row]));
  const [weakOf, lossOf, about] = [weak, losses, game.ais].map(byAi);
  const ours = strong.map((row) => ({ ...weakOf.get(row.ai), ...lossOf.get(row.ai), ...row, key: row.ai, ...inWords(about.get(row.ai)) }));
  return [...ours, ...droppedOf(game).map(verdictsOf)];
}

const inWords = ({ ai, family, rule }) => ({ family: inLanguage('family', family, family), rule: inLanguage('ai', ai, rule), english: rule });

const verdictsOf = (audit) => ({ ...audit.verdicts, key: keyOf(audit), ai: audit.ai, family: t('audit.foreign'), rule: '', english: '', is_foreign: true });

/** What each AI does wrong: { blunders, byPly, refuted }, each a list for a key; blunders in one position of each class. */
export async function faults(game) {
  const lists = await Promise.all(['blunders_by_class', 'blunders_by_ply', 'refutations'].map((report) => game.rowsOf(report)));
  const [blunders, byPly, refuted] = lists.map((rows) => Map.groupBy(rows, ({ ai }) => ai));
  const audits = new Map(droppedOf(game).map((audit) => [keyOf(audit), audit]));
  return (key) => {
    const audit = audits.get(key);
    if (audit) return { blunders: ofClasses(audit.blunders), byPly: audit.blunders_by_ply, refuted: audit.refutations };
    return { blunders: blunders.get(key) ?? [], byPly: byPly.get(key) ?? [], refuted: refuted.get(key) ?? [] };
  };
}

/** The blunders in one position of each class, the first one; without a number, a position is of a class of its own. */
export function ofClasses(blunders) {
  const first = new Map();
  return blunders.filter(({ class: number, board }) => {
    const key = number ?? board;
    if (!first.has(key)) first.set(key, board);
    return first.get(key) === board;
  });
}

/** The worst of some blunders: what it loses, then how likely it is; undefined where there is none. */
export const worst = (blunders) => blunders.toSorted((one, other) => lossOf(other) - lossOf(one) || other.chance_percent - one.chance_percent)[0];

const lossOf = ({ score, score_after }) => Math.abs(score - score_after);

/** Whether an AI gave any valid answer. */
export const isJudged = ({ positions_right: right }) => right !== null;

/** The rows with the most right first; those without that number at the end. */
export const ranked = (rows) => rows.toSorted((one, other) => shareOf(other) - shareOf(one) || (other.best_move_percent ?? 0) - (one.best_move_percent ?? 0)
  || natural(one.ai, other.ai));

/** The share of critical positions in which an AI is right, from 0 to 1. */
export const shareOf = ({ positions_right: right, positions }) => (positions ? right / positions : 0);
