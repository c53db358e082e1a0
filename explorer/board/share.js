// A finished game to share: its link, and a picture of it that is drawn here and not uploaded:
// its board, its result, and the whole game with the line played.

import { button, el } from '../elements/dom.js';
import { CELL, OUTLINES } from '../elements/drawing.js';
import { nameOfGame } from '../words/game-names.js';
import { addTexts, t } from '../words/i18n.js';
import { fullLines } from '../words/moves.js';
import { isOwnResult } from './verdict.js';

addTexts({
  'share.title': ['Share this game', 'この対局を共有'], 'share.send': ['Share…', '共有…'], 'share.picture': ['Save picture', '画像を保存'], 'share.close': ['Close', '閉じる'],
  'share.won': ['I beat {name} in {game}', '{game}で {name} に勝ちました'], 'share.lost': ['{name} beat me in {game}', '{game}で {name} に負けました'],
  'share.held': ['I held the draw against {name} in {game}', '{game}で {name} と引き分けました'], 'share.other': ['A game of {game}', '{game}の対局'],
  'board.link': ['Copy link', 'リンクをコピー'], 'board.copied': ['The link is copied.', 'リンクをコピーしました。'], 'board.linked': ['The link: {link}', 'リンク：{link}'],
});

/** The title of a shared game, in its player's words. */
export function boastOf(record, players) {
  const { game, here: { status } } = record;
  const outcome = !isOwnResult(record, players) ? 'other' : status === 'draw' ? 'held' : status === players.person ? 'won' : 'lost';
  return t(`share.${outcome}`, { name: players.nameOf(players.of(players.other)), game: nameOfGame(game) });
}

/** Copy a link to all that the page shows; return a message for the reader. */
export async function copyLink() {
  const link = location.href;
  try {
    await navigator.clipboard.writeText(link);
    return t('board.copied');
  } catch {
    return t('board.linked', { link }); // Copying may be forbidden.
  }
}

export class ShareDialog {
  constructor() {
    this.element = el('dialog', { class: 'cards share', 'aria-label': t('share.title') });
    this.element.addEventListener('click', ({ target }) => { if (target === this.element) this.element.close(); });
  }

  /** Offer a game: `title` and `why` are written next to its board, `fault` is the cell with a ring, `map` a canvas or null. */
  open(record, { title, why, fault, map }) {
    const canvas = drawCard(record, { title, why, fault, map });
    const name = `${record.game.name}.png`;
    const picture = canvas.toDataURL();
    const message = el('p', { class: 'soft', role: 'status' });
    const sent = { title, text: title, url: location.href };
    const fileOf = (parts) => new File(parts, name, { type: 'image/png' });
    const canSend = navigator.canShare?.({ ...sent, files: [fileOf([])] });
    const send = () => canvas.toBlob((blob) => navigator.share({ ...sent, files: [fileOf([blob])] }).catch(() => {})); // The reader may change their mind.
    this.element.replaceChildren(
      el('div', { class: 'head' }, el('h2', {}, t('share.title')), button(t('share.close'), () => this.element.close(), { class: 'quiet' })),
      el('img', { src: picture, width: 600, height: 315, alt: title }), message,
      el('div', { class: 'row' },
        canSend && button(t('share.send'), send, { class: 'primary' }),
        button(t('board.link'), async () => { message.textContent = await copyLink(); }, { class: canSend ? null : 'primary', dataset: { control: 'copy' } }),
        el('a', { class: 'button', href: picture, download: name, dataset: { control: 'picture' } }, t('share.picture'))));
    this.element.showModal();
  }
}

const WIDE = 1200, HIGH = 630; // pixels, as the cards of links have them
const EDGE = 60; // pixels around everything
const BOARD = HIGH - 2 * EDGE; // pixels
const LEFT = EDGE + BOARD + EDGE; // of the text next to the board
const FONT = 'system-ui, "Hiragino Sans", "Noto Sans CJK JP", sans-serif';

/** Draw the card onto a canvas. */
function drawCard(record, { title, why, fault, map }) {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDE, height: HIGH });
  const paper = canvas.getContext('2d');
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  paper.fillStyle = colour('paper');
  paper.fillRect(0, 0, WIDE, HIGH);
  paper.save();
  drawBoard(paper, colour, record, fault);
  paper.restore();
  drawWords(paper, colour, title, why);
  if (map) paper.drawImage(map, LEFT, HIGH - EDGE - 240, WIDE - EDGE - LEFT, 190);
  return canvas;
}

function drawBoard(paper, colour, { game, here }, fault) {
  const { columns, rows } = game;
  const scale = BOARD / (CELL * Math.max(columns, rows));
  paper.translate(EDGE, EDGE + (BOARD - rows * CELL * scale) / 2);
  paper.scale(scale, scale);
  const corner = (cell) => [(cell % columns) * CELL, Math.floor(cell / columns) * CELL];
  paper.fillStyle = colour('mark');
  for (const cell of fullLines(game, here).flat()) paper.fillRect(...corner(cell), CELL, CELL);
  paper.strokeStyle = colour('edge');
  paper.lineWidth = 1;
  for (let x = 0; x <= columns; x += 1) line(paper, x * CELL, 0, x * CELL, rows * CELL);
  for (let y = 0; y <= rows; y += 1) line(paper, 0, y * CELL, columns * CELL, y * CELL);
  paper.lineCap = 'round';
  for (const [cell, mark] of [...here.board].entries()) {
    if (mark === '.') continue;
    paper.strokeStyle = colour(mark);
    paper.lineWidth = 4;
    paper.stroke(new Path2D(OUTLINES[mark](...corner(cell))));
  }
  if (fault === null) return;
  paper.strokeStyle = colour('bad');
  paper.lineWidth = 2;
  paper.stroke(new Path2D(OUTLINES.ring(...corner(fault))));
}

function line(paper, ...[fromX, fromY, toX, toY]) {
  paper.beginPath();
  paper.moveTo(fromX, fromY);
  paper.lineTo(toX, toY);
  paper.stroke();
}

function drawWords(paper, colour, title, why) {
  paper.fillStyle = colour('ink');
  paper.font = `600 38px ${FONT}`;
  const below = wrapped(paper, title, LEFT, EDGE + 38, WIDE - EDGE - LEFT, 48);
  paper.fillStyle = colour('soft');
  paper.font = `26px ${FONT}`;
  wrapped(paper, why, LEFT, below + 8, WIDE - EDGE - LEFT, 36);
  paper.font = `600 24px ${FONT}`;
  paper.fillText('marubatsu', LEFT, HIGH - EDGE);
}

/** Write a text in lines that are narrow enough; return where the next line begins. */
function wrapped(paper, text, x, y, wide, high) {
  let [row, top] = ['', y];
  for (const part of text.match(/[\x21-\x7e]+\s*|[^\x21-\x7e]/g) ?? []) {
    if (row && paper.measureText(row + part).width > wide) {
      paper.fillText(row, x, top);
      [row, top] = ['', top + high];
    }
    row += part;
  }
  paper.fillText(row, x, top);
  return top + high;
}
