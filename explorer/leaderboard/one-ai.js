// All about one AI: of ours its verdicts, how it loses, its blunders; of one that is not ours, from a file
// of the reader, all that the file says.

import { exactly, facts, growing, heat, sentence } from '../audit/audit-pieces.js';
import { readAudit } from '../audit/audit-reading.js';
import { gallery, plyTable, refutations } from '../audit/faults.js';
import { droppedOf, faults, isDropped, isJudged, judged, keep, keyOf, ofClasses } from '../audit/judged.js';
import { alignHeads, choice, el, fileInput, table, tell, wide } from '../elements/dom.js';
import { go, linkTo } from '../state/address.js';
import { natural, number, t } from '../words/i18n.js';
import { verdictPairs } from './verdicts.js';

const MOST = 60; // rows of what does not grow

/** A choice of AIs, and all about the chosen one. */
export async function makeBlunders(game) {
  const place = el('div');
  const names = (await judged(game)).map(({ key, ai, is_foreign: isForeign, family }) => [key, isForeign ? `${ai} (${family})` : ai]);
  const picker = choice(t('audit.ai'), names.sort(([one], [other]) => natural(one, other)), '', (ai) => go({ ai, part: 'blunders' }));
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

/** A place for files: `take(file)` reads one, keeps it and shows it. */
export async function makeFile(game) {
  const told = el('p', { class: 'error', role: 'alert', hidden: true });
  const place = el('div');
  const show = async (audit) => place.replaceChildren(...(audit ? await drawAudit(game, audit) : []));
  const take = async (file) => {
    told.hidden = true;
    try {
      const audit = await readAudit(game, file);
      keep(audit);
      await show(audit);
      tell(t('audit.read', audit));
    } catch (error) {
      place.replaceChildren();
      told.textContent = error.message;
      told.hidden = false;
    }
  };
  await show(droppedOf(game).at(-1));
  return {
    element: el('div', {},
      el('div', { class: 'drop' }, el('p', {}, t('audit.drop'), ' ', el('code', {}, 'marubatsu audit FILE.py:NAME --format json > audit.json')),
        el('label', { class: 'field' }, el('span', {}, t('audit.choose')), fileInput('.json,application/json', take))),
      told, place),
    take,
  };
}

/** All that a file says. */
async function drawAudit(game, audit) {
  const { verdicts } = audit;
  const verdict = isJudged(verdicts) ? facts(verdictPairs(verdicts)) : el('p', {}, t('audit.notjudged'));
  return [
    el('h2', {}, audit.ai, ' ', el('span', { class: 'badge' }, t('audit.foreign'))),
    el('p', {}, el('a', linkTo({ part: null }), t('audit.among'))),
    el('div', { class: 'columns' },
      el('div', {}, verdict, facts([
        [t('audit.asked'), number(audit.asked)], [t('audit.positions'), number(audit.examined)],
        [t('audit.unanswered'), number(audit.without_answer)], [t('audit.repeats'), number(audit.repeats)],
        ...(audit.could_read_answers === null ? [] : [[t('audit.couldread'), audit.could_read_answers]]),
      ])),
      isJudged(verdicts) && plyTable(audit.blunders_by_ply.slice(0, MOST))),
    ...drawFindings(audit.findings),
    ...(isJudged(verdicts) ? await drawFaults(game, audit) : []),
  ];
}

const drawFaults = async (game, audit) => [
  ...await refutations(game, audit.refutations.slice(0, MOST)),
  ...gallery(game, ofClasses(audit.blunders)),
  el('h2', {}, t('audit.against')), ...drawMatches(audit.matches),
];

/** A table that grows. */
function longTable(caption, headings, rows, draw) {
  const made = table(caption, headings, []);
  const [, more] = growing(made.tBodies[0], rows, (row) => el('tr', {}, draw(row)));
  alignHeads(made);
  return [wide(caption, made), more];
}

function drawFindings(findings) {
  if (!findings.length) return [el('p', {}, t('audit.nofindings'))];
  return longTable(t('audit.findings'), ['finding', 'times', 'first', 'detail'].map((each) => t(`audit.${each}`)), findings,
    ({ kind, count, board, detail }) => [el('th', { scope: 'row' }, kind), el('td', { class: 'number' }, number(count)), el('td', {}, board), el('td', { class: 'rule' }, detail)]);
}

/** Matches of a foreign AI, in the colours of the side that wins. */
function drawMatches(matches) {
  const value = (row, each) => el('td', { class: 'number' }, exactly(row[each], row[`${each}_percent`]));
  return longTable(t('audit.against'), ['opponent', 'side', 'win', 'draw', 'lose'].map((each) => t(`audit.${each}`)), matches, (row) => {
    const expected = (row.win_percent - row.lose_percent) * { circle: 1, cross: -1, total: 0 }[row.side];
    return [el('th', { scope: 'row' }, row.opponent), el('td', { class: 'heat', style: heat(expected) }, t(`audit.turn.${row.side}`)), ['win', 'draw', 'lose'].map((each) => value(row, each))];
  });
}
