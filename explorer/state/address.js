// The one state of the page, in the address: game, line, players, pane, language, and what each pane
// shows. Changes go through `go`; views listen with `onAddress`.

import { addTexts, listed, t } from '../words/i18n.js';

addTexts({ 'address.strange': ['Not used, because it means nothing here: {parts}.', 'ここでは意味がないため、使いません：{parts}。'] });

/** The names of its parts. */
export const PARTS = [
  'game', 'lang', 'start', 'line', 'at', 'circle', 'cross', 'seed', 'hints', 'pane', 'part', 'ai', 'score', 'report', 'sql', 'sort', 'chart', 'x', 'y',
  'show', 'beside', 'step', 'rate', 'zoom', 'play',
];

const listeners = new Set();

/** What the address says: URLSearchParams, such as #game=tictactoe&line=b2.a3&pane=moves. */
export const address = () => new URLSearchParams(location.hash.slice(1));

/** That the address has parts that mean nothing, as `isStrange(name, value)` says; '' where it has none. */
export function complaintAbout(parameters, isStrange) {
  const parts = [...parameters].filter(([name, value]) => value && isStrange(name, value)).map((each) => each.join('='));
  return parts.length ? t('address.strange', { parts: listed(parts) }) : '';
}

/** The address after changes: { name: value }, where nothing ('', null, undefined, false) removes a name. */
function addressAfter(changes) {
  const parameters = address();
  for (const [name, value] of Object.entries(changes)) {
    if (value === '' || value === null || value === undefined || value === false) parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  return text ? `#${text}` : location.pathname + location.search;
}

/**
 * Change the address, and notify the listeners. With `replace` there is no step to go back to; with
 * `quiet` they are not notified, because the caller shows the change already.
 */
export function go(changes, { replace = false, quiet = false } = {}) {
  const after = addressAfter(changes);
  if (after === (location.hash || location.pathname + location.search)) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', after);
  renewLinks();
  if (!quiet) notifyAll();
}

/** Call a listener whenever the address has changed. */
export const onAddress = (listener) => listeners.add(listener);

/** The attributes of a link that changes the address; it keeps all else that the address says then. */
export const linkTo = (changes) => ({ href: addressAfter(changes), dataset: { go: JSON.stringify(changes) } });

function renewLinks() {
  for (const link of document.querySelectorAll('a[data-go]')) link.setAttribute('href', addressAfter(JSON.parse(link.dataset.go)));
}

const notifyAll = () => listeners.forEach((listener) => listener());

document.addEventListener('click', (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest?.('a[data-go]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(JSON.parse(link.dataset.go));
});
window.addEventListener('popstate', () => { // Also heard when a link or the reader changes the address.
  renewLinks();
  notifyAll();
});
