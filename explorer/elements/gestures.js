// What fingers, the mouse and the wheel do to a picture that one zooms: one drags, two zoom, and so does
// Ctrl + wheel. The wheel alone scrolls the page; buttons and keys do the same as fingers.

/** How much a button or a notch of the wheel zooms. */
export const STEP = 1.6;
const NOTCH = 100; // pixels that a notch of the wheel is said to scroll
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
  const held = new Map(); // What each finger, or the mouse, took hold of: { place, start, now }.
  let moved = false;
  picture.addEventListener('wheel', (event) => {
    if (!(event.ctrlKey || event.metaKey)) return; // Browsers tell of a pinch so, too.
    event.preventDefault();
    zoom(STEP ** Math.max(-1, Math.min(1, event.deltaY / NOTCH)), placeOf(event));
  }, { passive: false });
  picture.addEventListener('touchmove', (event) => { if (event.touches.length > 1) event.preventDefault(); }, { passive: false });
  picture.addEventListener('pointerdown', (event) => {
    if (!held.size) moved = false;
    held.set(event.pointerId, { place: placeOf(event), start: event, now: event });
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener('pointermove', (event) => {
    const finger = held.get(event.pointerId);
    if (!finger) return;
    finger.now = event;
    moved ||= Math.hypot(event.clientX - finger.start.clientX, event.clientY - finger.start.clientY) > STILL;
    if (moved) hold([...held.values()]);
  });
  const letGo = ({ pointerId }) => {
    held.delete(pointerId);
    for (const finger of held.values()) finger.place = placeOf(finger.now);
  };
  picture.addEventListener('pointerup', (event) => {
    if (held.size === 1 && !moved) choose(event);
    letGo(event);
  });
  picture.addEventListener('pointercancel', letGo);
}
