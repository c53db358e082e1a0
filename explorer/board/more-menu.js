// What is seldom needed: the seed, a game as a file, a link.

import { button, el } from '../elements/dom.js';
import { t } from '../words/i18n.js';

/** The menu: `seed` is an element; `save()`, `load(file)`, `link()` do what the reader chooses. */
export function makeMenu({ seed, save, load, link }) {
  const input = el('input', {
    type: 'file', accept: 'application/json', hidden: true, dataset: { control: 'file' },
    onchange: () => load(input.files[0]).finally(() => { input.value = ''; }),
  });
  const control = (name, act) => button(t(`board.${name}`), () => {
    menu.open = false;
    act();
  }, { dataset: { control: name } });
  const summary = el('summary', { 'aria-label': t('board.more'), title: t('board.more'), dataset: { control: 'more' } }, '⋯');
  const menu = el('details', { class: 'more' }, summary, el('div', { class: 'menu' },
    el('label', { class: 'field' }, el('span', {}, t('board.seed')), seed), control('save', save), control('load', () => input.click()), input, control('link', link)));
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return;
    menu.open = false;
    summary.focus();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => { if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false; });
  return menu;
}
