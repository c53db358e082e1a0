// The poster of a game in the page: to zoom, to click, and to take away as SVG or PNG.

import { button, el } from '../elements/dom.js';
import { go } from '../state/address.js';
import { nameOfGame } from '../words/game-names.js';
import { addTexts, number, t } from '../words/i18n.js';
import { allRecords } from './icicle.js';
import { drawPoster } from './poster.js';

addTexts({
  en: {
    'poster.title': '{name}: all {classes} positions up to symmetry', 'poster.facts': '{positions} with their images, {nodes} {nodes|node|nodes} of the tree, {leads}',
    'poster.leads.1': 'circle wins', 'poster.leads.0': 'a draw with best play', 'poster.leads.-1': 'cross wins',
    'poster.won': 'circle wins with best play', 'poster.drawn': 'draw', 'poster.lost': 'cross wins',
    'poster.hint': 'The empty board is in the middle; each ring is one move more. Thick lines are best moves. Ctrl + wheel zooms, drag moves, a click shows the board.',
    'poster.svg': 'Download SVG', 'poster.png': 'Download PNG', 'poster.whole': 'Whole poster', 'poster.closer': 'Closer', 'poster.farther': 'Farther',
  },
  ja: {
    'poster.title': '{name}：対称形をまとめた全 {classes} 局面', 'poster.facts': '対称形を区別すると {positions} 局面、ゲーム木は {nodes} ノード。{leads}。',
    'poster.leads.1': '〇の勝ち', 'poster.leads.0': '双方が最善を尽くすと引き分け', 'poster.leads.-1': '×の勝ち',
    'poster.won': '双方が最善を尽くすと〇の勝ち', 'poster.drawn': '引き分け', 'poster.lost': '×の勝ち',
    'poster.hint': '中央が空の盤面で、輪が一つ外側になるごとに一手進みます。太い線は最善手です。Ctrl + ホイールで拡大・縮小、ドラッグで移動、クリックで盤面を表示します。',
    'poster.svg': 'SVG をダウンロード', 'poster.png': 'PNG をダウンロード', 'poster.whole': '全体', 'poster.closer': '拡大', 'poster.farther': '縮小',
  },
});

const STEP = 1.5; // how much a button or a notch of the wheel zooms
const NOTCH = 100; // pixels that a notch of the wheel is said to scroll
const STILL = 4; // pixels that the mouse may move in a click
const WIDE = 3000; // pixels of the PNG

/** Make the pane; see main.js. */
export async function create(game) {
  const records = await allRecords(game);
  const [root] = records;
  const classes = new Set(records.map((each) => each.class)).size;
  const title = t('poster.title', { name: nameOfGame(game), classes: number(classes) });
  const poster = drawPoster(game, records, {
    title, facts: t('poster.facts', { positions: number(records.length), nodes: number(root.subtree), leads: t(`poster.leads.${root.score}`) }),
    legend: Object.fromEntries(['won', 'drawn', 'lost'].map((name) => [name, t(`poster.${name}`)])),
  });
  const view = new Zoomed(poster, (board) => go({ start: board, line: null, at: null }));
  const name = `${game.name}-poster`;
  const control = (what, text, act) => button(text, act, { 'aria-label': t(`poster.${what}`), title: t(`poster.${what}`), dataset: { control: `poster-${what}` } });
  const element = el('section', { class: 'poster-view', 'aria-label': title },
    el('p', { class: 'soft' }, t('poster.hint')),
    el('div', { class: 'row' },
      control('closer', '+', () => view.zoom(1 / STEP)), control('farther', '−', () => view.zoom(STEP)), control('whole', t('poster.whole'), () => view.whole()),
      control('svg', t('poster.svg'), () => save(new Blob([fileOf(view)], { type: 'image/svg+xml' }), `${name}.svg`)),
      control('png', t('poster.png'), async () => save(await pictureOf(view), `${name}.png`))),
    poster);
  return { element, show: () => {} };
}

/** A picture that one zooms and drags by its viewBox. */
class Zoomed {
  /** `choose(board)` is called after a click on a board. */
  constructor(picture, choose) {
    this.picture = picture;
    this.size = picture.getAttribute('viewBox').split(' ').slice(2).map(Number);
    this.whole();
    let held = null; // Where the pointer went down, and what was shown then.
    picture.addEventListener('wheel', (event) => {
      if (!(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.zoom(STEP ** Math.max(-1, Math.min(1, event.deltaY / NOTCH)), this.placeOf(event));
    }, { passive: false });
    picture.addEventListener('pointerdown', (event) => {
      held = { x: event.clientX, y: event.clientY, corner: this.corner, moved: false };
      picture.setPointerCapture(event.pointerId);
    });
    picture.addEventListener('pointermove', (event) => {
      const [across, down] = held ? [event.clientX - held.x, event.clientY - held.y] : [0, 0];
      if (!held || !(held.moved ||= Math.hypot(across, down) > STILL)) return;
      const { width } = picture.getBoundingClientRect();
      const dense = (this.size[0] * this.part) / width;
      this.corner = [held.corner[0] - across * dense, held.corner[1] - down * dense];
      this.show();
    });
    picture.addEventListener('pointerup', ({ clientX, clientY }) => {
      const box = held?.moved ? null : document.elementFromPoint(clientX, clientY)?.closest('[data-board]');
      if (box) choose(box.dataset.board);
      held = null;
    });
    picture.addEventListener('pointercancel', () => { held = null; });
  }

  whole() {
    this.part = 1; // of the picture that is shown, in each direction
    this.corner = [0, 0];
    this.show();
  }

  /** Show so many times as much, around a place that stays where it is: by default the middle. */
  zoom(times, place = this.corner.map((each, at) => each + (this.size[at] * this.part) / 2)) {
    const part = Math.max(0.01, Math.min(1, this.part * times));
    this.corner = this.corner.map((each, at) => place[at] - ((place[at] - each) * part) / this.part);
    this.part = part;
    this.show();
  }

  show() {
    this.corner = this.corner.map((each, at) => Math.max(0, Math.min(this.size[at] * (1 - this.part), each)));
    this.picture.setAttribute('viewBox', [...this.corner, ...this.size.map((each) => each * this.part)].map((each) => each.toFixed(2)).join(' '));
  }

  /** Where the pointer is, in the picture. */
  placeOf({ clientX, clientY }) {
    const { left, top, width } = this.picture.getBoundingClientRect();
    const dense = (this.size[0] * this.part) / width;
    return [this.corner[0] + (clientX - left) * dense, this.corner[1] + (clientY - top) * dense];
  }
}

/** The whole poster as the text of a file of its own. */
function fileOf({ picture, size: [width, height] }) {
  const copy = /** @type {SVGElement} */ (picture.cloneNode(true));
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height })) copy.setAttribute(name, String(value));
  return new XMLSerializer().serializeToString(copy);
}

/** The whole poster in pixels. */
async function pictureOf(view) {
  const [width, height] = view.size;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(fileOf(view))}`;
  await image.decode();
  const canvas = el('canvas', { width: WIDE, height: Math.round((WIDE * height) / width) });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Hand something to the reader as a file. */
function save(blob, name) {
  const href = URL.createObjectURL(blob);
  el('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
