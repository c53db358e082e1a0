// The poster of a game in the page: to zoom, to click, and to take away as SVG or PNG.

import { announce, button, el, onKey, save } from '../elements/dom.js';
import { listenTo, offsetIn, STEP } from '../elements/gestures.js';
import { go } from '../state/address.js';
import { nameOfGame } from '../words/game-names.js';
import { addTexts, number, t } from '../words/i18n.js';
import { allRecords } from './icicle.js';
import { drawPoster } from './poster.js';

addTexts({
  'poster.title': ['{name}: all {classes} positions up to symmetry', '{name}：対称形をまとめた全 {classes} 局面'],
  'poster.facts': ['{positions} with those turned or reflected, {nodes} {nodes|node|nodes} of the tree, {leads}', '対称形を区別すると {positions} 局面、ゲーム木は {nodes} ノード。{leads}。'],
  'poster.won': ['circle wins with best play', '双方が最善を尽くすと〇の勝ち'], 'poster.drawn': ['draw', '引き分け'], 'poster.lost': ['cross wins', '×の勝ち'],
  'poster.hint': ['The empty board is in the middle; each ring is one move more. Thick lines are best moves. Ctrl + wheel and two fingers zoom, drag moves, a click shows the board. By keys: arrows, + and -, Enter.', '中央が空の盤面で、輪が一つ外側になるごとに一手進みます。太い線は最善手です。Ctrl + ホイールか 2 本の指で拡大・縮小、ドラッグで移動、クリックで盤面を表示します。キーボードでは矢印キー、+、-、Enter を使います。'],
  'poster.boards': ['Boards of the poster', 'ポスターの盤面'], 'poster.svg': ['Download SVG', 'SVG をダウンロード'], 'poster.png': ['Download PNG', 'PNG をダウンロード'],
  'poster.whole': ['Whole poster', '全体'], 'poster.closer': ['Closer', '拡大'], 'poster.farther': ['Farther', '縮小'],
});

const WIDE = 3000; // pixels of the PNG

/** Make the pane; see panes.js. */
export async function create(game) {
  const records = await allRecords(game);
  const [root] = records;
  const classes = new Set(records.map((each) => each.class)).size;
  const title = t('poster.title', { name: nameOfGame(game), classes: number(classes) });
  const poster = await drawPoster(game, records, {
    title, facts: t('poster.facts', { positions: number(records.length), nodes: number(root.subtree), leads: t(`leads.${root.score}`) }),
    legend: Object.fromEntries(['won', 'drawn', 'lost'].map((name) => [name, t(`poster.${name}`)])),
  });
  const view = new Zoomed(poster, (board) => go({ start: board, line: null, at: null }));
  const name = `${game.name}-poster`;
  const control = (what, text, act) => button(text, act, { 'aria-label': t(`poster.${what}`), title: t(`poster.${what}`), dataset: { control: `poster-${what}` } });
  const element = el('section', { class: 'poster-view', 'aria-label': title },
    el('p', { class: 'soft', id: 'poster-hint' }, t('poster.hint')),
    el('div', { class: 'row' },
      control('closer', '+', () => view.zoom(1 / STEP)), control('farther', '−', () => view.zoom(STEP)), control('whole', t('poster.whole'), () => view.whole()),
      control('svg', t('poster.svg'), () => save(fileOf(view), 'image/svg+xml', `${name}.svg`)),
      control('png', t('poster.png'), async () => save(await pictureOf(view), 'image/png', `${name}.png`))),
    view.element);
  return { element, show: () => {} };
}

/** A picture of boards that one zooms and drags by its viewBox, and walks over with the arrow keys. */
class Zoomed {
  /** `choose(board)` is called when the reader chooses a board. */
  constructor(picture, choose) {
    this.picture = picture;
    this.choose = choose;
    this.size = picture.getAttribute('viewBox').split(' ').slice(2).map(Number);
    this.current = null; // The board that the keys have come to.
    this.element = el('div', { class: 'poster-frame', role: 'application', tabindex: 0, 'aria-label': t('poster.boards'), 'aria-describedby': 'poster-hint', onkeydown: (event) => this.key(event) }, picture);
    this.whole();
    listenTo(picture, {
      choose: ({ clientX, clientY }) => this.take(document.elementFromPoint(clientX, clientY)?.closest('[data-board]')),
      placeOf: (event) => this.placeOf(event), hold: (fingers) => this.hold(fingers), zoom: (times, place) => this.zoom(times, place),
    });
  }

