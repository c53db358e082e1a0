// Verdicts on AIs: ours from the reports, a foreign one from the JSON that `marubatsu audit` writes.

import { follow, get } from './api.js';
import { button, choice, el, svg, table, tell } from './dom.js';
import { drawBoard } from './drawing.js';
import './audit-texts.js';
import { language, number, t } from './i18n.js';

const COLUMNS = ['ai', 'family', 'rule', 'classes_right', 'positions_right', 'strongly_solved', 'as_circle', 'as_cross', 'weakly_solved'];
const OPTIONS = ['order_all', 'shortest_victory', 'init_window', 'use_table'];
const SHOWN = ['circle', 'draw', 'cross', 'expected'];
const AT_ONCE = 60; // blunders put on the page at a time
const LARGEST = 5; // MB of a file
const LONGEST = 2000; // characters of a text in a file
const ROW = 46; // pixels of a bar with its label

// What the reader has chosen; kept when the language or the view changes.
const settings = { ai: 'ai14s', ply: '', sorted: null, shown: 'circle', scope: null, options: {}, audit: null };

/** Make the view; see main.js. */
export function create(game, go) {
  return new AuditView(game, go);
}

const PARTS = { verdicts: makeVerdicts, blunders: makeBlunders, matches: makeMatches, orderings: makeOrderings, file: makeFile };

class AuditView {
  constructor(game, go) {
    this.game = game;
    this.go = go;
    this.made = new Map();
    this.links = el('nav', { class: 'audit-parts', 'aria-label': t('audit.parts') },
      Object.keys(PARTS).map((part) => el('a', { dataset: { part } }, t(`audit.part.${part}`))));
    this.place = el('div');
    this.element = el('section', { class: 'audit-view' }, this.links, this.place);
    this.onDrag = (event) => event.preventDefault();
    this.onDrop = (event) => this.drop(event);
  }

  /** The part that is named, made once and then only brought up to date. */
  async show(parameters) {
    const named = parameters.get('part');
    const part = Object.hasOwn(PARTS, named ?? '') ? named : 'verdicts';
    settings.ai = parameters.get('ai') ?? settings.ai;
    this.wanted = part;
    window.addEventListener('dragover', this.onDrag);
    window.addEventListener('drop', this.onDrop);
    for (const link of this.links.children) {
      link.href = `#audit?${new URLSearchParams({ ai: settings.ai, part: link.dataset.part })}`;
      if (link.dataset.part === part) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    if (!this.made.has(part)) this.made.set(part, PARTS[part](this.game, this.go));
    const made = await this.made.get(part);
    if (this.wanted !== part) return; // Somebody was faster.
    if (this.place.firstChild !== made.element) this.place.replaceChildren(made.element);
    await made.update?.();
  }

  hide() {
    window.removeEventListener('dragover', this.onDrag);
    window.removeEventListener('drop', this.onDrop);
  }

  async drop(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (!file) return;
    this.go('audit', { ai: settings.ai, part: 'file' });
    if (!this.made.has('file')) this.made.set('file', PARTS.file(this.game));
    (await this.made.get('file')).take(file);
  }
}

/** The rows of a report as objects. */
async function rowsOf(name) {
  const { columns, rows } = await get(`reports/${name}.json`);
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
}

/** Everything that the reports strong and weak say about each AI, with its family and rule. */
async function verdicts(game) {
  const [strong, weak] = await Promise.all([rowsOf('strong'), rowsOf('weak')]);
  const weakOf = new Map(weak.map((row) => [row.ai, row]));
  const about = new Map(game.ais.map((row) => [row.ai, row]));
  return strong.map((row) => ({ ...about.get(row.ai), ...weakOf.get(row.ai), ...row }));
}

const wide = (label, ...inside) => el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, inside);
const yesNo = (flag) => el('span', { class: flag ? 'good' : 'bad' }, t(flag ? 'audit.yes' : 'audit.no'));
const decimals = (value) => value.toLocaleString(language(), { maximumFractionDigits: 3 });

// The table of all AIs.

