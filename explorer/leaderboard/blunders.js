// The part of the audit about one AI: its verdicts, how it loses, its blunders; of a foreign one all
// that its file says.

import { facts, sentence } from '../audit/audit-pieces.js';
import { gallery, plyTable, refutations } from '../audit/faults.js';
import { droppedOf, faults, isDropped, judged, keyOf } from '../audit/judged.js';
import { choice, el } from '../elements/dom.js';
import { go, linkTo } from '../state/address.js';
import { t } from '../words/i18n.js';
import { drawAudit } from './audit-file.js';
import { verdictPairs } from './verdicts.js';

export async function makeBlunders(game) {
  const place = el('div');
  const names = (await judged(game)).map(({ key, ai, is_foreign: isForeign, family }) => [key, isForeign ? `${ai} (${family})` : ai]);
  const natural = ([one], [other]) => one.localeCompare(other, 'en', { numeric: true });
  const picker = choice(t('audit.ai'), names.sort(natural), '', (ai) => go({ ai, part: 'blunders' }));
  let shown = null;
  const update = async (ai) => {
    if (shown === ai) return;
    shown = ai;
    picker.querySelector('select').value = ai;
    const inside = await about(game, ai).catch((error) => {
      shown = null; // Try again next time.
      throw error;
    });
    if (shown === ai) place.replaceChildren(...inside); // Else somebody was faster.
  };
  return { element: el('div', {}, picker, place), update };
}

async function about(game, ai) {
  const audit = droppedOf(game).find((each) => keyOf(each) === ai);
  if (audit) return drawAudit(game, audit);
  const row = (await judged(game)).find(({ key }) => key === ai);
  if (!row) return [el('p', { class: 'error', role: 'alert' }, t(isDropped(ai) ? 'audit.gone' : 'audit.unknown', { ai }))];
  const { blunders, byPly, refuted } = (await faults(game))(ai);
  return [
    sentence('p', row.rule, row.english),
    blunders.length > 0 && game.opponents.includes(ai) && el('p', {}, el('a', linkTo({ part: 'puzzles', ai }), t('audit.puzzles', { ai }))),
    el('div', { class: 'columns' }, el('div', {}, facts(verdictPairs(row))), plyTable(byPly)),
    ...await refutations(game, refuted), ...gallery(game, blunders),
  ].filter(Boolean);
}
