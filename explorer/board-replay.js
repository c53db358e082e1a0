// The bar below the board: which move of the game is shown, back and forth, and a new game.

import { button, el } from './dom.js';
import { t } from './i18n.js';

const control = (name, action) => button(t(`board.${name}`), action, { dataset: { control: name } });

export class Replay {
  /** `goTo(move)` shows a move of the game; `undo`, `redo` and `start` change the game. */
  constructor({ goTo, undo, redo, start }) {
    this.slider = el('input', {
      type: 'range', min: 0, value: 0, dataset: { control: 'slider' }, oninput: () => goTo(Number(this.slider.value)),
    });
    this.label = el('span', { class: 'soft' });
    this.buttons = {
      first: control('first', () => goTo(0)), previous: control('previous', () => goTo(this.record.at - 1)),
      next: control('next', () => goTo(this.record.at + 1)), last: control('last', () => goTo(this.record.cells.length)),
      undo: control('undo', undo), redo: control('redo', redo), new: control('new', start),
    };
    this.element = el('div', { class: 'replay' },
      el('label', { class: 'field' }, this.label, this.slider), el('div', { class: 'row' }, Object.values(this.buttons)));
  }

  /** Show where in a game one stands. */
  update(record) {
    const { at, cells, undone } = record;
    const { slider, label, buttons } = this;
    this.record = record;
    slider.max = cells.length;
    slider.value = at;
    label.textContent = t('board.step', { at, all: cells.length });
    for (const name of ['first', 'previous', 'undo']) buttons[name].disabled = at === 0;
    for (const name of ['next', 'last']) buttons[name].disabled = at === cells.length;
    buttons.redo.disabled = !undone.length;
  }
}
