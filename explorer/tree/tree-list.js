// The tree as a list to expand and collapse, with the roles and keys of a tree.

import { announce, el, onKey } from '../elements/dom.js';
import { t } from '../words/i18n.js';
import { padOf } from '../words/moves.js';
import { below, keyOf } from './tree-nodes.js';
import { classOf, pictureOf, wordsOf } from './tree-words.js';

export class TreeList {
  /** `select(cells)` is called when the reader chooses a node; `attempt(promise)` shows its failure. */
  constructor(game, select, attempt) {
    this.game = game;
    this.select = select;
    this.attempt = attempt;
    this.items = new Map(); // By line: { node, place, element, words }, of what is visible.
    this.current = null; // The item that has the focus when the tree has it.
    this.revealed = null; // The line of the selected node.
    this.element = el('ul', { class: 'tree', role: 'tree', 'aria-label': t('tree.list'), onkeydown: (event) => this.key(event) });
  }

  makeItem(node) {
    const { columns } = this.game;
    const item = { node, place: null, element: null, words: el('span', { class: 'words' }) };
    const twisty = el('span', { class: 'twisty', 'aria-hidden': 'true', onclick: (event) => {
      event.stopPropagation();
      this.focus(item);
      this.toggle(item);
    } });
    item.element = el('div', {
      role: 'treeitem', tabindex: -1, 'aria-level': node.cells.length + 1, 'aria-selected': String(keyOf(node) === this.revealed),
      'aria-expanded': node.position.moves.length ? 'false' : null, dataset: { line: keyOf(node) }, onclick: () => {
        this.focus(item);
        this.select(node.cells);
      },
    }, twisty, pictureOf(node, columns, 36), item.words);
    item.place = el('li', { role: 'none' }, item.element);
    this.items.set(keyOf(node), item);
    this.describe(item);
    return item.place;
  }

  /** Write the words of an item again: the settings may have changed. */
  describe({ node, element, words }) {
    element.className = classOf(node);
    words.replaceChildren(...wordsOf(node, this.game));
  }

  isOpen = ({ element }) => element.getAttribute('aria-expanded') === 'true';

  async open(item) {
    if (!item.node.position.moves.length || this.isOpen(item)) return;
    const nodes = await below(this.game, item.node);
    if (this.isOpen(item)) return; // It was opened meanwhile.
    item.place.append(el('ul', { role: 'group' }, nodes.map((node) => this.makeItem(node))));
    item.element.setAttribute('aria-expanded', 'true');
  }

  close(item) {
    const group = item.place.querySelector('[role="group"]');
    for (const inside of group.querySelectorAll('[role="treeitem"]')) this.items.delete(inside.dataset.line);
    if (group.contains(this.current.element)) this.makeCurrent(item);
    group.remove();
    item.element.setAttribute('aria-expanded', 'false');
  }

  toggle(item) {
    if (this.isOpen(item)) this.close(item);
    else this.attempt(this.open(item));
  }

  /** Describe all nodes again; when another one is selected, open it and the nodes above it. */
  async reveal(nodes) {
    if (!this.items.size) this.element.append(this.makeItem(nodes[0]));
    for (const item of this.items.values()) this.describe(item);
    const key = keyOf(nodes.at(-1));
    if (this.revealed === key) return; // What the reader has closed stays closed.
    this.revealed = key;
    for (const node of nodes) await this.open(this.items.get(keyOf(node)));
    if (this.revealed === key) this.mark(this.items.get(key));
  }

  /** Mark an item as the selected one. */
  mark(selected) {
    for (const item of this.items.values()) item.element.setAttribute('aria-selected', String(item === selected));
    if (this.element.contains(document.activeElement)) this.focus(selected);
    else this.makeCurrent(selected);
    this.scrollTo(selected);
  }

  makeCurrent(item) {
    if (this.current) this.current.element.tabIndex = -1;
    this.current = item;
    item.element.tabIndex = 0;
  }

  focus(item) {
    this.makeCurrent(item);
    item.element.focus({ preventScroll: true });
    item.element.scrollIntoView({ block: 'nearest' });
  }

  /** Scroll inside the tree only; the page stays where it is. */
  scrollTo({ element }) {
    const top = element.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
    const room = this.element.clientHeight - element.offsetHeight;
    if (top < 0 || top > room) this.element.scrollTop += top - room / 3;
  }

  key(event) {
    const { current } = this;
    if (!current) return;
    const isOpen = this.isOpen(current);
    const visible = [...this.element.querySelectorAll('[role="treeitem"]')].map(({ dataset }) => this.items.get(dataset.line));
    const at = visible.indexOf(current);
    const goTo = (item) => () => { if (item) this.focus(item); };
    const select = () => this.select(current.node.cells);
    const toggle = () => this.toggle(current);
    onKey(event, {
      Enter: select, ' ': select, Home: goTo(visible[0]), End: goTo(visible.at(-1)), ArrowUp: goTo(visible[at - 1]), ArrowDown: goTo(visible[at + 1]),
      ArrowLeft: isOpen ? toggle : goTo(current.node.parent && this.items.get(keyOf(current.node.parent))), ArrowRight: isOpen ? goTo(visible[at + 1]) : toggle,
      ...Object.fromEntries([...padOf(this.game)].map((digit, cell) => [digit, () => this.play(cell, digit)])),
    });
  }

  /** Play a move in the node that has the focus. */
  play(cell, key) {
    const { cells, position } = this.current.node;
    if (position.moves.includes(cell)) this.select([...cells, cell]);
    else announce(t('tree.nomove', { key }));
  }
}
