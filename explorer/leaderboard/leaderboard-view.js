// Verdicts on AIs: ours from the reports, a foreign one from the JSON that `marubatsu audit` writes.

import { once } from '../answers/request.js';
import { el, setCurrent } from '../elements/dom.js';
import { Latest } from '../elements/latest.js';
import { address, linkTo } from '../state/address.js';
import { addTexts, t } from '../words/i18n.js';
import { makeMatches, makePlies } from './colour-maps.js';
import { droppedOf } from './judged.js';
import { makeBlunders, makeFile } from './one-ai.js';
import { makeOrderings } from './orderings.js';
import { makePuzzles } from './puzzles.js';
import { makeVerdicts } from './verdicts.js';

addTexts({
  'audit.parts': ['Parts of the audit', '検証結果の内容'], 'audit.part.verdicts': ['Verdicts', '判定'], 'audit.part.plies': ['By ply', '手数ごと'],
  'audit.part.blunders': ['Blunders', '悪手'], 'audit.part.puzzles': ['Puzzles', '問題集'], 'audit.part.matches': ['Matches', '対戦表'],
  'audit.part.orderings': ['Orderings', '手の順序付け'], 'audit.part.file': ['Your AI', '自作の AI'],
  'audit.nopart': ['There is no part “{part}”: these are the verdicts.', '「{part}」という内容はありません。判定を表示しています。'],
});

/** Each part is made by a function that promises { element, update(ai, record) or nothing }. */
const PARTS = { verdicts: makeVerdicts, plies: makePlies, blunders: makeBlunders, puzzles: makePuzzles, matches: makeMatches, orderings: makeOrderings, file: makeFile };

const settings = { ai: 'ai14s' }; // Kept when the language or the pane changes.

const linkOf = (part) => {
  const link = linkTo({ part: part === 'verdicts' ? null : part });
  return { ...link, dataset: { ...link.dataset, part } };
};

/** Make the pane; see panes.js. */
export const create = (game) => new AuditView(game);

class AuditView {
  constructor(game) {
    this.game = game;
    this.made = new Map();
    this.audits = []; // Those that the parts show.
    this.links = el('nav', { class: 'audit-parts', 'aria-label': t('audit.parts') },
      Object.keys(PARTS).map((part) => el('a', linkOf(part), t(`audit.part.${part}`))));
    this.place = el('div');
    this.answer = new Latest(this.place);
    this.error = el('p', { class: 'error', role: 'alert', hidden: true });
    this.element = el('section', { class: 'audit-view' }, this.links, this.error, this.place);
  }

  /** A part, made once and then only brought up to date; all but the one of files, when another audit was dropped. */
  part(name) {
    const audits = droppedOf(this.game);
    if (audits.length !== this.audits.length || audits.some((each, at) => each !== this.audits[at])) {
      for (const each of Object.keys(PARTS)) if (each !== 'file') this.made.delete(each);
      this.audits = audits;
    }
    return once(this.made, name, () => PARTS[name](this.game));
  }

  async show(record) {
    const parameters = address();
    const named = parameters.get('part') ?? '';
    const isKnown = Object.hasOwn(PARTS, named);
    this.wanted = isKnown ? named : 'verdicts';
    this.error.hidden = isKnown || !named;
    this.error.textContent = this.error.hidden ? '' : t('audit.nopart', { part: named });
    settings.ai = parameters.get('ai') ?? settings.ai;
    for (const link of this.links.children) setCurrent(link, link.dataset.part === this.wanted);
    await this.answer.take(() => this.part(this.wanted), async (part) => {
      if (!this.place.contains(part.element)) this.answer.put(part.element);
      await part.update?.(settings.ai, record);
    });
  }

  /** Show what an audit's file says. */
  async take(file) {
    (await this.part('file')).take(file);
  }
}
