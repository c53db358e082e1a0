// Which search is replayed: its algorithm and its options, each a choice among what there is. A choice
// offers what exists with those before it; one that leaves nothing to choose is not there.

import { choice, button, el } from '../elements/dom.js';
import { listed, t } from '../words/i18n.js';
import { TREES } from './search-steps.js';

/** The options in the order of their choices, each with its part of the address. */
const OPTIONS = {
  ordering: (value) => value, depth: (value) => value && `depth${value}`, evaluation: (value) => value,
  use_table: (value) => value && 'table', init_window: (value) => value && 'window', shortest_victory: (value) => value && 'victory', seed: (value) => value && `seed${value}`,
};
const NAMES = Object.keys(OPTIONS);
const ALL = '.all'; // after the name of an ordering that sorts all moves
const SWITCHES = ['use_table', 'init_window', 'shortest_victory'];

/** The options of a search as the page offers them: how moves are ordered is one choice. */
const optionsOf = ({ ordering = null, order_all = false, max_depth = null, seed = null, evaluation = null, ...others }) => ({
  use_table: false, init_window: false, shortest_victory: false, ...others,
  ordering: ordering && (order_all ? ordering + ALL : ordering), depth: max_depth === null ? null : String(max_depth), evaluation, seed: seed === null ? null : String(seed),
});

/** What the address says of a search, such as alphabeta.ai14s.all.table. */
export function keyOf(search) {
  const options = optionsOf(search);
  return [search.algorithm, ...NAMES.map((name) => OPTIONS[name](options[name]))].filter(Boolean).join('.');
}

/** What can be replayed of a game: its traced searches, and the trees. */
export const replaysOf = (game) => [...game.traces, ...TREES.map((algorithm) => ({ algorithm }))];

/** The name of an algorithm; one that this page does not know has its own. */
function algorithmName(name) {
  try {
    return t(`search.algorithm.${name}`);
  } catch {
    return name;
  }
}

/** A search in words: its algorithm and its options. */
export function nameOf(search) {
  const options = optionsOf(search);
  const parts = NAMES.filter((name) => options[name]).map((name) => wordOf(name, options[name]));
  return listed([algorithmName(search.algorithm), ...parts]);
}

function wordOf(name, value) {
  const isAll = name === 'ordering' && value.endsWith(ALL);
  return t(`search.with.${name}${isAll ? ALL : ''}`, { value: isAll ? value.slice(0, -ALL.length) : value });
}

export class Choices {
  /** `choose(search)` is called when the reader chooses one of `offered`. */
  constructor(offered, choose) {
    this.offered = offered;
    this.choose = choose;
    this.element = el('div', { class: 'row choices-of-search' });
  }

  /** Show the choices that lead to a search, one of those offered or of a file. */
  update(search) {
    const hadFocus = this.element.contains(document.activeElement) && document.activeElement.dataset.control;
    const options = optionsOf(search);
    const isOffered = this.offered.includes(search);
    this.element.replaceChildren(this.algorithms(search, isOffered), ...(isOffered ? this.options(search, options) : [el('span', { class: 'soft of-file' }, `${search.name}: ${nameOf(search)}`)]));
    if (hadFocus) this.element.querySelector(`[data-control="${hadFocus}"]`)?.focus();
  }

  algorithms(search, isOffered) {
    const names = [...new Set(this.offered.map(({ algorithm }) => algorithm))];
    const made = choice(t('search.algorithm'), [], '', (algorithm) => this.take({ ...optionsOf(search), algorithm }), { 'data-control': 'algorithm' });
    const select = made.querySelector('select');
    const group = (label, each) => el('optgroup', { label: t(label) }, each.map((name) => el('option', { value: name }, algorithmName(name))));
    select.append(group('search.searches', names.filter((name) => !TREES.includes(name))), group('search.trees', TREES));
    if (!isOffered) select.append(el('option', { value: 'file' }, t('search.fromfile')));
    select.value = isOffered ? search.algorithm : 'file';
    return made;
  }

  options(search, options) {
    let among = this.offered.filter(({ algorithm }) => algorithm === search.algorithm);
    return NAMES.flatMap((name) => {
      const values = [...new Set(among.map((each) => optionsOf(each)[name]))];
      among = among.filter((each) => optionsOf(each)[name] === options[name]);
      const take = (value) => this.take({ ...options, [name]: value });
      if (values.length < 2) return options[name] ? [el('span', { class: 'soft' }, wordOf(name, options[name]))] : [];
      if (SWITCHES.includes(name)) {
        return [button(t(`search.with.${name}`), () => take(!options[name]), { 'data-control': name, 'aria-pressed': String(options[name]) })];
      }
      const texts = values.map((value) => [value ?? '', value === null ? t(`search.without.${name}`) : wordOf(name, value)]);
      return [choice(t(`search.choose.${name}`), texts, options[name] ?? '', (value) => take(value || null), { 'data-control': name })];
    });
  }

  /** Choose the search that has as many of the wanted options as there is, the first ones first. */
  take(wanted) {
    let among = this.offered;
    for (const name of ['algorithm', ...NAMES]) {
      const fitting = among.filter((each) => optionsOf(each)[name] === wanted[name]);
      if (fitting.length) among = fitting;
    }
    this.choose(among[0]);
  }
}
