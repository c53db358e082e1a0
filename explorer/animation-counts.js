// The numbers of an animation: counters, and how much of each ply there is so far.

import { el } from './dom.js';
import { number, t } from './i18n.js';

/** A number with a name. */
export class Counter {
  constructor(name) {
    this.name = name;
    this.number = el('dd', { 'data-counter': name });
    this.element = el('div', {}, el('dt', {}, t(`animation.counter.${name}`)), this.number);
  }

  update(count) {
    if (count === this.count) return;
    this.count = count;
    this.number.textContent = number(count);
    this.number.dataset.value = count;
  }
}

/** For each ply, how many of its nodes there are so far. */
export class PlyBars {
  constructor(plies) {
    this.rows = plies.map(({ ply, nodes }) => ({ all: nodes, count: -1, bar: el('i'), text: el('span', { class: 'number' }), label: t('animation.ply', { ply }) }));
    this.element = el('div', { class: 'bars' }, el('h2', {}, t('animation.plies')),
      el('ul', {}, this.rows.map(({ label, bar, text }) => el('li', {}, el('span', {}, label), el('span', { class: 'bar' }, bar), text))));
  }

  update(counts) {
    for (const [ply, row] of this.rows.entries()) {
      if (row.count === counts[ply]) continue;
      row.count = counts[ply];
      row.bar.style.transform = `scaleX(${row.count / row.all})`;
      row.text.textContent = t('animation.of', { some: number(row.count), all: number(row.all) });
    }
  }
}
