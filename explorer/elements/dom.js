// Small helpers for elements.

import { figure } from '../words/i18n.js';

/**
 * Make an element: attributes (on… are listeners, booleans are set or left out, class and dataset
 * as usual), then children: nodes, strings, lists of them; null and false are left out.
 */
export function el(tag, attributes = {}, ...inside) {
  return fill(document.createElement(tag), attributes, inside);
}

const SVG = 'http://www.w3.org/2000/svg';

/** Make an SVG element. */
export function svg(tag, attributes = {}, ...inside) {
  return fill(document.createElementNS(SVG, tag), attributes, inside);
}

function fill(element, attributes, inside) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...inside.flat(Infinity).filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/** A labelled <select>; options are [value, text] pairs. */
export function choice(label, options, value, onchange, attributes = {}) {
  const select = el('select', { onchange: () => onchange(select.value), ...attributes },
    options.map(([each, text]) => el('option', { value: each, selected: each === value }, text)));
  return el('label', { class: 'field' }, el('span', {}, label), select);
}

/** A button; it does nothing while it is off. */
export const button = (text, onclick, attributes = {}) => el('button', {
  type: 'button', onclick: (event) => event.currentTarget.ariaDisabled !== 'true' && onclick(event), ...attributes,
}, text);

/** A file picker; the same file can be picked again. */
export const fileInput = (accept, take, attributes = {}) => el('input', { type: 'file', accept, ...attributes, onchange: ({ target }) => {
  const [file] = target.files;
  target.value = '';
  if (file) take(file);
} });

/** A list of names with their values: [name, value, a key that identifies the value, if there is one]; null is left out. */
export const facts = (all) => el('dl', {}, all.filter(Boolean).map(([name, value, key = null]) => [el('dt', {}, name), el('dd', { 'data-fact': key }, value)]));

/** A table: a caption or null, headings, rows of cells (strings, numbers or nodes). Numbers are on the right. */
export function table(caption, headings, rows, attributes = {}) {
  const isNumber = (cell) => typeof cell === 'number' || (cell instanceof Element && cell.classList.contains('number'));
  const made = el('table', attributes, caption && el('caption', {}, caption),
    el('thead', {}, el('tr', {}, headings.map((each) => el('th', { scope: 'col' }, each)))),
    el('tbody', {}, rows.map((row) => el('tr', {}, row.map((cell) =>
      el('td', { class: isNumber(cell) ? 'number' : null }, typeof cell === 'number' ? figure(cell) : cell))))));
  alignHeads(made);
  return made;
}

/** Something that may be wider than the page, in a place of its own to scroll. */
export const wide = (label, ...inside) => el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, inside);

/** Put the headings of a table above the numbers of its first row. */
export function alignHeads({ tHead, tBodies: [body] }) {
  const [first] = body.rows;
  if (!first) return;
  for (const [index, head] of [...tHead.rows[0].cells].entries()) head.classList.toggle('number', first.cells[index].classList.contains('number'));
}

/** Say whether an element is the current one of its kind: true, false, or the kind, such as 'page'. */
export function setCurrent(element, current) {
  if (current) element.setAttribute('aria-current', current);
  else element.removeAttribute('aria-current');
}

/** Say whether a button is off: it keeps the focus then, which one that is disabled loses. */
export const setOff = (element, isOff) => element.setAttribute('aria-disabled', String(isOff));

/** Replace the nodes of a place; the focus on one of them moves to the node that takes its place. */
export function renew(place, ...nodes) {
  const all = () => [...place.querySelectorAll(':is(a, button, input):not([hidden], [hidden] *)')];
  const [old, before] = [[...place.childNodes], all()];
  const index = before.indexOf(document.activeElement);
  place.append(...nodes);
  const after = all().slice(before.length);
  const next = index < 0 ? null : after[index] ?? after.at(-1) ?? place;
  next?.focus({ preventScroll: true }); // A place that waits is hidden without the focus.
  for (const node of old) node.remove();
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Run the action of a key; keys with Ctrl, Alt or Meta belong to the browser. */
export function onKey(event, acts) {
  const act = !event.ctrlKey && !event.altKey && !event.metaKey && acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** Hand something to the reader as a file. */
export function save(content, type, name) {
  const href = URL.createObjectURL(new Blob([content], { type }));
  el('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** Announce a sentence to screen readers. */
export function announce(sentence) {
  document.getElementById('announcement').textContent = sentence;
}