async function makeVerdicts(game) {
  const rows = await verdicts(game);
  const body = el('tbody');
  const heads = COLUMNS.map((column) => el('th', { scope: 'col' },
    button(t(`audit.column.${column}`), () => { sortBy(column); draw(); }, { class: 'sorter' })));
  const draw = () => {
    const { column, sign } = settings.sorted ?? {};
    const sorted = column ? rows.toSorted((a, b) => sign * compare(a[column], b[column])) : rows;
    COLUMNS.forEach((each, index) => heads[index].setAttribute('aria-sort', each !== column ? 'none' : sign > 0 ? 'ascending' : 'descending'));
    body.replaceChildren(...sorted.map(verdictRow));
  };
  draw();
  const caption = t('audit.verdicts');
  return {
    element: el('div', {},
      el('p', { class: 'soft' }, t('audit.strongly'), el('br'), t('audit.weakly')),
      wide(caption, el('table', { class: 'verdicts' }, el('caption', {}, caption), el('thead', {}, el('tr', {}, heads)), body))),
  };
}

/** Sort by a column; once more, the other way round. Numbers and verdicts begin with the best. */
function sortBy(column) {
  const { column: before, sign } = settings.sorted ?? {};
  const first = ['ai', 'family', 'rule'].includes(column) ? 1 : -1;
  settings.sorted = { column, sign: column === before ? -sign : first };
}

const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : Number(a) - Number(b));

function verdictRow(row) {
  return el('tr', {},
    el('th', { scope: 'row' }, el('a', { href: `#audit?${new URLSearchParams({ ai: row.ai, part: 'blunders' })}` }, row.ai)),
    el('td', {}, row.family), el('td', { class: 'rule', lang: 'en' }, row.rule),
    el('td', { class: 'number' }, share(row.classes_right, row.classes)),
    el('td', { class: 'number' }, share(row.positions_right, row.positions)),
    COLUMNS.slice(5).map((column) => el('td', {}, yesNo(row[column]))));
}

const share = (part, all) => t('audit.of', { part: number(part), all: number(all) });

// What one AI does wrong: components for ours and for a foreign one.

/** Names and what they stand for. */
const facts = (pairs) => el('dl', {}, pairs.map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));

const verdictFacts = (row) => facts([
  [t('audit.column.classes_right'), share(row.classes_right, row.classes)],
  [t('audit.column.positions_right'), share(row.positions_right, row.positions)],
  ...COLUMNS.slice(5).map((column) => [t(`audit.column.${column}`), yesNo(row[column])]),
]);

function plyTable(rows) {
  const caption = t('audit.byply');
  return wide(caption, table(caption, [t('audit.ply'), t('audit.critical'), t('audit.wrong'), t('audit.wonlost'), t('audit.mean')],
    rows.map((row) => [row.ply, row.critical_positions, row.wrong_positions, row.loses_a_won_game,
      el('div', { class: 'chance' }, `${row.mean_chance_percent.toFixed(2)} %`)])));
}

const cellName = (game, cell) => t('audit.cell', { x: (cell % game.columns) + 1, y: Math.floor(cell / game.columns) + 1 });

/** One blunder: the board after it, and the board before it with the best moves. */
function blunderCard(game, row) {
  const cells = row.best_moves.map((cell) => cellName(game, cell)).join(language() === 'ja' ? '、' : '; ');
  const after = t('audit.board.after', { turn: t(`audit.turn.${row.turn}`), cell: cellName(game, row.move), board: row.board_after });
  const picture = (name, text, label, marked) => el('figure', { class: name }, drawBoard(game.columns, text, { size: 78, label, marked }),
    el('figcaption', {}, t(`audit.${name}`)));
  return el('li', {},
    el('div', { class: 'pair' },
      picture('after', row.board_after, after, [row.move]),
      picture('instead', row.board, t('audit.board.best', { cells, board: row.board }), row.best_moves)),
    el('strong', {}, t('audit.loses', { before: t(`audit.score.${row.score}`), after: t(`audit.score.${row.score_after}`) })),
    el('span', { class: 'soft' }, t('audit.chance', { ply: row.ply, chance: decimals(row.chance_percent) })));
}

/** Put things into a place, a part at a time. */
function growing(place, things, draw, grown = () => {}) {
  let shown = 0;
  const more = button('', () => {
    place.append(...things.slice(shown, shown + AT_ONCE).map(draw));
    shown = Math.min(shown + AT_ONCE, things.length);
    more.hidden = shown === things.length;
    more.textContent = t('audit.more', { left: number(things.length - shown) });
    grown(shown);
  });
  more.click();
  return [place, more];
}

