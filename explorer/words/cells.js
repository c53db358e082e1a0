// The names of cells, as people write them: a letter for the column, a number for the row from below.

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** The name of a cell, such as b2. */
export const cellName = ({ columns, rows }, cell) => LETTERS[cell % columns] + (rows - Math.floor(cell / columns));

/** The names of cells, one after another. */
export const lineText = (game, cells, between = ' ') => cells.map((cell) => cellName(game, cell)).join(between);

/** What is typed on any keyboard as plain text. */
export const plain = (typed) => typed.normalize('NFKC').trim();

/**
 * The moves of a line that was typed, such as "b2 a3" or "b2a3": [{ part: as it was typed, cell }], none
 * for an empty text; undefined when it is no line. A name of no cell of this board gives the cell NaN.
 */
export function readLine({ columns, rows }, typed) {
  const text = plain(typed).toLowerCase().replace(/[\s,.、]+/g, '');
  if (!/^([a-z]\d+)*$/.test(text)) return undefined;
  return (text.match(/[a-z]\d+/g) ?? []).map((part) => {
    const x = LETTERS.indexOf(part[0]);
    const row = Number(part.slice(1));
    return { part, cell: x < columns && row >= 1 && row <= rows ? x + columns * (rows - row) : NaN };
  });
}

/** The cells of a line in the address; undefined when it is no line. */
export const cellsOf = (game, text) => readLine(game, text)?.map(({ cell }) => cell);
