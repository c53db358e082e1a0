// What is seldom needed: the seed, a game as a file, a link.

import { button, el, fileInput, save } from '../elements/dom.js';
import { GameRecord } from '../state/record.js';
import { addTexts, t } from '../words/i18n.js';
import { lineText } from '../words/moves.js';

addTexts({
  'board.more': ['More', 'その他'], 'board.seed': ['Seed of the AIs', 'AI の乱数の種'], 'board.save': ['Save', '保存'], 'board.load': ['Load', '読み込み'],
});

const LARGEST = 100_000; // bytes of a saved game

/** The menu: `seed` is an element; `onSave()`, `onLoad(file)`, `onLink()` do what the reader chooses. */
export function makeMenu({ seed, onSave, onLoad, onLink }) {
  const input = fileInput('.json,application/json', onLoad, { hidden: true, dataset: { control: 'file' } });
  const control = (name, act) => button(t(`board.${name}`), () => {
    menu.open = false;
    act();
  }, { dataset: { control: name } });
  const summary = el('summary', { 'aria-label': t('board.more'), title: t('board.more'), dataset: { control: 'more' } }, '⋯');
  const menu = el('details', { class: 'more' }, summary, el('div', { class: 'menu' },
    el('label', { class: 'field' }, el('span', {}, t('board.seed')), seed), control('save', onSave), control('load', () => input.click()), input, control('link', onLink)));
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return;
    menu.open = false;
    summary.focus();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => { if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false; });
  return menu;
}

/** Hand a game to the reader as a file. */
export function saveGame(record, seats) {
  const text = JSON.stringify(record.toSave(seats), null, 1);
  save(`${text}\n`, 'application/json', `${record.game.name}-${lineText(record.game, record.cells, '') || 'start'}.json`);
}

/** Whether a file seems to hold a saved game, of any game and version; traces and audits have no such number. */
export const isSavedGame = async (file) => file.size <= LARGEST && /"marubatsu":\s*\d/.test(await file.text().catch(() => ''));

/** Read a file: the record of its game, its players and seed; undefined when it holds no such game. */
export async function readGame(game, file) {
  if (file.size > LARGEST) return undefined;
  try {
    const saved = JSON.parse(await file.text());
    const { players = {}, seed = '' } = saved;
    if (![...Object.values(players), seed].every((each) => ['string', 'number'].includes(typeof each))) return undefined;
    const record = await GameRecord.fromSaved(game, saved);
    return record && { record, players, seed };
  } catch {
    return undefined;
  }
}