/** The blunders, filtered by ply. */
function gallery(game, blunders) {
  const plies = [...new Set(blunders.map((row) => row.ply))].sort((a, b) => a - b);
  if (!plies.includes(Number(settings.ply))) settings.ply = '';
  const place = el('div');
  const count = el('p', { class: 'soft', role: 'status' });
  const draw = () => {
    const rows = blunders.filter((row) => settings.ply === '' || row.ply === Number(settings.ply));
    const grown = (shown) => { count.textContent = t('audit.count', { shown: number(shown), all: number(rows.length) }); };
    place.replaceChildren(...growing(el('ul', { class: 'gallery' }), rows, (row) => blunderCard(game, row), grown));
  };
  draw();
  const filter = choice(t('audit.ply'), [['', t('audit.all')], ...plies.map((ply) => [String(ply), String(ply)])], settings.ply,
    (ply) => { settings.ply = ply; draw(); });
  return [el('h2', {}, t('audit.gallery')), blunders.length ? [filter, count, place] : el('p', {}, t('audit.none'))].flat();
}

/** The lines by which an AI loses, as rows of boards. */
async function refutations(game, rows) {
  const lines = await Promise.all(rows.map(async ({ side, length, moves }) => {
    const path = await follow(moves);
    const boards = path?.map(({ board }, at) => drawBoard(game.columns, board, {
      size: 62, marked: at ? [moves[at - 1]] : [],
      label: at ? t('audit.step', { at, cell: cellName(game, moves[at - 1]), board }) : t('audit.start'),
    }));
    const name = t(`audit.refuted.${side}`, { length });
    return [el('h3', {}, name), boards ? wide(name, el('ol', { class: 'line' }, boards.map((board) => el('li', {}, board)))) : el('p', {}, t('audit.badline'))];
  }));
  return [el('h2', {}, t('audit.refutations')), rows.length ? lines : el('p', {}, t('audit.unbeaten'))].flat(2);
}

async function makeBlunders(game, go) {
  const ais = game.ais.map(({ ai }) => ai);
  const place = el('div');
  const picker = choice(t('audit.ai'), ais.map((ai) => [ai, ai]), settings.ai, (ai) => go('audit', { ai, part: 'blunders' }));
  let shown = null;
  const update = async () => {
    const { ai } = settings;
    if (shown === ai) return;
    shown = ai;
    picker.querySelector('select').value = ai;
    const row = (await verdicts(game)).find((each) => each.ai === ai);
    if (!row) return place.replaceChildren(el('p', { class: 'error', role: 'alert' }, t('audit.unknown', { ai })));
    const [blunders, byPly, refuted] = (await Promise.all(['blunders', 'blunders_by_ply', 'refutations'].map(rowsOf)))
      .map((rows) => rows.filter((each) => each.ai === ai));
    const lines = await refutations(game, refuted);
    if (shown !== ai) return; // Somebody was faster.
    place.replaceChildren(
      el('p', { lang: 'en' }, row.rule),
      el('div', { class: 'columns' }, el('div', {}, verdictFacts(row)), plyTable(byPly)), ...lines, ...gallery(game, blunders));
  };
  return { element: el('div', {}, picker, place), update };
}

// All AIs against all.

/** A colour for what circle may expect, from -100 to 100: how strong, of which side. */
const heat = (expected) => `--heat: ${(Math.abs(expected) * 0.45).toFixed(1)}%; --side: var(--${expected < 0 ? 'lost' : 'won'})`;

/** A percentage in little room; nothing and everything are only written when they are exact. */
function short(percent) {
  const rounded = Math.round(percent);
  if (rounded === 0 && percent) return percent < 0 ? '>−1' : '<1';
  if (Math.abs(rounded) === 100 && Math.abs(percent) < 100) return percent < 0 ? '>−100' : '<100';
  return String(rounded).replace('-', '−');
}

const exactly = (fraction, percent) => (fraction === null ? `${decimals(percent)} %` : /^[01]$/.test(fraction) ? fraction : `${fraction} (${decimals(percent)} %)`);

const pairText = (row) => t('audit.pair', {
  circle: row.circle_ai, cross: row.cross_ai, won: exactly(row.fraction_circle, row.circle_percent),
  drawn: exactly(row.fraction_draw, row.draw_percent), lost: exactly(row.fraction_cross, row.cross_percent),
});

