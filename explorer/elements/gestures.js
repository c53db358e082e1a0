// What fingers, the mouse and the wheel do to a picture that one zooms: one drags, two zoom, and so does
// Ctrl + wheel. The wheel alone scrolls the page; buttons and keys do the same as fingers.

/** How much a button or a notch of the wheel zooms. */
export const STEP = 1.6;
const NOTCH = 100; // pixels that browsers report for a notch of the wheel
const STILL = 4; // pixels that a finger or the mouse may move in a click

/** Where an event is in an element, in pixels. */
export function offsetIn(element, { clientX, clientY }) {
  const { left, top } = element.getBoundingClientRect();
  return [clientX - left - element.clientLeft, clientY - top - element.clientTop];
}

/**
 * Listen to a picture. `choose(event)` hears a click, `placeOf(event)` says what is below a pointer,
 * `hold(fingers)` shows the part where each place is below the finger that took hold of it, { place, now },
 * and `zoom(times, place)` shows so many times as much around a place.
 */
export function listenTo(picture, { choose, placeOf, hold, zoom }) {
  const fingers = new Map(); // By pointer, of fingers and the mouse: { place: what it holds, start, now }.
  let moved = false;
  picture.addEventListener('wheel', (event) => {
    if (!(event.ctrlKey || event.metaKey)) return; // Browsers report a pinch as this, too.
    event.preventDefault();
    zoom(STEP ** Math.max(-1, Math.min(1, event.deltaY / NOTCH)), placeOf(event));
  }, { passive: false });
  picture.addEventListener('touchmove', (event) => { if (event.touches.length > 1) event.preventDefault(); }, { passive: false });
  picture.addEventListener('pointerdown', (event) => {
    if (!fingers.size) moved = false;
    fingers.set(event.pointerId, { place: placeOf(event), start: event, now: event });
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener('pointermove', (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    finger.now = event;
    moved ||= Math.hypot(event.clientX - finger.start.clientX, event.clientY - finger.start.clientY) > STILL;
    if (moved) hold([...fingers.values()]);
  });
  const letGo = ({ pointerId }) => {
    fingers.delete(pointerId);
    for (const finger of fingers.values()) finger.place = placeOf(finger.now);
  };
  picture.addEventListener('pointerup', (event) => {
    if (fingers.size === 1 && !moved) choose(event);
    letGo(event);
  });
  picture.addEventListener('pointercancel', letGo);
}
