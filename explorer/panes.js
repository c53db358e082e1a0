// The tabs below the first screen, and the pane that is open.

import { load, once } from './answers/request.js';
import { el, setCurrent } from './elements/dom.js';
import { Latest } from './elements/latest.js';
import { address, linkTo } from './state/address.js';
import { addTexts, number, t } from './words/i18n.js';

addTexts({
  'panes.label': ['Panes', '表示の切り替え'], 'panes.next': ['; ', '、'],
  'panes.absent': ['{name} has no pane “{pane}”. It has: {panes}.', '{name} に「{pane}」という表示はありません。表示できるもの：{panes}'],
  'panes.untabled': ['This pane needs tables, which {name} does not have. It has: {panes}.', 'この表示に必要なテーブルが {name} にはありません。表示できるもの：{panes}'],
  'pane.moves': ['Every move', 'すべての着手'], 'pane.ais': ['What AIs play here', 'AI ならどう打つか'], 'pane.map': ['The whole tree', 'ゲーム木の全体'],
  'pane.poster': ['All positions', '全局面'], 'pane.search': ['Watch a search prune', '枝刈りを見る'], 'pane.leaderboard': ['{ais} AIs, judged', '{ais} 個の AI を検証'],
  'pane.file': ['Test yours', '自分の AI を試す'], 'pane.data': ['Query it', 'データを調べる'], 'brief.moves': ['Moves', '着手'], 'brief.ais': ['AIs', 'AI'],
  'brief.map': ['Tree', '木'], 'brief.poster': ['Poster', '局面'], 'brief.search': ['Search', '探索'], 'brief.leaderboard': ['Judged', '検証'], 'brief.file': ['Test', '試す'],
  'brief.data': ['Query', 'データ'], 'panes.secret': ['What each move is worth is hidden while you play.', '対局中は、各合法手の評価値を隠しています。'],
  'panes.reveal': ['Show it', '表示する'],
});

/**
 * A pane is a module with `create(game)`: it returns { element, show(record, isLatest), hide() } or a promise of
 * that. `show` is called when another position or another address is shown; the address says the rest. What
 * it shows after `isLatest()` became false is late.
 * A pane is made again when the language or the game changes: its `hide` then gets { returns: true }.
 */
const MODULES = {
  moves: './position/moves-pane.js', ais: './position/ais-pane.js', map: './tree/tree-view.js',
  search: './search/search-pane.js', leaderboard: './leaderboard/leaderboard-view.js', data: './sql/sql-view.js',
  poster: './tree/poster-view.js',
};
const REVEALING = ['moves', 'ais', 'map', 'poster']; // Panes that show what moves are worth.

/** The tabs, each with what the address says of it; the part of the leaderboard for files has one of its own. */
const TABS = {
  moves: { pane: null, part: null }, search: { pane: 'search', part: null }, leaderboard: { pane: 'leaderboard', part: null }, file: { pane: 'leaderboard', part: 'file' },
  data: { pane: 'data', part: null }, map: { pane: 'map', part: null }, poster: { pane: 'poster', part: null }, ais: { pane: 'ais', part: null },
};

const moduleOf = (name, { tables }) => (name === 'map' && !tables.includes('tree_bfs') ? './tree/tree-map.js' : MODULES[name]);
const panesOf = ({ panes, opponents }) => Object.keys(MODULES).filter((name) => (name === 'ais' ? opponents.length : panes.includes(name)));
const titleOf = (tab, game) => t(`pane.${tab}`, { ais: number(game.ais.length) });

export class Panes {
  constructor() {
    this.element = document.getElementById('explore');
    this.tabs = document.getElementById('panes');
    this.place = document.getElementById('pane');
    this.answer = new Latest(this.place);
    this.game = null; // The game shown, if there is one.
    this.made = new Map(); // Promises of the panes of this game and language, ...
    this.ready = new Map(); // ... and those that are there.
    this.isToScroll = address().has('pane'); // Whether the page is opened for its pane.
    document.addEventListener('click', ({ target }) => {
      const link = /** @type {HTMLElement} */ (target).closest('#panes a, .needs a[data-go]');
      if (link) this.element.scrollIntoView();
    });
  }

  /** Show the tabs of another game, or of none, or in another language. */
  frame(game) {
    for (const pane of this.ready.values()) pane.hide?.({ returns: true });
    [this.made, this.ready] = [new Map(), new Map()];
    this.answer.drop(); // A pane that still loads belongs to what was shown before.
    this.place.replaceChildren();
    this.game = game;
    this.element.hidden = !game;
    this.tabs.setAttribute('aria-label', t('panes.label'));
    this.tabs.replaceChildren(...(game ? Object.keys(TABS).filter((tab) => panesOf(game).includes(TABS[tab].pane ?? tab)) : []).map((tab) => makeTab(tab, game)));
    this.mark();
  }

  has = (name) => panesOf(this.game).includes(name);

  /** Show the pane that the address names, for the position of a record. */
  async show(record) {
    const { game, ready } = this;
    const name = this.mark();
    for (const [each, pane] of ready) if (each !== name) pane.hide?.({});
    const instead = !this.has(name) ? absence(game, name) : record.isSecret && REVEALING.includes(name) ? secret() : null;
    await this.answer.take(async () => instead ?? this.open(name), async (pane, isLatest) => {
      if (instead) this.answer.put(instead);
      else {
        if (!this.place.contains(pane.element)) this.answer.put(pane.element);
        await pane.show(record, isLatest);
      }
    });
    if (this.isToScroll) this.element.scrollIntoView({ behavior: 'instant' });
    this.isToScroll = false;
  }

  /** Mark the tab of the pane that the address names, and return that name. */
  mark() {
    const pane = address().get('pane') ?? 'moves';
    const shown = pane === 'leaderboard' && address().get('part') === 'file' ? 'file' : pane;
    this.element.dataset.pane = pane;
    for (const link of /** @type {Iterable<HTMLElement>} */ (this.tabs.children)) {
      setCurrent(link, link.dataset.pane === shown && 'page');
    }
    return pane;
  }

  /** The pane of a name, made once; one that cannot be loaded is made again when it is asked for again. */
  open(name) {
    const { game, made, ready } = this;
    return once(made, name, async () => {
      const { create } = await load(import.meta.resolve(moduleOf(name, game)));
      const pane = await create(game);
      ready.set(name, pane);
      return pane;
    });
  }
}

function makeTab(tab, game) {
  const link = linkTo(TABS[tab]);
  return el('a', { ...link, dataset: { ...link.dataset, pane: tab } }, el('span', { class: 'full' }, titleOf(tab, game)), el('span', { class: 'brief' }, t(`brief.${tab}`)));
}

/** The notice in place of a pane that the game does not have. */
function absence(game, name) {
  const panes = panesOf(game).map((each) => titleOf(each, game)).join(t('panes.next')); // A title may have a comma.
  return el('p', { class: 'notice error', role: 'alert' }, t(Object.hasOwn(MODULES, name) ? 'panes.untabled' : 'panes.absent', { name: game.name, pane: name, panes }));
}

/** What is shown in place of values during a game. */
const secret = () => el('p', { class: 'secret' }, t('panes.secret'), ' ', el('a', linkTo({ hints: 'on' }), t('panes.reveal')));
