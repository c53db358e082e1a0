// Long work in pieces, so that the page answers meanwhile.

const SLICE = 12; // milliseconds of work before the page gets its turn
let since = 0;

/** Give the page its turn when the piece has been long enough; called between the steps of the work. */
export async function breathe() {
  if (performance.now() - since < SLICE) return;
  await new Promise((resolve) => setTimeout(resolve));
  since = performance.now();
}
