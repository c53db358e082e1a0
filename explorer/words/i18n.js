// English and Japanese: by the address, else by the last choice, else by the browser; and
// numbers as people write them.

/** The languages there are: code and own name. */
export const LANGUAGES = [['en', 'English'], ['ja', '日本語']];

const STORAGE_KEY = 'marubatsu-language';
const CODES = LANGUAGES.map(([code]) => code);
const texts = { comma: [', ', '、'], space: [' ', ''], yes: ['yes', 'はい'], no: ['no', 'いいえ'] };

function preferred() {
  const wanted = [readStored(), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((code) => CODES.includes(code)) ?? 'en';
}

function readStored() {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null; // Storage may be forbidden.
  }
}

let current = preferred();

/** The language shown. */
export const language = () => current;

/** Add texts: { key: ['text with {name}', 'その日本語'] }, in the order of LANGUAGES. */
export const addTexts = (more) => Object.assign(texts, more);

/** The text of a key, with {names} filled in; {name|one|more} is a word that goes with a number. */
export function t(key, values = {}) {
  const text = texts[key]?.[CODES.indexOf(current)];
  if (text === undefined) throw new Error(`no text for ${key}`);
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (_, name, one, more) =>
    (one === undefined ? values[name] : String(values[name]) === '1' ? one : more));
}

/** Words one after another; empty ones are left out. */
export const listed = (parts) => parts.filter(Boolean).join(t('comma'));

/** The keys of all texts, for tests. */
export const keys = () => Object.keys(texts);

/** Show another language. */
export function setLanguage(code) {
  current = code;
  try {
    localStorage.setItem(STORAGE_KEY, code);
  } catch {
    // Then the next visit starts without it.
  }
}

/** Compare names as people sort them: ai2 before ai10. */
export const natural = (one, other) => (collator ??= new Intl.Collator('en', { numeric: true })).compare(one, other);

let collator; // Made when it is needed: the first use of Intl takes some 30 ms, and the first screen needs none.

/** A number as people write it; both languages put a comma between groups of three digits. */
export const number = (value) => String(value).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));

/** A chance in percent. */
export const percent = (chance) => `${(100 * chance).toFixed(2)} %`;

const DIGITS = 4;

/** A number in few digits: up to four decimals; below 1, up to four significant digits. */
export const figure = (value) => value.toLocaleString(language(),
  Math.abs(value) < 1 ? { maximumSignificantDigits: DIGITS } : { maximumFractionDigits: DIGITS });

/** Whether a number is longer than its figure says. */
export const isRounded = (value) => Number.isFinite(value) && Number(value.toPrecision(15)) !== Number(figureIn(value));

const figureIn = (value) => (Math.abs(value) < 1 ? value.toPrecision(DIGITS) : value.toFixed(DIGITS));
