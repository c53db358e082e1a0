// A reader of the Parquet files that `marubatsu site` writes of a solution, and of no others: one
// column of small numbers with nulls, as a dictionary, in pages of the first version compressed with
// gzip, which browsers decompress by themselves. It asks the host for ranges of bytes; where a host
// sends the whole file instead, as Python's does, it keeps that.
// Format: github.com/apache/parquet-format. Names of fields are those of its parquet.thrift.

import { addTexts, t } from '../words/i18n.js';
import { answered, once, request } from './request.js';

addTexts({ 'values.damaged': ['The file {address} is damaged or missing: copy the site to its host again.', 'ファイル {address} が壊れているか、ありません。サイトをもう一度ホストにコピーしてください。'] });

const TAIL = 1 << 14; // bytes at the end of a file that hold its footer, mostly
const WORD = 4; // bytes
const DICTIONARY = 2; // kind of a page
const NULL = 127; // in place of a value, as in engine/large/values.py
const MOST = 128; // decoded row groups that are kept, of all files

const footers = new Map(); // Promises, by address.
const groups = new Map(); // The same, by address and number.

export class ValueFile {
  /** `address` of a file of so many bytes. */
  constructor(address, bytes) {
    this.address = address;
    this.bytes = bytes;
    this.whole = null; // The bytes of a file whose host sends no ranges.
  }

  /** The value in a row of a row group: a number or null. */
  async value(group, row) {
    const key = `${this.address} ${group}`;
    if (groups.size >= MOST && !groups.has(key)) groups.delete(groups.keys().next().value);
    const value = (await once(groups, key, () => this.read(group).catch((cause) => this.refuse(cause))))[row];
    return value === NULL ? null : value;
  }

  /** Say that the file is not the one of the site, unless no answer came. */
  refuse(cause) {
    throw cause.status === 0 ? cause : new Error(t('values.damaged', this), { cause });
  }

  /** Read and decode a row group. */
  async read(number) {
    const { 1: columns, 3: rows } = (await once(footers, this.address, () => this.readFooter()))[4][number];
    const { 7: size, 9: first, 11: dictionary } = columns[0][3];
    const start = dictionary ?? first;
    return decode(await this.range(start, start + size), rows);
  }

  /** What the end of the file says of it, by the numbers of fields. */
  async readFooter() {
    const tail = await this.range(Math.max(0, this.bytes - TAIL), this.bytes);
    const size = new DataView(tail.buffer, tail.byteOffset).getInt32(tail.length - 2 * WORD, true);
    const end = this.bytes - 2 * WORD;
    const bytes = size + 2 * WORD <= tail.length ? tail.subarray(tail.length - size - 2 * WORD) : await this.range(end - size, end);
    return new Fields(bytes).record();
  }

  /** The bytes from one place to before another. */
  async range(first, end) {
    if (this.whole) return this.whole.subarray(first, end);
    const response = await request(this.address, { headers: { Range: `bytes=${first}-${end - 1}` } });
    if (!response.ok) throw new Error(`${this.address}: ${response.status} ${response.statusText}`);
    const bytes = new Uint8Array(await answered(response.arrayBuffer()));
    const wanted = response.status === 206 ? end - first : this.bytes;
    if (bytes.length !== wanted) throw new Error(`${this.address}: ${bytes.length} bytes instead of ${wanted}`);
    if (response.status === 206) return bytes;
    this.whole = bytes;
    return bytes.subarray(first, end);
  }
}

/** Decode the pages of a row group. */
async function decode(bytes, rows) {
  const values = new Int8Array(rows).fill(NULL);
  const fields = new Fields(bytes);
  let dictionary = [];
  let row = 0;
  while (fields.at < bytes.length) {
    const { 1: kind, 3: size, 5: page } = fields.record();
    const content = await inflated(bytes.subarray(fields.at, fields.at + size));
    fields.at += size;
    if (kind === DICTIONARY) {
      const view = new DataView(content.buffer);
      dictionary = Array.from({ length: content.length / WORD }, (_, index) => view.getInt32(WORD * index, true));
    } else {
      fill(values, row, page[1], content, dictionary);
      row += page[1];
    }
  }
  return values;
}

/** Put the values of a page into rows: first a bit for each row, whether it has a value, then numbers of values in the dictionary. */
function fill(values, row, count, content, dictionary) {
  const size = new DataView(content.buffer).getInt32(0, true);
  const has = runs(content, WORD, 1, count);
  const width = content[WORD + size];
  const codes = runs(content, WORD + size + 1, width, has.reduce((sum, each) => sum + each, 0));
  let next = 0;
  for (let at = 0; at < count; at += 1) if (has[at]) values[row + at] = dictionary[codes[next++]];
}

/** Numbers of so many bits each, as runs of one number and as packed bits. */
function runs(bytes, start, width, count) {
  const found = new Uint8Array(count);
  const fields = new Fields(bytes, start);
  for (let at = 0; at < count;) {
    const head = fields.varint();
    if (head % 2) {
      const size = 8 * (head >> 1); // numbers
      for (let index = 0; index < size && at < count; index += 1) found[at++] = packed(bytes, 8 * fields.at + width * index, width);
      fields.at += (head >> 1) * width;
    } else {
      found.fill(width ? bytes[fields.at] : 0, at, at += head >> 1);
      fields.at += width ? 1 : 0;
    }
  }
  return found;
}

/** A number of up to 8 bits at a place, counted in bits. */
const packed = (bytes, bit, width) => (((bytes[bit >> 3] | (bytes[(bit >> 3) + 1] << 8)) >> (bit & 7)) & ((1 << width) - 1));

const inflated = async (bytes) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());

/** Records as Apache Thrift writes them compactly: github.com/apache/thrift, thrift-compact-protocol. */
class Fields {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** The next byte. */
  byte() {
    if (this.at >= this.bytes.length) throw new Error('no more bytes');
    return this.bytes[this.at++];
  }

  /** A record: its values by the numbers of their fields. */
  record() {
    const found = {};
    for (let number = 0; ;) {
      const head = this.byte();
      if (!head) return found;
      number = head >> 4 ? number + (head >> 4) : this.integer();
      found[number] = this.value(head & 15);
    }
  }

  value(kind) {
    switch (kind) {
      case 1: case 2: return kind === 1;
      case 3: return this.byte();
      case 4: case 5: case 6: return this.integer();
      case 7: this.at += 8; return undefined;
      case 8: { const size = this.varint(); this.at += size; return undefined; } // No text matters here.
      case 9: case 10: return this.list();
      case 12: return this.record();
      default: throw new Error(`a field of kind ${kind}`);
    }
  }

  list() {
    const head = this.byte();
    const size = head >> 4 === 15 ? this.varint() : head >> 4;
    return Array.from({ length: size }, () => ((head & 15) <= 2 ? this.byte() === 1 : this.value(head & 15)));
  }

  /** A whole number without a sign: seven bits a byte, the lowest first. */
  varint() {
    let found = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      found += (byte & 127) * scale;
      if (byte < 128) return found;
    }
  }

  /** A whole number whose lowest bit is its sign. */
  integer() {
    const coded = this.varint();
    return coded % 2 ? -(coded + 1) / 2 : coded / 2;
  }
}
