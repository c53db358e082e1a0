// The tree: one node of the full tree with its path, its siblings, its children and the best play
// from it; a list to expand and collapse; and the whole tree by ply.

import { drawShares } from '../charts/charts.js';
import { announce, button, choice, el, setCurrent, table, wide } from '../elements/dom.js';
import { reasonOf } from '../elements/latest.js';
import { address, complaintAbout, go } from '../state/address.js';
import { number, t } from '../words/i18n.js';
import { lineText, padOf, plain, readLine } from '../words/moves.js';
import { TreeList } from './tree-list.js';
import { TreeMap } from './tree-map.js';
import { below, BEST, continuation, lineOf, lineTo, settings, walk } from './tree-nodes.js';
import { changesOf, factsOf, rowOf, sentenceOf } from './tree-words.js';

const SHOWN = ['score', 'distance', 'random', 'subtree'];
const EXAMPLE = 3; // moves
const OUTCOMES = ['won', 'drawn', 'lost'];
const COLUMNS = ['ply', 'positions', 'nodes', ...OUTCOMES, 'shares']; // of the table by ply

/** Make the pane; see panes.js. What it says before it shows a node is there at once, so nothing moves. */
export async function create(game) {
  const view = new TreeView(game);
  await view.showExample();
  return view;
}

class TreeView {
  constructor(game) {
    this.game = game;
    this.nodes = []; // From the root to the node shown.
    this.jumps = 0; // Counts what was typed, to drop what is late.
    this.errorAt = ''; // The address at which the reader typed something wrong.
    const attempt = (promise) => this.attempt(promise);
    this.list = new TreeList(game, (cells) => this.select(cells), attempt);
    this.map = new TreeMap(game, (cells) => this.select(cells));
    this.overview = makeOverview(game);
    this.overview.hidden = true;
    this.error = el('p', { class: 'error', role: 'alert', id: 'tree-error', hidden: true });
    this.around = el('div', { class: 'around' });
    const keys = padOf(game) ? `${t('tree.keys')} ${t('tree.pad')}` : t('tree.keys');
    this.element = el('section', { class: 'tree-view' },
      this.map.element, this.makeSettings(), this.makeJump(), this.error,
      el('div', { class: 'columns' },
        el('div', {}, el('h2', {}, t('tree.list')), el('p', { class: 'soft keys' }, keys), this.list.element),
        this.around),
      this.overview);
  }

  // Elements that stay.

  makeSettings() {
    const scores = Object.keys(BEST).map((each) => [each, t(`tree.score.${each}`)]);
    const shown = SHOWN.map((each) => [each, t(`tree.shown.${each}`)]);
    this.dim = button(t('tree.dim'), () => {
      settings.dims = !settings.dims;
      this.showDims();
    }, { dataset: { control: 'dim' } });
    const score = choice(t('tree.score'), scores, settings.score, (value) => {
      settings.score = value;
      this.select(this.nodes.at(-1)?.cells ?? []);
    }, { dataset: { control: 'score' } });
    this.score = score.querySelector('select');
    return el('div', { class: 'row' }, score, choice(t('tree.shown'), shown, settings.shown, (value) => {
      settings.shown = value;
      this.attempt(this.render());
    }, { dataset: { control: 'shown' } }), this.dim);
  }

