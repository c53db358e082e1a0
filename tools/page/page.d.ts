// What the page relies on and the types of browsers do not say.

/** The page asks only for elements of its own, all of them HTML. */
interface ParentNode {
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}

interface Document {
  readonly activeElement: HTMLElement | null;
}

interface Element {
  closest(selectors: string): HTMLElement | null;
}

interface Window {
  marubatsuFrames?: number[];
}
