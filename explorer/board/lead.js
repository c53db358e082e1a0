// What this is, and what is true of it: a sentence, the rules, and three ways to begin.

import { button, el } from '../elements/dom.js';
import { emptyBoard } from '../state/record.js';
import { number, t } from '../words/i18n.js';

/** The rules of a game in a sentence, from what the API says of them. */
export function rulesOf(game) {
  const others = game.notation.split('-').slice(1).filter((rule) => !['gravity', 'misere', 'torus'].includes(rule)).join(', ');
  const parts = ['turns', game.gravity && 'gravity', game.torus && 'torus', game.misere ? 'misere' : 'wins', others && 'others'].filter(Boolean);
  return parts.map((part) => t(`lead.rule.${part}`, { ...game, others })).join(t('lead.space'));
}

/** What is known of the whole game, from what is known of its empty board. */
function truthOf(game, root) {
  const known = root.is_glance ? '' : root.score === null ? t('lead.unknown') : t(`lead.value.${root.score}`, root);
  const size = game.plies.length ? t('lead.all', { positions: number(game.plies.reduce((sum, row) => sum + row.positions, 0)) })
    : t(game.tables.length ? 'lead.solved' : 'lead.searched');
  return [size, known].filter(Boolean).join(t('lead.space'));
}

export class Lead {
  /** `begin(mode)` starts to play, study or watch. */
  constructor(game, begin) {
    this.game = game;
    this.truth = el('p', { class: 'truth' });
    const ways = game.opponents.length ? ['play', 'study', 'watch'] : ['study']; // Without AIs nobody else plays.
    this.modes = ways.map((mode) => button(t(`lead.${mode}`), () => begin(mode), { dataset: { mode }, title: t(`lead.${mode}.why`) }));
    this.element = el('div', { class: 'lead' },
      this.truth, el('p', { class: 'rules soft' }, rulesOf(game)), el('div', { class: 'row modes', role: 'group', 'aria-label': t('lead.modes') }, this.modes));
    game.glance(emptyBoard(game)).then((root) => this.tell(root), () => {}); // The board says what is wrong.
  }

  tell(root) {
    this.truth.textContent = truthOf(this.game, root);
  }

  /** Mark the way that fits who plays and what is shown; tell what a search found of the empty board. */
  update(mode, { start }) {
    if (!start.ply && !start.is_glance) this.tell(start);
    for (const each of this.modes) each.setAttribute('aria-pressed', String(each.dataset.mode === mode));
  }
}
