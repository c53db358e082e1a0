// A line of play as people write it: its cells from 0 with something between them, such as 4,0,8, or
// digits from 1 run together, as the tables and the command line write it, such as 519.

/** What is typed on any keyboard as plain text. */
export const plain = (typed) => typed.normalize('NFKC').trim();

/**
 * The moves of a line that was typed: [{ part: as it was typed, cell }], none for an empty text;
 * undefined when it is no line.
 */
export function readLine(typed) {
  const text = plain(typed);
  if (!/^(\d[\d\s,、]*)?$/.test(text)) return undefined;
  const isParted = /\D/.test(text);
  const parts = isParted ? text.split(/[\s,、]+/).filter(Boolean) : [...text];
  return parts.map((part) => ({ part, cell: Number(part) - (isParted ? 0 : 1) }));
}

/** The cells of a line as digits. */
export const digitsOf = (cells) => cells.map((cell) => cell + 1).join('');
