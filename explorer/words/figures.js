// Numbers as people read them in tables and charts: the digits in groups, and at most four that count
// behind the point.

import { language } from './i18n.js';

const DIGITS = 4;

/** A number in few digits: as many behind the point as tell it apart, at most four that are not leading zeros. */
export const figure = (value) => value.toLocaleString(language(),
  Math.abs(value) < 1 ? { maximumSignificantDigits: DIGITS } : { maximumFractionDigits: DIGITS });

/** Whether a number is longer than its figure says. */
export const isRounded = (value) => Number.isFinite(value) && Number(value.toPrecision(15)) !== Number(figureIn(value));

const figureIn = (value) => (Math.abs(value) < 1 ? value.toPrecision(DIGITS) : value.toFixed(DIGITS));
