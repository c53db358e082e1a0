// Requests to the host of the page, and the documents of the API, each fetched once.

/** What `make()` promises for a key, made once; what fails is made again when it is asked for again. */
export function once(promises, key, make) {
  if (!promises.has(key)) {
    promises.set(key, make());
    promises.get(key).catch(() => promises.delete(key));
  }
  return promises.get(key);
}

/** The error of a request that got no answer of the host: its status is 0. */
export const unanswered = (cause) => Object.assign(new Error('no answer', { cause }), { status: 0 });

/** What a promise of an answer, or of its whole body, brings; where it fails, the error has the status 0. */
export async function answered(promise) {
  try {
    return await promise;
  } catch (cause) {
    throw cause.name === 'AbortError' ? cause : unanswered(cause);
  }
}

/** Fetch; without an answer the error has the status 0. */
export const request = (address, options) => answered(fetch(address, options));

const failures = new Map();

/** The module at an address. Browsers keep the failure of one that did not load, so the next try has another address. */
export async function load(address) {
  const number = failures.get(address) ?? 0;
  try {
    return await import(number ? `${address}?again=${number}` : address);
  } catch (cause) {
    failures.set(address, number + 1);
    throw unanswered(cause);
  }
}

const documents = new Map();

/** Fetch a document below api/v2/; a promise of the same object each time. */
export const get = (path) => once(documents, path, () => ask(path));

/** Ask the API again. */
export const ask = (path, options) => answerAt(`api/v2/${path}`, options);

/** The answer of the API at an address; what it refuses is an error with its status, which is 0 when no answer came. */
export async function answerAt(address, options) {
  const response = await request(address, options);
  if (!response.ok) throw Object.assign(new Error(await sentenceOf(response)), { status: response.status });
  return answered(response.json());
}

/** What went wrong, in the server's words; a host of files has none, so the file is named. */
export async function sentenceOf(response) {
  try {
    return (await response.json()).error ?? response.statusText;
  } catch {
    return `${decodeURI(new URL(response.url).pathname)}: ${response.status} ${response.statusText}`;
  }
}

/** What the page asks for first: the version, whether a server answers, the games, the first game. */
export const start = () => get('start.json');
