// Waiting without a standstill. A place shows the answer to the latest request: one that comes late
// is dropped, one that takes long is announced, and one that fails says why and offers to ask again.
// Long work goes in pieces, so that the page answers meanwhile.

import { addTexts, t } from '../words/i18n.js';
import { button, el } from './dom.js';

addTexts({
  'latest.waiting': ['Loading…', '読み込み中…'], 'latest.lost': ['No answer came: the connection may be lost.', '応答がありません。接続が切れているかもしれません。'],
  'latest.again': ['Try again', '再試行'],
  'latest.strange': ['The host sent an answer that this page cannot read: it may be of another version. Reload the page.', '応答をこのページで読み取れません。バージョンが違うかもしれません。ページを再読み込みしてください。'],
});

export const LATE = 150; // milliseconds after which waiting is shown
const SLICE = 12; // milliseconds of work before the page gets its turn

/** Why something failed, as a text; what JavaScript itself complains about is an answer of another shape. */
export const sentenceFor = (error) => (error.status === 0 ? t('latest.lost') : error.constructor === Error ? error.message : t('latest.strange'));

/** Why something failed, for the reader: the API's own sentences are English. */
export const reasonOf = (error) => (error.status ? el('span', { lang: 'en' }, error.message) : sentenceFor(error));

export class Latest {
  /**
   * `place` is the element that shows the answers. While an answer is late or missing, the one before is
   * dimmed when the place `keeps` it, else hidden.
   */
  constructor(place, { keeps = false } = {}) {
    this.place = place;
    this.state = keeps ? 'dimmed' : 'hidden'; // What becomes of an older answer; see style.css.
    this.requests = 0; // How many there were.
    this.notice = null; // What the place says while there is no answer.
  }

  /**
   * Await `ask()` and give its answer to `show(answer, isLatest)`, which puts it into the place and may return a
   * promise; `isLatest()` returns whether there is no later request. Else nothing is shown. Returns
   * whether it is shown.
   */
  async take(ask, show) {
    const mine = ++this.requests;
    const isLatest = () => mine === this.requests;
    const timer = setTimeout(() => isLatest() && this.wait(), LATE);
    try {
      const answer = await ask();
      if (isLatest()) await show(answer, isLatest);
      if (isLatest()) this.clear();
    } catch (error) {
      if (isLatest()) this.fail(error, () => this.take(ask, show));
      return false;
    } finally {
      clearTimeout(timer);
    }
    return isLatest();
  }

  /** Put nodes into the place; what it says of a late answer stays until all of that is shown. */
  put(...nodes) {
    this.place.replaceChildren(...[this.notice, ...nodes].filter(Boolean));
  }

  /** Drop the request. */
  drop() {
    this.requests += 1;
    this.clear();
  }

  wait() {
    this.say(el('p', { class: 'notice waiting', role: 'status' }, t('latest.waiting')));
    this.place.setAttribute('aria-busy', 'true');
  }

  fail(error, again) {
    const hadFocus = this.notice?.contains(document.activeElement);
    const retry = button(t('latest.again'), again, { dataset: { control: 'again' } });
    this.say(el('p', { class: 'notice error', role: 'alert' }, reasonOf(error), ' ', retry));
    if (hadFocus) retry.focus();
  }

  say(notice) {
    this.clear();
    this.notice = notice;
    this.place.dataset.answer = this.state;
    this.place.prepend(notice);
  }

  clear() {
    this.place.removeAttribute('aria-busy');
    delete this.place.dataset.answer;
    this.notice?.remove();
    this.notice = null;
  }
}

let since = 0; // When the page had its turn.

/** Give the page its turn when the piece has been long enough; called between the steps of the work. */
export async function breathe() {
  if (performance.now() - since < SLICE) return;
  await new Promise((resolve) => setTimeout(resolve));
  since = performance.now();
}
