// A request to the host of the page.

/** The error of a request that got no answer at all: its status is 0. */
export const unanswered = (cause) => Object.assign(new Error('no answer', { cause }), { status: 0 });

/** Fetch; without an answer the error has the status 0. */
export async function request(address, options) {
  try {
    return await fetch(address, options);
  } catch (cause) {
    throw cause.name === 'AbortError' ? cause : unanswered(cause);
  }
}