async function makeMatches() {
  const rows = await rowsOf('pairs');
  const order = (await rowsOf('standings')).map(({ ai }) => ai); // the best first
  const byPair = new Map(rows.map((row) => [`${row.circle_ai} ${row.cross_ai}`, row]));
  const readout = el('p', { class: 'readout' }, t('audit.readout'));
  const fields = order.map((circle) => order.map((cross) => matchField(byPair.get(`${circle} ${cross}`))));
  const draw = () => fields.flat().forEach(({ cell, row }) => { cell.textContent = row ? short(shownOf(row)) : ''; });
  draw();
  const caption = t('audit.matrix');
  const grid = el('table', { class: 'matrix', role: 'grid' }, el('caption', {}, caption),
    el('thead', {}, el('tr', {}, el('td'), order.map((ai) => el('th', { scope: 'col' }, el('span', {}, ai))))),
    el('tbody', {}, fields.map((line, y) => el('tr', {}, el('th', { scope: 'row' }, order[y]), line.map(({ cell }) => cell)))));
  walk(grid, fields.map((line) => line.map(({ cell }) => cell)), (cell) => { readout.textContent = cell.title || t('audit.readout'); });
  const picker = choice(t('audit.shown'), SHOWN.map((each) => [each, t(`audit.shown.${each}`)]), settings.shown,
    (shown) => { settings.shown = shown; draw(); });
  return { element: el('div', {}, el('div', { class: 'row' }, picker, legend()), readout, wide(caption, grid)) };
}

/** A field of the matrix; one that the report has no row for stays empty. */
function matchField(row) {
  if (!row) return { cell: el('td', { tabindex: -1 }), row };
  const text = pairText(row);
  return { cell: el('td', { class: 'heat', tabindex: -1, title: text, 'aria-label': text, style: heat(row.circle_percent - row.cross_percent) }), row };
}

const shownOf = (row) => (settings.shown === 'expected' ? row.circle_percent - row.cross_percent : row[`${settings.shown}_percent`]);

const legend = () => el('div', { class: 'legend' }, t('audit.heat'),
  el('span', {}, [-100, -50, 0, 50, 100].map((expected) => el('span', { class: 'heat', style: heat(expected) }, short(expected)))));

/** Walk over a grid with the arrow keys; say which cell is pointed at. */
function walk(grid, cells, point) {
  let [x, y] = [0, 0];
  const place = (cell) => { y = cells.findIndex((line) => line.includes(cell)); x = cells[y]?.indexOf(cell) ?? 0; return y >= 0; };
  const current = (cell) => {
    cells.flat().find((each) => each.tabIndex === 0)?.setAttribute('tabindex', -1);
    cell?.setAttribute('tabindex', 0);
  };
  current(cells[0]?.[0]);
  grid.addEventListener('pointerover', ({ target }) => { if (target.tagName === 'TD') point(target); });
  grid.addEventListener('focusin', ({ target }) => { if (place(target)) { current(target); point(target); } });
  grid.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-x, 0], End: [cells.length - 1 - x, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    cells[y + step[1]]?.[x + step[0]]?.focus();
  });
}

// What each move ordering costs.

async function makeOrderings() {
  const rows = await rowsOf('orderings');
  const scopes = [...new Set(rows.map((row) => row.scope))];
  settings.scope ??= scopes[0];
  const place = el('div');
  const draw = () => {
    const chosen = rows.filter((row) => row.scope === settings.scope && OPTIONS.every((option) => row[option] === Boolean(settings.options[option])));
    place.replaceChildren(...drawOrderings(chosen.toSorted((a, b) => b.nodes - a.nodes)));
  };
  draw();
  return {
    element: el('div', {},
      el('div', { class: 'row' },
        choice(t('audit.scope'), scopes.map((scope) => [scope, scope]), settings.scope, (scope) => { settings.scope = scope; draw(); }),
        el('fieldset', {}, el('legend', {}, t('audit.options')), OPTIONS.map((option) => el('label', {},
          el('input', { type: 'checkbox', checked: settings.options[option], onchange: ({ target }) => { settings.options[option] = target.checked; draw(); } }),
          t(`audit.option.${option}`))))),
      place),
  };
}

function orderingName({ ordering, drawn, runs }) {
  const name = ordering ?? t('audit.unordered');
  return drawn ? t('audit.drawn', { ordering: name, runs: number(runs) }) : name;
}

const nodesText = ({ least, nodes, greatest }) =>
  (least === greatest ? number(nodes) : t('audit.median', { nodes: number(nodes), least: number(least), greatest: number(greatest) }));

