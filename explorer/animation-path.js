// The path of an animation from the root to its node: a row of small boards for each ply, which are
// the branches there. Each is a button that chooses its node.

import { lineText } from './cells.js';
import { el } from './dom.js';
import { BoardPicture } from './drawing.js';
import { scoreText } from './animation-words.js';
import { t } from './i18n.js';

const lineAfter = (line, cell) => (line ? `${line},${cell}` : String(cell));

/** The cells of a line that is written with commas. */
const readCells = (text) => text.split(',').filter(Boolean).map(Number);

export class Path {
  /** `choose(cells)` is called when the reader chooses a node. */
  constructor(game, choose) {
    const wide = Math.max(...game.plies.map((row) => row.most_moves));
    this.legend = el('ul', { class: 'legend' });
    this.rows = game.plies.map(({ ply }, index) => {
      const branches = index ? game.plies[index - 1].most_moves : 1;
      const slots = Array.from({ length: branches }, () => new Slot(game, choose));
      const label = el('span', { class: 'ply' }, String(ply));
      return { slots, element: el('div', { class: 'branches', role: 'group', 'aria-label': t('animation.ply', { ply }) }, label, slots.map(({ element }) => element)) };
    });
    this.element = el('div', { class: 'path', style: `--wide: ${wide}` }, el('h2', {}, t('animation.path')), this.legend, this.rows.map(({ element }) => element));
  }

  /** Get ready for another animation. */
  start(model) {
    this.group = model.values ? 'state' : model.at(0).kind;
    for (const slot of this.rows.flatMap(({ slots }) => slots)) slot.key = null;
    const states = ['done', 'now', ...(model.values ? ['cut'] : []), 'later'];
    this.legend.replaceChildren(...states.map((state) => el('li', {}, el('span', { class: 'slot', 'data-state': state }), t(`animation.${this.group}.${state}`))));
  }

  /** Show the path to a step's node; `selected` is the line of the node that was chosen. */
  update(model, step, path, selected) {
    const { nodes } = model;
    const root = { record: nodes.record(path[0]), state: 'now', score: path.length === 1 ? model.at(step).score ?? null : null };
    this.fill(0, [root], '', selected);
    let line = '';
    for (let ply = 1; ply < this.rows.length; ply++) {
      const branches = ply > path.length ? [] : model.branches(path[ply - 1], step);
      const cell = nodes.cell[path[ply]]; // None below the end of the path.
      const taken = branches.find((branch) => branch.cell === cell);
      if (taken) taken.state = 'now';
      this.fill(ply, branches, line, selected);
      if (taken) line = lineAfter(line, cell);
    }
  }

  fill(ply, branches, line, selected) {
    const { slots, element } = this.rows[ply];
    element.classList.toggle('empty', !branches.length);
    for (const [index, slot] of slots.entries()) {
      const branch = branches[index];
      slot.element.hidden = !branch;
      if (!branch) continue;
      const own = branch.cell === undefined ? '' : lineAfter(line, branch.cell);
      slot.update(own, branch, this.group, own === selected);
    }
  }
}

/** A small board, with its score when it has one. */
class Slot {
  constructor(game, choose) {
    const { columns, rows } = game;
    this.game = game;
    this.board = new BoardPicture(columns, rows, 40);
    this.board.element.setAttribute('aria-hidden', 'true');
    this.score = el('span', { class: 'score' });
    this.element = el('button', { type: 'button', class: 'slot', hidden: true, onclick: () => choose(readCells(this.line)) }, this.board.element, this.score);
  }

  update(line, { record, state, score }, group, isSelected) {
    const key = `${line} ${record.board} ${state} ${score} ${isSelected}`;
    if (key === this.key) return;
    this.key = key;
    this.line = line;
    this.board.update(record.board);
    this.score.textContent = score === null ? '' : scoreText(score);
    const said = t('animation.slot', { line: lineText(this.game, readCells(line)) || t('animation.node.root'), board: record.board, state: t(`animation.${group}.${state}`) });
    this.element.dataset.state = state;
    this.element.setAttribute('aria-pressed', isSelected);
    this.element.setAttribute('aria-label', score === null ? said : said + t('animation.slot.score', { score: scoreText(score) }));
  }
}
