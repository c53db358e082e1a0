// The number pad: each of its digits plays the cell in its place.

const PADS = { '3x3': '789456123' };

/** The digits of the cells of a game, in order; nothing when its board is not like a pad. */
export const padOf = ({ columns, rows }) => PADS[`${columns}x${rows}`] ?? '';
