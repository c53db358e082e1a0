// Pieces that several parts of the audit are made of.

import { button, el } from '../elements/dom.js';
import { linkTo } from '../state/address.js';
import { addTexts, figure, number, t } from '../words/i18n.js';
import { lineText } from '../words/moves.js';

addTexts({
  'audit.of': ['{part} of {all}', '{part} / {all}'], 'audit.more': ['Show more ({left} left)', 'さらに表示（残り {left}）'], 'audit.foreign': ['foreign', '外部'],
});

const AT_ONCE = 60; // things put on the page at a time

/** A sentence of the API, marked as English where there is no other. */
export const sentence = (tag, text, english, attributes = {}) => el(tag, { ...attributes, lang: text === english ? 'en' : null }, text);

export const yesNo = (flag) => el('span', { class: flag ? 'good' : 'bad' }, t(flag ? 'yes' : 'no'));

export const share = (part, all) => t('audit.of', { part: number(part), all: number(all) });

/** A chance as its fraction and in percent, or as what there is of that. */
export function exactly(fraction, percent) {
  if (fraction === null) return `${figure(percent)} %`;
  return /^[01]$/.test(fraction) ? fraction : `${fraction} (${figure(percent)} %)`;
}

/** A percentage in little room; nothing and everything are only written when they are exact. */
export function briefly(percent) {
  const rounded = Math.round(percent);
  if (rounded === 0 && percent) return percent < 0 ? '>−1' : '<1';
  if (Math.abs(rounded) === 100 && Math.abs(percent) < 100) return percent < 0 ? '>−100' : '<100';
  return String(rounded).replace('-', '−');
}

/** What the address says when the board shows a blunder: the position before it, with the move to come. */
export const atBlunder = (game, { board, move }) => ({ start: board, line: lineText(game, [move]), at: '0', hints: 'on' });

/** Scroll to the board, where it is above the pane and out of view. */
export function showBoard() {
  const board = document.getElementById('board');
  if (board.getBoundingClientRect().bottom < 0) board.scrollIntoView();
}

/** The attributes of a link that shows something on the board. */
export const toBoard = (changes) => ({ ...linkTo(changes), onclick: showBoard });

/** The name of an AI, marked where it is foreign, as a link to what it does wrong where `judged` names it so. */
export const named = ({ key, ai, is_foreign: isForeign }) => [
  key ? el('a', linkTo({ ai: key, part: 'blunders' }), ai) : ai, isForeign && [' ', el('span', { class: 'badge' }, t('audit.foreign'))],
];

/** A colour for what circle may expect, from -100 to 100: how strong, of which side. Small values differ visibly from 0. */
export const heat = (expected) => `--heat: ${expected ? (6 + 3.9 * Math.sqrt(Math.abs(expected))).toFixed(1) : 0}%; --side: var(--${expected < 0 ? 'lost' : 'won'})`;

/**
 * Put things into a place, a part at a time; `grown(shown)` hears how many there are.
 * @param {(shown: number) => void} grown
 */
export function growing(place, things, draw, grown = () => {}) {
  let shown = 0;
  const more = button('', () => {
    place.append(...things.slice(shown, shown + AT_ONCE).map(draw));
    shown = Math.min(shown + AT_ONCE, things.length);
    more.hidden = shown === things.length;
    more.textContent = t('audit.more', { left: number(things.length - shown) });
    grown(shown);
  });
  more.click();
  return [place, more];
}
