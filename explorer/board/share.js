// A finished game to share: its link, and a picture of it that is made here and goes nowhere by itself.

import { button, el } from '../elements/dom.js';
import { nameOfGame } from '../words/game-names.js';
import { addTexts, t } from '../words/i18n.js';
import { copyLink } from './board-files.js';
import { drawCard } from './share-card.js';

addTexts({
  en: {
    'share.title': 'Share this game', 'share.send': 'Share…', 'share.picture': 'Save picture', 'share.close': 'Close',
    'share.won': 'I beat {name} in {game}', 'share.lost': '{name} beat me in {game}', 'share.held': 'I held the draw against {name} in {game}', 'share.other': 'A game of {game}',
  },
  ja: {
    'share.title': 'この対局を共有', 'share.send': '共有…', 'share.picture': '画像を保存', 'share.close': '閉じる',
    'share.won': '{game}で {name} に勝ちました', 'share.lost': '{game}で {name} に負けました', 'share.held': '{game}で {name} と引き分けました', 'share.other': '{game}の対局',
  },
});

/** What somebody who shares a game says of it. */
export function boastOf({ game, here }, players) {
  const outcome = players.people !== 1 || here.turn ? 'other' : here.status === 'draw' ? 'held' : here.status === players.person ? 'won' : 'lost';
  return t(`share.${outcome}`, { name: players.nameOf(players.of(players.other)), game: nameOfGame(game) });
}

export class ShareDialog {
  constructor() {
    this.element = el('dialog', { class: 'cards share', 'aria-label': t('share.title') });
    this.element.addEventListener('click', ({ target }) => { if (target === this.element) this.element.close(); });
  }

  /** Offer a game: `title` and `why` are written beside its board, `fault` is the cell with a ring, `map` a canvas or null. */
  open(record, { title, why, fault, map }) {
    const canvas = drawCard(record, { title, why, fault, map });
    const name = `${record.game.name}.png`;
    const picture = canvas.toDataURL();
    const said = el('p', { class: 'soft', role: 'status' });
    const sent = { title, text: title, url: location.href };
    const fileOf = (parts) => new File(parts, name, { type: 'image/png' });
    const canSend = navigator.canShare?.({ ...sent, files: [fileOf([])] });
    const send = () => canvas.toBlob((blob) => navigator.share({ ...sent, files: [fileOf([blob])] }).catch(() => {})); // The reader may change their mind.
    this.element.replaceChildren(
      el('div', { class: 'head' }, el('h2', {}, t('share.title')), button(t('share.close'), () => this.element.close(), { class: 'quiet' })),
      el('img', { src: picture, width: 600, height: 315, alt: title }), said,
      el('div', { class: 'row' },
        canSend && button(t('share.send'), send, { class: 'primary' }),
        button(t('board.link'), async () => { said.textContent = await copyLink(); }, { class: canSend ? null : 'primary', dataset: { control: 'copy' } }),
        el('a', { class: 'button', href: picture, download: name, dataset: { control: 'picture' } }, t('share.picture'))));
    this.element.showModal();
  }
}