function drawOrderings(rows) {
  if (!rows.length) return [el('p', {}, t('audit.nosearch'))];
  const caption = t('audit.bars');
  const cells = rows.map((row) => [orderingName(row), el('div', { class: 'chance' }, nodesText(row)),
    el('div', { class: 'chance' }, row.published === null ? '' : number(row.published)), row.agrees === null ? '' : yesNo(row.agrees), row.why ? el('span', { class: 'why', lang: 'en' }, row.why) : '']);
  const most = Math.max(...rows.map((row) => Math.max(row.greatest, row.published ?? 0)));
  return [
    el('h2', {}, caption),
    svg('svg', { class: 'bars', width: '100%', height: rows.length * ROW, role: 'img', 'aria-label': `${caption}: ${rows.map(barText).join('; ')}` },
      rows.map((row, index) => drawBar(row, index * ROW, (nodes) => `${(98 * nodes) / most}%`))),
    el('p', { class: 'soft' }, t('audit.legend')),
    wide(caption, table(caption, ['ordering', 'nodes', 'published', 'agrees', 'why'].map((each) => t(`audit.${each}`)), cells)),
  ];
}

const barText = (row) => `${orderingName(row)} ${nodesText(row)}`;

/** A bar from the left, its label and its numbers above it. */
function drawBar(row, y, at) {
  const nodes = number(row.nodes);
  const middle = y + 33;
  return svg('g', {},
    svg('title', {}, row.published === null ? barText(row) : t('audit.publishednodes', { nodes: barText(row), published: number(row.published) })),
    svg('text', { x: 0, y: y + 18 }, orderingName(row)),
    svg('text', { x: '100%', y: y + 18, 'text-anchor': 'end' }, row.published === null ? nodes : t('audit.publishednodes', { nodes, published: number(row.published) })),
    svg('rect', { class: 'bar', x: 0, y: y + 25, width: at(row.nodes), height: 16 }),
    row.least !== row.greatest && svg('line', { class: 'spread', x1: at(row.least), x2: at(row.greatest), y1: middle, y2: middle }),
    row.published !== null && svg('line', { class: 'mark', x1: at(row.published), x2: at(row.published), y1: y + 22, y2: y + 44 }));
}

// The audit of an AI that is not ours, from a file of the reader.

function makeFile(game) {
  const told = el('p', { class: 'error', role: 'alert', hidden: true });
  const place = el('div');
  const draw = async () => place.replaceChildren(...(settings.audit ? await drawAudit(game, settings.audit) : []));
  const take = async (file) => {
    told.hidden = true;
    try {
      settings.audit = await readAudit(game, file);
      await draw();
      tell(t('audit.read', { ai: settings.audit.ai }));
    } catch (error) {
      settings.audit = null;
      place.replaceChildren();
      told.textContent = error.message;
      told.hidden = false;
    }
  };
  const input = el('input', { type: 'file', accept: '.json,application/json', onchange: () => {
    const [file] = input.files;
    input.value = ''; // So that the same file can be chosen again.
    if (file) take(file);
  } });
  const element = el('div', {},
    el('div', { class: 'drop' }, el('p', {}, t('audit.drop'), ' ', el('code', {}, 'marubatsu audit FILE.py:NAME --format json > audit.json')),
      el('label', { class: 'field' }, el('span', {}, t('audit.choose')), input)),
    told, place);
  return draw().then(() => ({ element, take }));
}

/** What a file says, after every part of it was checked; throws an Error with a sentence. */
async function readAudit(game, file) {
  if (file.size > LARGEST * 1e6) throw new Error(t('audit.toolarge', { limit: LARGEST }));
  const text = await file.text().catch(() => { throw new Error(t('audit.unreadable')); });
  let audit;
  try {
    audit = JSON.parse(text);
  } catch {
    throw new Error(t('audit.notjson'));
  }
  const wrong = unlike(shapeOf(game), audit, '');
  if (wrong !== null) throw new Error(t('audit.notaudit', { where: wrong || 'object' }));
  if (audit.game !== game.name) throw new Error(t('audit.othergame', { game: audit.game.slice(0, 40), name: game.name }));
  return audit;
}

