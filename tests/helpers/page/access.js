// Measurements of the tests of accessibility: contrast, names, focus, targets, room.

globalThis.access = (() => {
  const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();

  /** Any CSS colour as red, green, blue (0 to 255) and alpha (0 to 1). */
  function rgba(colour) {
    if (!known.has(colour)) {
      pixel.clearRect(0, 0, 1, 1);
      pixel.fillStyle = colour;
      pixel.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  }

  /** One colour painted over another. */
  function over([r, g, b, a], [R, G, B, A]) {
    const alpha = a + A * (1 - a);
    const blend = (top, below) => (alpha ? (top * a + below * A * (1 - a)) / alpha : 0);
    return [blend(r, R), blend(g, G), blend(b, B), alpha];
  }

  const faded = ([r, g, b, a], opacity) => [r, g, b, a * opacity];

  function luminance(colour) {
    const [r, g, b] = colour.map((each) => each / 255).map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function ratio(one, other) {
    const [least, most] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (most + 0.05) / (least + 0.05);
  }

  /** What is seen at an element when a colour is painted in it, through the opacity of all around. */
  function seen(element, colour) {
    let layer = colour;
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      for (const shape of at === element ? beneath(at) : []) layer = over(layer, shape);
      if (!(at instanceof SVGElement) || at instanceof SVGSVGElement) layer = over(layer, rgba(style.backgroundColor));
      layer = faded(layer, Number(style.opacity));
    }
    return over(layer, [255, 255, 255, 1]);
  }

  /** The filled shapes of a picture that are painted before a text of it, and behind it. */
  function beneath(element) {
    if (!(element instanceof SVGTextElement)) return [];
    const box = element.getBoundingClientRect();
    return [...element.ownerSVGElement.querySelectorAll('rect, circle, path, line')].filter((shape) => {
      const own = shape.getBoundingClientRect();
      return shape.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING && own.width && own.height
        && own.left < box.right - 1 && own.right > box.left + 1 && own.top < box.bottom - 1 && own.bottom > box.top + 1
        && getComputedStyle(shape).visibility === 'visible';
    }).reverse().flatMap((shape) => {
      const { fill, fillOpacity, opacity } = getComputedStyle(shape);
      return fill === 'none' ? [] : [faded(rgba(fill), Number(fillOpacity) * Number(opacity))];
    });
  }

  const CLEAR = [0, 0, 0, 0];
  const contrast = (element, colour, inside = element) => ratio(seen(element, rgba(colour)), seen(inside, CLEAR));

  /** An element in few words. */
  function name(element) {
    const classes = element.getAttribute('class');
    const text = (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40);
    return `${element.tagName.toLowerCase()}${classes ? `.${classes.trim().replaceAll(/\s+/g, '.')}` : ''} “${text}”`;
  }

  /** Whether an element is drawn, and not only for screen readers. */
  function isSeen(element) {
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    if (element.closest('#announcement, .spoken')) return false;
    const { width, height, right } = element.getBoundingClientRect();
    return width > 0 && height > 0 && right > 0;
  }

  const isOff = (element) => element.closest(':disabled, [aria-disabled="true"]') !== null;

  /** Every text with its colour: of elements, of fields, of pseudo-elements. */
  function* texts() {
    for (const element of document.body.querySelectorAll('*')) {
      if (!isSeen(element) || isOff(element)) continue;
      const style = getComputedStyle(element);
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join('').trim();
      if (own && element.tagName !== 'OPTION') yield { element, text: own, colour: element instanceof SVGElement ? style.fill : style.color, style };
      if (element.matches('input:not([type=checkbox], [type=range]), select, textarea')) {
        const empty = !element.value && element.placeholder;
        yield { element, text: element.placeholder || element.value, colour: empty ? getComputedStyle(element, '::placeholder').color : style.color, style };
      }
      for (const side of ['::before', '::after']) {
        const pseudo = getComputedStyle(element, side);
        if (/^"(?!")/.test(pseudo.content)) yield { element, text: pseudo.content, colour: pseudo.color, style: pseudo };
      }
    }
  }

  return {
    /** How many texts there are, and which are too faint. */
    faintTexts() {
      const found = { measured: 0, faint: [] };
      for (const { element, text, colour, style } of texts()) {
        const size = parseFloat(style.fontSize);
        const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
        const measured = style.backgroundImage === 'none' ? contrast(element, colour) : 0;
        found.measured += 1;
        if (measured < needed) found.faint.push(`${name(element)}: ${text.slice(0, 30)}: ${measured.toFixed(2)} < ${needed}`);
      }
      return found;
    },

    /** How many marks, lines of boards and edges of fields there are, and which are too faint. */
    faintShapes() {
      const found = { measured: 0, faint: [] };
      const note = (element, colour, inside) => {
        const measured = contrast(inside, colour);
        found.measured += 1;
        if (measured < 3) found.faint.push(`${name(element)}: ${measured.toFixed(2)} < 3`);
      };
      for (const mark of document.querySelectorAll('main svg :is(.o, .x, .ring, .grid, .bar, .mark, .spread, .edge, .dot)')) {
        const style = getComputedStyle(mark);
        if (isSeen(mark)) note(mark, style.stroke === 'none' ? style.fill : style.stroke, mark);
      }
      for (const field of document.querySelectorAll('main :is(select, input:not([type=range], [type=checkbox]), textarea, .cell)')) {
        if (isSeen(field) && !isOff(field)) note(field, getComputedStyle(field).borderTopColor, field.parentElement);
      }
      return found;
    },

    /** What is wrong with headings, tables, landmarks and ids. */
    disorder() {
      const wrong = [];
      const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(isSeen);
      const levels = headings.map(({ tagName }) => Number(tagName[1]));
      if (levels.filter((level) => level === 1).length !== 1 || levels[0] !== 1) wrong.push(`levels of headings: ${levels}`);
      levels.forEach((level, at) => { if (level > (levels[at - 1] ?? 0) + 1) wrong.push(`a level is skipped: ${name(headings[at])}`); });
      for (const heading of headings) if (!heading.textContent.trim()) wrong.push(`empty: ${name(heading)}`);
      for (const table of document.querySelectorAll('table')) {
        const heads = [...table.querySelectorAll('thead th')];
        if (!heads.length || heads.some((head) => head.scope !== 'col' || !head.textContent.trim())) wrong.push(`heads: ${name(table)}`);
        if (!table.caption?.textContent.trim()) wrong.push(`no caption: ${name(table)}`);
        const [above, below] = [table.tHead, table.tBodies[0]].map((part) => [...part?.rows[0]?.cells ?? []]);
        const side = (cell) => getComputedStyle(cell.querySelector('th button') ?? cell).textAlign.replace('start', 'left');
        const apart = above.filter((head, at) => below[at]?.textContent && side(head) !== side(below[at]));
        if (!table.closest('.matrix')) wrong.push(...apart.map((head) => `not above its cells: ${name(head)}`));
      }
      const words = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
      for (const element of document.querySelectorAll(':is(button, a, summary, td, th, [role=treeitem])[aria-label]')) {
        if (isSeen(element) && !words(element.ariaLabel).includes(words(element.innerText))) wrong.push(`not named as it reads: ${name(element)}`);
      }
      for (const element of document.querySelectorAll('#board button[data-control]')) {
        if (isSeen(element) && !/\p{L}/u.test(element.innerText)) wrong.push(`only signs: ${name(element)}`);
      }
      for (const [selector, wanted] of [['main', 1], ['header', 1], ['footer', 1], ['#panes', 1]]) {
        if (document.querySelectorAll(selector).length !== wanted) wrong.push(`not one ${selector}`);
      }
      const current = document.querySelectorAll('#panes [aria-current="page"]');
      if (current.length !== Number(Boolean(document.querySelector('[data-cell]')))) wrong.push('not one current pane'); // None without a game.
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
      wrong.push(...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `twice: #${id}`));
      for (const part of document.querySelectorAll('nav, [role="region"], [role="grid"]:not(table), [role="tree"], .scroll[tabindex]')) {
        if (!part.getAttribute('aria-label')) wrong.push(`no name: ${name(part)}`);
      }
      for (const picture of document.querySelectorAll('[role="img"]')) {
        if (!picture.closest('[aria-hidden="true"]') && !/\p{L}/u.test(picture.getAttribute('aria-label'))) wrong.push(`no words: ${name(picture)}`);
      }
      for (const hidden of document.querySelectorAll('[aria-hidden="true"]')) {
        if (hidden.querySelector('a, button, input, select, textarea, [tabindex]')) wrong.push(`hidden, but not from keys: ${name(hidden)}`);
      }
      return wrong;
    },

    /** Targets too small to be hit: 24 pixels, or as much room around the middle for links. */
    smallTargets() {
      const found = { measured: 0, small: [] };
      const targets = [...document.querySelectorAll('button, a[href], select, input, textarea, summary, .cell, .twisty, .matrix tbody td')]
        .filter(isSeen).map((element) => ({ element, box: boxOf(element), layer: layerOf(element) }));
      const isFar = ({ element, box, layer }) => targets.every((other) => other.layer !== layer || other.element === element || other.element.contains(element)
        || away(box, other.box) >= 12);
      for (const target of targets) {
        const { element, box } = target;
        found.measured += 1;
        if (Math.min(box.width, box.height) >= 23.99) continue;
        if (element.matches('a') && isFar(target)) continue;
        found.small.push(`${name(element)}: ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`);
      }
      return found;
    },

    /** What sticks out of the window, is cut off, or covers other text. */
    crowded() {
      const wide = document.documentElement.clientWidth;
      const wrong = [];
      if (document.documentElement.scrollWidth > wide) wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
      const seenTexts = [];
      for (const element of document.body.querySelectorAll('*')) {
        if (!isSeen(element) || element.closest('.skip')) continue;
        const style = getComputedStyle(element);
        const cuts = element instanceof HTMLElement && /hidden|clip/.test(style.overflowX) && !element.matches('input, select, textarea');
        if (cuts && element.scrollWidth > element.clientWidth + 1) wrong.push(`cut off: ${name(element)}`);
        if (element.matches('button') && element.scrollWidth > element.clientWidth + 1) wrong.push(`too narrow: ${name(element)}`);
        if (isInScroller(element)) continue;
        const box = element.getBoundingClientRect();
        if (box.left < -1 || box.right > wide + 1) wrong.push(`sticks out: ${name(element)}`);
        for (const node of element.childNodes) {
          if (node.nodeType !== Node.TEXT_NODE || !node.data.trim() || element.tagName === 'OPTION') continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          seenTexts.push(...[...range.getClientRects()].map((rect) => ({ element, rect, bar: barOf(element) })));
        }
      }
      seenTexts.forEach(({ element, rect, bar }, at) => {
        for (const other of seenTexts.slice(at + 1)) {
          const across = Math.min(rect.right, other.rect.right) - Math.max(rect.left, other.rect.left);
          const down = Math.min(rect.bottom, other.rect.bottom) - Math.max(rect.top, other.rect.top);
          if (other.element !== element && other.bar === bar && across > 2 && down > Math.min(rect.height, other.rect.height) / 3) wrong.push(`${name(element)} over ${name(other.element)}`);
        }
      });
      return wrong;
    },

    /** Elements that move by themselves, by their styles. */
    moving() {
      const isMoving = (style) => /[1-9]/.test(style.transitionDuration) || /[1-9]/.test(style.animationDuration) || style.scrollBehavior === 'smooth';
      return [document.documentElement, ...document.querySelectorAll('body, body *')]
        .filter((element) => ['', '::before', '::after'].some((side) => isMoving(getComputedStyle(element, side || null)))).map(name);
    },

    visited: new Set(),

    /** Put the keyboard where it is when the page is entered: on the first link. */
    start() {
      access.visited.clear();
      access.before = null;
      document.querySelector('.skip').focus();
    },

    /** Where the keyboard is: whether it was there before, and what is wrong with how that is shown. */
    step() {
      const { visited } = access;
      const element = document.activeElement;
      const before = access.before;
      const wrong = before && lookOf(before.place) === before.look ? [`nothing shows the focus of ${name(before.place)}`] : [];
      if (element === document.body || visited.has(element)) return { ended: true, wrong };
      visited.add(element);
      const style = getComputedStyle(element);
      access.before = { place: element, look: lookOf(element) };
      if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) wrong.push(`no outline: ${name(element)}`);
      const around = parseFloat(style.outlineOffset) < 0 ? element : element.parentElement;
      const measured = contrast(around, style.outlineColor);
      if (measured < 3) wrong.push(`faint outline: ${name(element)}: ${measured.toFixed(2)}`);
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const [x, y] = [Math.min(innerWidth - 1, (left + right) / 2), Math.min(innerHeight - 1, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2)];
      const hit = document.elementFromPoint(x, y);
      if (!hit || !(element.contains(hit) || hit.contains(element))) wrong.push(`out of sight: ${name(element)}`);
      return { ended: false, wrong };
    },

    /** Controls that the keyboard has not reached, by Tab or by arrows from a reached one. */
    unreached() {
      const { visited } = access;
      const came = (element) => [...visited].some((each) => element.contains(each));
      return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter((element) =>
        isSeen(element) && !isOff(element) && !element.matches('main') && !visited.has(element)
          && !(element.tabIndex < 0 && element.closest('[role="grid"], [role="tree"]') && came(element.closest('[role="grid"], [role="tree"]'))),
      ).map(name);
    },
  };

  function lookOf(element) {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return `${outlineStyle} ${outlineWidth} ${outlineColor}`;
  }

  /** What scrolls below the bar of tabs is not near it. */
  function layerOf(element) {
    return element.closest('#panes') && getComputedStyle(document.getElementById('panes')).position === 'fixed' ? 'bar' : 'page';
  }

  /** A target is as large as its label. */
  function boxOf(element) {
    const box = element.getBoundingClientRect();
    const label = element.closest('label');
    if (!label) return box;
    const around = label.getBoundingClientRect();
    return around.width * around.height > box.width * box.height ? around : box;
  }

  /** How far the middle of a box is from another box. */
  function away(box, other) {
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return Math.hypot(Math.max(other.left - x, 0, x - other.right), Math.max(other.top - y, 0, y - other.bottom));
  }

  /** Whether something is in an element that scrolls sideways. */
  function isInScroller(element) {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
    }
    return false;
  }

  /** The bar that something is in, when that stays where it is while the page scrolls below it; else null. */
  function barOf(element) {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).position === 'fixed') return at;
    return null;
  }
})();