  makeJump() {
    this.input = el('input', { type: 'text', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', 'aria-describedby': 'tree-hint tree-error', dataset: { control: 'jump' } });
    const submit = (event) => {
      event.preventDefault();
      this.attempt(this.jump(this.input.value));
    };
    this.hint = el('p', { class: 'soft', id: 'tree-hint' });
    return el('form', { class: 'jump', onsubmit: submit },
      el('div', { class: 'row' }, el('label', { class: 'field' }, el('span', {}, t('tree.jump')), this.input), el('button', { type: 'submit' }, t('tree.go'))),
      this.hint);
  }

  /** Say what can be typed, by the example of some best moves, as a board and as lines. */
  async showExample() {
    const [root] = await walk(this.game, []);
    const { cells, position } = (await continuation(this.game, root, EXAMPLE)).at(-1) ?? root;
    this.hint.textContent = t('tree.hint', { board: position.board, line: lineText(this.game, cells), together: lineText(this.game, cells, '') });
  }

  // What the reader does.

  /** Show the node of a record: its line from the empty board, if it began there, else one that leads there. */
  async show(record, isLatest) {
    const nodes = await walk(this.game, await lineOf(record));
    if (!isLatest()) return;
    const parameters = address();
    const isScore = (value) => Object.hasOwn(BEST, value);
    if (isScore(parameters.get('score'))) settings.score = parameters.get('score');
    this.score.value = settings.score;
    this.nodes = nodes;
    if (this.errorAt !== parameters.toString()) { // Else what was typed here is still wrong.
      this.complain(complaintAbout(parameters, (name, value) => name === 'score' && !isScore(value)));
    }
    await this.render();
  }

  select(cells) {
    go(changesOf(this.game, cells));
  }

  /** Go to a board or a line that the reader has typed, unless more is typed meanwhile. */
  async jump(typed) {
    const jump = ++this.jumps;
    this.complain('');
    const { cells, sentence } = await this.find(typed);
    if (jump !== this.jumps) return;
    if (sentence) this.complain(sentence);
    else this.select(cells);
  }

  /** Find the line to a board or a line that was typed, or a sentence that says what is wrong. */
  async find(typed) {
    const text = plain(typed).replace(/[〇○]/g, 'o').replace(/×/g, 'x').toLowerCase();
    const cells = this.game.columns * this.game.rows;
    if (/^[ox.]+$/.test(text) && text.length === cells) {
      const position = await this.game.recordOf(text);
      return position ? { cells: await lineTo(this.game, position) } : { sentence: t('tree.unreachable', { text }) };
    }
    const line = readLine(this.game, typed);
    if (!line) return { sentence: t('tree.unreadable', { text: typed, cells }) };
    const nodes = await walk(this.game, line.map(({ cell }) => cell));
    const at = nodes.length;
    return at > line.length ? { cells: nodes.at(-1).cells } : { sentence: t('tree.badmove', { at, cell: line[at - 1].part }) };
  }

  complain(sentence) {
    this.errorAt = address().toString();
    this.error.replaceChildren(sentence);
    this.error.hidden = !sentence;
    this.input.setAttribute('aria-invalid', String(Boolean(sentence)));
  }

  /** Show the error of a promise that is not awaited. */
  attempt(promise) {
    promise.catch((error) => this.complain(reasonOf(error)));
  }

  // What is shown.

  async render() {
    const { nodes } = this;
    const node = nodes.at(-1);
    if (!node) return; // Nothing is shown yet; it soon will be.
    const all = node.parent ? await below(this.game, node.parent) : [];
    const next = await below(this.game, node);
    if (nodes !== this.nodes) return; // Another node was selected meanwhile.
    this.showDims();
    this.renderAround(nodes, all.filter(({ move }) => move !== node.move), next);
    this.attempt(this.map.update(nodes));
    this.attempt(this.renderContinuation(node));
    for (const row of this.overview.querySelector('tbody').children) setCurrent(row, row.sectionRowIndex === node.position.ply);
    await this.list.reveal(nodes).finally(() => { this.overview.hidden = false; }); // What is above it has its height now.
    announce(sentenceOf(node, this.game));
  }

  showDims() {
    this.dim.setAttribute('aria-pressed', String(settings.dims));
    this.element.classList.toggle('dims', settings.dims);
  }

  renderAround(nodes, siblings, next) {
    const { game } = this;
    const node = nodes.at(-1);
    const hadFocus = this.around.contains(document.activeElement);
    const part = (name, each, otherwise) => el('section', { dataset: { part: name } }, el('h2', {}, t(`tree.${name}`)),
      each.length ? rowOf(each, game, node) : el('p', { class: 'soft' }, otherwise));
    this.around.replaceChildren(
      part('path', nodes), part('siblings', siblings, t(node.parent ? 'tree.onlychild' : 'tree.nosiblings')),
      part('children', next, t('tree.nochildren')), factsOf(game, node), part('continuation', [], next.length ? t('tree.loading') : t('tree.nochildren')));
    if (hadFocus) this.around.querySelector('[aria-current]').focus({ preventScroll: true });
  }

  /** Show the best play to the end; it comes after the rest, since it needs every ply from here on. */
  async renderContinuation(node) {
    const place = this.around.querySelector('[data-part="continuation"]');
    const best = await continuation(this.game, node);
    if (best.length) place.lastElementChild.replaceWith(rowOf(best, this.game, node));
  }
}

/** The whole tree by ply: how many nodes show what is won for circle, drawn, and won for cross. */
const makeOverview = ({ plies, tree }) => el('details', {}, el('summary', {}, t('tree.overview')), wide(t('tree.overview'),
  table(t('tree.caption'), COLUMNS.map((each) => t(`tree.column.${each}`)), [...plies.map((row) => cellsOf(row, String(row.ply))), cellsOf(tree, t('tree.all'))], { class: 'plies' })));

/** The cells of a row; the bar shows the shares that the numbers say. */
function cellsOf(row, name) {
  return [name, row.positions, row.nodes, ...OUTCOMES.map((each) => el('span', { class: `number ${each}` }, number(row[each]))),
    drawShares(OUTCOMES.map((each) => [each, row[each]]))];
}
