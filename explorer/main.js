// The way in: the views, the language, and the address, which says what is shown.

import { game } from './api.js';
import { button, el, tell } from './dom.js';
import { addTexts, LANGUAGES, language, onLanguage, setLanguage, t } from './i18n.js';

addTexts({
  en: {
    absent: 'There is nothing to show here: {name} has no tables for this view.',
    served: 'This page was written as files: SQL needs the server, which `marubatsu explore` starts.',
    skip: 'Skip to the page', views: 'Views', board: 'Board', tree: 'Tree', animation: 'Animations', audit: 'Audit', sql: 'SQL',
    version: 'Everything shown comes from the data of {name}, version {version}.',
  },
  ja: {
    absent: '{name} にはこの表示に必要なテーブルがありません。',
    served: 'このページは静的なファイルです。SQL には `marubatsu explore` で起動するサーバーが必要です。',
    skip: '本文へ', views: '表示の切り替え', board: '盤', tree: '木', animation: 'アニメーション', audit: '判定', sql: 'SQL',
    version: '表示はすべて {name} のデータによるものです（バージョン {version}）。',
  },
});

/**
 * A view is a module with `create(game, go)`: it returns { element, show(parameters), hide() } or a
 * promise of that. `show` gets the URLSearchParams after the view's name in the address; `go(view,
 * parameters)` changes the address. A view is made anew when the language changes: its `hide` is then
 * told so by { returns: true }.
 */
const VIEWS = ['board', 'tree', 'animation', 'audit', 'sql'];
const PANES = ['moves', 'map', 'search', 'leaderboard', 'data'];
const viewsOf = ({ panes }) => VIEWS.filter((_, index) => panes.includes(PANES[index]));
const place = document.getElementById('view');
const made = new Map();
let shown = null;
let asked = 0; // How often something was to be shown.

/** What the address says: #view?parameters. */
function address() {
  const [name, query = ''] = location.hash.slice(1).split('?');
  return [VIEWS.includes(name) ? name : 'board', new URLSearchParams(query)];
}

/**
 * Change the address, and so what is shown. With `replace` a view writes down what it shows already:
 * there is no step to go back to, and nothing happens when the reader has left the view meanwhile.
 */
export async function go(view, parameters = {}, { replace = false } = {}) {
  const query = new URLSearchParams(parameters).toString();
  const hash = `#${view}${query ? `?${query}` : ''}`;
  if (hash === location.hash) return;
  if (!replace) {
    history.pushState(null, '', hash);
    await showOrTell();
  } else if (address()[0] === view) history.replaceState(null, '', hash);
}

async function show() {
  const mine = ++asked;
  const about = await game();
  const [name, parameters] = address();
  if (!viewsOf(about).includes(name)) throw new Error(t(name === 'sql' ? 'served' : 'absent', about));
  if (shown && shown.name !== name) shown.view.hide?.();
  if (!made.has(name)) {
    const module = await import(`./${name}-view.js`);
    const view = await module.create(about, go);
    if (mine === asked) made.set(name, view);
  }
  if (mine !== asked) return; // The address has changed meanwhile.
  const view = made.get(name);
  if (!shown || shown.view !== view) place.replaceChildren(view.element);
  shown = { name, view };
  document.title = `${t(name)} | marubatsu`;
  for (const link of document.querySelectorAll('#views a')) {
    if (link.dataset.view === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  await view.show(parameters);
}

/** Show, and say in a sentence what goes wrong. */
async function showOrTell() {
  const mine = asked + 1;
  try {
    await show();
  } catch (error) {
    if (mine !== asked) return; // Something else is shown by now.
    shown = null; // What stands there now is no view.
    place.replaceChildren(el('p', { class: 'error', role: 'alert' }, error.message));
  }
}

/** Judge a file that is dropped anywhere: an audit. */
async function drop(event) {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (!file) return;
  await go('audit', { part: 'file' });
  await made.get('audit')?.take(file);
}

async function frame() {
  const about = await game();
  document.documentElement.lang = language();
  document.getElementById('game-name').textContent = about.name;
  document.getElementById('version').textContent = t('version', about);
  document.querySelector('.skip').textContent = t('skip');
  document.getElementById('views').setAttribute('aria-label', t('views'));
  document.getElementById('views').replaceChildren(
    ...viewsOf(about).map((name) => el('a', { href: `#${name}`, dataset: { view: name } }, t(name))),
  );
  const languages = document.getElementById('languages');
  const hadFocus = languages.contains(document.activeElement);
  languages.replaceChildren(
    ...LANGUAGES.map(([code, name]) => button(name, () => setLanguage(code), {
      lang: code, 'aria-pressed': String(code === language()),
    })),
  );
  if (hadFocus) languages.querySelector('[aria-pressed="true"]').focus();
}

onLanguage(async () => {
  shown?.view.hide?.({ returns: true });
  made.clear();
  shown = null;
  await frame();
  showOrTell();
  tell('');
});
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault(); // The address says which view is shown, and stays.
  place.focus();
});
window.addEventListener('dragover', (event) => event.preventDefault());
window.addEventListener('drop', drop);
window.addEventListener('popstate', showOrTell); // Also heard when a link changes the address.
frame().then(showOrTell, (error) => place.append(el('p', { class: 'error', role: 'alert' }, error.message)));
