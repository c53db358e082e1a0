// The part of the audit about one of our AIs: its verdicts, how it loses, its blunders.

import { go } from './address.js';
import { rowsOf } from './api.js';
import { gallery, plyTable, refutations } from './audit-faults.js';
import { facts, sentence } from './audit-pieces.js';
import { verdictPairs, verdicts } from './audit-verdicts.js';
import { choice, el } from './dom.js';
import { t } from './i18n.js';

export function makeBlunders(game) {
  const place = el('div');
  const picker = choice(t('audit.ai'), game.ais.map(({ ai }) => [ai, ai]), '', (ai) => go({ ai, part: 'blunders' }));
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
  const row = (await verdicts(game)).find((each) => each.ai === ai);
  if (!row) return [el('p', { class: 'error', role: 'alert' }, t('audit.unknown', { ai }))];
  const [blunders, byPly, refuted] = (await Promise.all(['blunders', 'blunders_by_ply', 'refutations'].map(rowsOf)))
    .map((rows) => rows.filter((each) => each.ai === ai));
  return [
    sentence('p', row.rule, row.english),
    el('div', { class: 'columns' }, el('div', {}, facts(verdictPairs(row))), plyTable(byPly)),
    ...await refutations(game, refuted), ...gallery(game, blunders),
  ];
}