/** What an audit must look like: objects by key, [each of a list], or a test. */
function shapeOf(game) {
  const size = game.columns * game.rows;
  const text = (value) => typeof value === 'string' && value.length <= LONGEST;
  const count = (value) => Number.isSafeInteger(value) && value >= 0;
  const percent = (value) => Number.isFinite(value) && value >= 0 && value <= 100;
  const flag = (value) => typeof value === 'boolean';
  const board = (value) => text(value) && value.length === size && /^[ox.]+$/.test(value);
  const cell = (value) => count(value) && value < size;
  const cells = (value) => Array.isArray(value) && value.length <= size && value.every(cell);
  const side = (value) => value === 'circle' || value === 'cross';
  const score = (value) => [-1, 0, 1].includes(value);
  const fraction = (value) => value === null || text(value);
  return {
    game: text, ai: text, family: text, asked: count, positions: count, positions_without_answer: count, repeats: count,
    seconds: Number.isFinite,
    findings: [{ kind: text, count, board: (value) => value === '' || board(value), detail: text }],
    verdicts: {
      classes_right: count, classes: count, positions_right: count, positions: count,
      strongly_solved: flag, as_circle: flag, as_cross: flag, weakly_solved: flag,
    },
    blunders_by_ply: [{ ply: count, critical_positions: count, wrong_positions: count, loses_a_won_game: count, mean_chance_percent: percent }],
    blunders: [{ board, turn: side, move: cell, board_after: board, score, score_after: score, chance_percent: percent, best_moves: cells, ply: count }],
    refutations: [{ side, length: count, moves: cells }],
    matches: [{ opponent: text, side, win_percent: percent, draw_percent: percent, lose_percent: percent, win: fraction, draw: fraction, lose: fraction }],
  };
}

/** Where a value is unlike a shape, or null. */
function unlike(shape, value, where) {
  if (typeof shape === 'function') return shape(value) ? null : where;
  const [keys, of] = Array.isArray(shape)
    ? [Array.isArray(value) && value.keys(), () => shape[0]]
    : [value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(shape), (key) => shape[key]];
  if (!keys) return where;
  for (const key of keys) {
    const wrong = unlike(of(key), value[key], where ? `${where}.${key}` : String(key));
    if (wrong !== null) return wrong;
  }
  return null;
}

async function drawAudit(game, audit) {
  return [
    el('h2', {}, audit.ai),
    el('div', { class: 'columns' },
      el('div', {}, verdictFacts(audit.verdicts), facts([
        [t('audit.asked'), number(audit.asked)], [t('audit.positions'), number(audit.positions)],
        [t('audit.unanswered'), number(audit.positions_without_answer)], [t('audit.repeats'), number(audit.repeats)], [t('audit.seconds'), decimals(audit.seconds)],
      ])),
      plyTable(audit.blunders_by_ply.slice(0, AT_ONCE))),
    ...drawFindings(audit.findings),
    ...await refutations(game, audit.refutations.slice(0, AT_ONCE)),
    ...gallery(game, audit.blunders),
    el('h2', {}, t('audit.against')), ...drawMatches(audit.matches),
  ];
}

/** A table that grows. */
function longTable(caption, headings, rows, draw) {
  const made = table(caption, headings, []);
  const [, more] = growing(made.tBodies[0], rows, (row) => el('tr', {}, draw(row)));
  return [wide(caption, made), more];
}

function drawFindings(findings) {
  if (!findings.length) return [el('p', {}, t('audit.nofindings'))];
  return longTable(t('audit.findings'), ['finding', 'times', 'first', 'detail'].map((each) => t(`audit.${each}`)), findings,
    ({ kind, count, board, detail }) => [el('th', { scope: 'row' }, kind), el('td', { class: 'number' }, number(count)), el('td', {}, board), el('td', { class: 'rule' }, detail)]);
}

/** Matches of a foreign AI, in the colours of the side that wins. */
function drawMatches(matches) {
  const value = (row, each) => el('td', { class: 'number' }, exactly(row[each], row[`${each}_percent`]));
  return longTable(t('audit.against'), ['opponent', 'side', 'win', 'draw', 'lose'].map((each) => t(`audit.${each}`)), matches, (row) => {
    const expected = (row.win_percent - row.lose_percent) * (row.side === 'circle' ? 1 : -1);
    return [el('th', { scope: 'row' }, row.opponent), el('td', { class: 'heat', style: heat(expected) }, t(`audit.turn.${row.side}`)), ['win', 'draw', 'lose'].map((each) => value(row, each))];
  });
}
