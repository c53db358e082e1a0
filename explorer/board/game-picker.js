// The choice of a game: those with data, and with a server every game that a search answers about.

import { el } from '../elements/dom.js';
import { go } from '../state/address.js';
import { addTexts, t } from '../words/i18n.js';
import { rulesOf } from './lead.js';

addTexts({
  en: {
    'picker.game': 'Game', 'picker.choose': 'Choose a game', 'picker.tables': 'With tables', 'picker.solution': 'Solved', 'picker.search': 'By search', 'picker.other': 'Another game…',
    'picker.name': 'Name of a game', 'picker.go': 'Go', 'picker.hint': 'COLUMNSxROWSkRUN, with -gravity, -misere or -torus, such as 6x5k4-gravity',
  },
  ja: {
    'picker.game': 'ゲーム', 'picker.choose': 'ゲームを選択', 'picker.tables': 'テーブルあり', 'picker.solution': '解析済み', 'picker.search': '探索で求める', 'picker.other': 'ほかのゲーム…',
    'picker.name': 'ゲームの名前', 'picker.go': '開く', 'picker.hint': '「列数x行数k並べる数」の形で入力します。-gravity、-misere、-torus も付けられます。例：6x5k4-gravity',
  },
});

const SOURCES = ['tables', 'solution', 'search'];
const OTHER = 'other';

/** What the address no longer says when another game is shown; without a name that is the first game. */
export const toGame = (name = null) => ({ game: name, start: null, line: null, at: null, show: null, step: null, node: null });

export class GamePicker {
  /** `first`: what the page asked for first, with the list of games; `about`: the game shown, null without one. */
  constructor(first, about) {
    const games = !about || first.games.some(({ name }) => name === about.name) ? first.games
      : [...first.games, { ...about, source: 'search' }];
    const groups = SOURCES.map((source) => [source, games.filter((each) => each.source === source)]).filter(([, each]) => each.length);
    this.select = el('select', { 'aria-label': t('picker.game'), title: about && rulesOf(about), dataset: { control: 'game' }, onchange: () => this.choose(this.select.value) },
      !about && el('option', { value: '', selected: true, disabled: true }, t('picker.choose')),
      groups.map(([source, all]) => el('optgroup', { label: t(`picker.${source}`) }, all.map(({ name }) => el('option', { value: name, selected: name === about?.name }, name)))),
      first.server && el('option', { value: OTHER }, t('picker.other')));
    this.name = el('input', { type: 'text', size: 14, autocapitalize: 'none', spellcheck: 'false', autocomplete: 'off', 'aria-label': t('picker.name'), 'aria-describedby': 'picker-hint', placeholder: '6x5k4-gravity' });
    this.form = el('form', { hidden: true, onsubmit: (event) => {
      event.preventDefault();
      if (this.name.value.trim()) this.choose(this.name.value.trim());
    } }, this.name, el('button', { type: 'submit' }, t('picker.go')), el('span', { class: 'soft', id: 'picker-hint' }, t('picker.hint')));
    this.element = el('div', { class: 'picker' }, this.select, this.form);
  }

  choose(name) {
    this.form.hidden = name !== OTHER;
    if (name === OTHER) this.name.focus();
    else go(toGame(name));
  }
}