  take(box) {
    if (box) this.choose(box.dataset.board);
  }

  whole() {
    this.look(1, [0, 0]);
  }

  /** Show a part of the picture, in each direction, from its upper left corner. */
  look(part, corner) {
    this.part = Math.max(0.01, Math.min(1, part));
    this.corner = corner.map((each, at) => Math.max(0, Math.min(this.size[at] * (1 - this.part), each)));
    this.picture.setAttribute('viewBox', [...this.corner, ...this.size.map((each) => each * this.part)].map((each) => each.toFixed(2)).join(' '));
    this.element.classList.toggle('closer', this.part < 1); // Then one finger moves it; else it scrolls the page.
  }

  /** Show so many times as much, around a place that stays where it is: by default the board of the keys, or the middle. */
  zoom(times, place = this.current ? middleOf(this.current, this) : this.corner.map((each, at) => each + (this.size[at] * this.part) / 2)) {
    const part = Math.max(0.01, Math.min(1, this.part * times));
    this.look(part, this.corner.map((each, at) => place[at] - ((place[at] - each) * part) / this.part));
  }

  /** Units of the picture in a pixel, when all of it is shown. */
  get dense() {
    return this.size[0] / this.picture.clientWidth;
  }

  /** Where an event is, in the picture. */
  placeOf(event) {
    return offsetIn(this.picture, event).map((each, at) => this.corner[at] + each * this.dense * this.part);
  }

  /** Show the part where each place stays below the finger that took hold of it. */
  hold([first, second]) {
    const distance = (one, other) => Math.hypot(...one.map((each, at) => each - other[at]));
    const [offset, other] = [first, second].map((finger) => finger && offsetIn(this.picture, finger.now));
    const part = second ? distance(first.place, second.place) / (distance(offset, other) * this.dense) : this.part;
    this.look(part, first.place.map((each, at) => each - offset[at] * this.dense * part));
  }

  key(event) {
    onKey(event, {
      '+': () => this.zoom(1 / STEP), '-': () => this.zoom(STEP), Enter: () => this.take(this.current),
      ArrowLeft: () => this.walk(-1, 0), ArrowRight: () => this.walk(1, 0), ArrowUp: () => this.walk(0, -1), ArrowDown: () => this.walk(0, 1),
    });
  }

  /** Go to the nearest board in a direction, and say which it is; at first to the empty board. */
  walk(across, down) {
    const boxes = [...this.picture.querySelectorAll('[data-board]')];
    const here = this.current && middleOf(this.current, this);
    const far = (box) => {
      const [x, y] = middleOf(box, this).map((each, at) => each - here[at]);
      const along = x * across + y * down;
      return along > 1 ? along + 2 * Math.abs(x * down - y * across) : Infinity;
    };
    const distances = new Map(boxes.map((box) => [box, here ? far(box) : 0]));
    const to = boxes.reduce((one, other) => (distances.get(other) < distances.get(one) ? other : one));
    if (distances.get(to) === Infinity) return;
    this.current?.classList.remove('current');
    this.current = to;
    to.classList.add('current');
    const place = middleOf(to, this);
    const shown = this.size.map((each) => each * this.part);
    if (place.some((each, at) => each < this.corner[at] || each > this.corner[at] + shown[at])) this.look(this.part, place.map((each, at) => each - shown[at] / 2));
    to.scrollIntoView({ block: 'nearest' });
    announce(`${to.dataset.board}: ${t(`poster.${to.classList[0]}`)}`);
  }
}

/** The middle of a board, in the picture. */
function middleOf(box, view) {
  const { left, right, top, bottom } = box.getBoundingClientRect();
  return view.placeOf({ clientX: (left + right) / 2, clientY: (top + bottom) / 2 });
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
