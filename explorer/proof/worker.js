// Checks a file off the page's thread: a message { url } or { file } is answered with the progress and result of `prove`.

import { request, sentenceOf } from '../answers/request.js';
import { prove } from './checker.js';

/** The bytes of a file, decompressed where its name says so. */
function plain(stream, name) {
  return name.endsWith('.gz') ? stream.pipeThrough(new DecompressionStream('gzip')) : stream;
}

async function streamOf({ url, file }) {
  if (file) return plain(file.stream(), file.name);
  const response = await request(url);
  if (!response.ok) throw new Error(await sentenceOf(response));
  return plain(response.body, url);
}

onmessage = async ({ data }) => {
  try {
    const total = await prove(await streamOf(data), (at) => postMessage({ at }));
    postMessage({ total });
  } catch (error) {
    postMessage({ error: error.message, isLost: error.status === 0, board: error.board ?? null });
  }
};
