// Verdicts on AIs: ours from the reports, a foreign one from the JSON that `marubatsu audit` writes.

import { follow, get } from './api.js';
import { button, choice, el, svg, table, tell } from './dom.js';
import { drawBoard } from './drawing.js';
import { addTexts, language, number, t } from './i18n.js';

addTexts({
  en: {
    'audit.parts': 'Parts of the audit', 'audit.part.verdicts': 'Verdicts', 'audit.part.blunders': 'Blunders',
    'audit.part.matches': 'Matches', 'audit.part.orderings': 'Orderings', 'audit.part.file': 'Your AI',
    'audit.yes': 'yes', 'audit.no': 'no', 'audit.of': '{part} of {all}', 'audit.more': 'Show more ({left} left)',
    'audit.verdicts': 'Verdicts on all AIs; a name leads to what the AI does wrong',
    'audit.strongly': 'strongly solved: no move that it may choose is wrong', 'audit.weakly': 'weakly solved: it never loses from the empty board',
    'audit.column.ai': 'AI', 'audit.column.family': 'family', 'audit.column.rule': 'rule', 'audit.column.classes_right': 'classes right',
    'audit.column.positions_right': 'positions right', 'audit.column.strongly_solved': 'strongly solved',
    'audit.column.as_circle': 'never loses as circle', 'audit.column.as_cross': 'never loses as cross', 'audit.column.weakly_solved': 'weakly solved',
    'audit.ai': 'AI', 'audit.ply': 'Ply', 'audit.all': 'all', 'audit.unknown': 'There is no AI {ai}.',
    'audit.gallery': 'Blunders, in one position of each class', 'audit.count': '{shown} of {all} blunders', 'audit.none': 'It blunders nowhere.',
    'audit.after': 'plays', 'audit.instead': 'best', 'audit.score.1': 'circle wins', 'audit.score.0': 'a draw', 'audit.score.-1': 'cross wins',
    'audit.loses': '{before} → {after}', 'audit.chance': 'ply {ply}, in {chance} % of its games from here',
    'audit.cell': 'column {x}, row {y}', 'audit.turn.circle': 'Circle', 'audit.turn.cross': 'Cross',
    'audit.board.after': '{turn} blunders at {cell}: {board}', 'audit.board.best': 'Best here: {cells}; {board}',
    'audit.byply': 'Blunders by ply', 'audit.critical': 'positions with a wrong move', 'audit.wrong': 'where it goes wrong',
    'audit.wonlost': 'where it loses a won game', 'audit.mean': 'mean chance to go wrong',
    'audit.refutations': 'How it loses', 'audit.refuted.circle': 'As circle, after {length} moves', 'audit.refuted.cross': 'As cross, after {length} moves',
    'audit.unbeaten': 'Nobody can beat it from the empty board.', 'audit.badline': 'This line is not one of the game.',
    'audit.step': 'Move {at}, {cell}: {board}', 'audit.start': 'The empty board',
    'audit.matrix': 'All AIs against all: circle in the rows, cross in the columns', 'audit.shown': 'Numbers in percent',
    'audit.shown.circle': 'circle wins', 'audit.shown.draw': 'draws', 'audit.shown.cross': 'cross wins', 'audit.shown.expected': 'circle wins minus cross wins',
    'audit.heat': 'Colour: circle wins minus cross wins', 'audit.pair': '{circle} (circle) – {cross} (cross): circle wins {won}, draws {drawn}, cross wins {lost}',
    'audit.readout': 'Point at a field, or walk with the arrow keys, to read it exactly.',
    'audit.scope': 'Where', 'audit.option.order_all': 'order every move', 'audit.option.shortest_victory': 'shortest victory',
    'audit.option.init_window': 'window at the root', 'audit.option.use_table': 'table of positions', 'audit.options': 'Options of the search',
    'audit.bars': 'Nodes that alpha-beta searches, by move ordering', 'audit.unordered': 'no ordering', 'audit.drawn': '{ordering}, ties drawn ({runs} runs)',
    'audit.nodes': 'nodes', 'audit.median': '{nodes} ({least} – {greatest})', 'audit.published': 'published', 'audit.publishednodes': '{nodes}, published {published}',
    'audit.ordering': 'ordering', 'audit.agrees': 'agrees', 'audit.why': 'why', 'audit.nosearch': 'No such search was counted.',
    'audit.legend': 'Bar: nodes counted here (the middle of all runs, the thin line from the least to the greatest). Upright mark: the published figure.',
    'audit.choose': 'The JSON of an audit', 'audit.drop': 'Drop a file here, anywhere on the page, or choose one. It stays on your machine. It is written by:',
    'audit.toolarge': 'The file is larger than {limit} MB, which no audit is.', 'audit.notjson': 'The file is not JSON.',
    'audit.notaudit': 'The file is not the JSON of an audit: {where} is missing or not what it should be.',
    'audit.othergame': 'The audit is of the game {game}; this page shows {name}.', 'audit.unreadable': 'The file cannot be read.', 'audit.read': 'Read the audit of {ai}.',
    'audit.asked': 'questions asked', 'audit.positions': 'positions', 'audit.unanswered': 'positions without a valid answer', 'audit.repeats': 'questions about each position', 'audit.seconds': 'seconds',
    'audit.findings': 'Findings: what it did and should not', 'audit.nofindings': 'Findings: none.', 'audit.finding': 'finding', 'audit.times': 'times', 'audit.first': 'first at', 'audit.detail': 'detail',
    'audit.against': 'Matches against our AIs, exactly', 'audit.opponent': 'opponent', 'audit.side': 'side', 'audit.win': 'wins', 'audit.draw': 'draws', 'audit.lose': 'loses',
  },
  ja: {
    'audit.parts': '判定の内容', 'audit.part.verdicts': '判定の一覧', 'audit.part.blunders': '悪手',
    'audit.part.matches': '対戦表', 'audit.part.orderings': '手の順序付け', 'audit.part.file': '自作の AI',
    'audit.yes': 'はい', 'audit.no': 'いいえ', 'audit.of': '{all} 中 {part}', 'audit.more': 'さらに表示（残り {left}）',
    'audit.verdicts': 'すべての AI の判定（名前を選ぶと、その AI の悪手を表示します）',
    'audit.strongly': '強解決：選びうる手がすべて最善手', 'audit.weakly': '弱解決：最初の局面から決して負けない',
    'audit.column.ai': 'AI', 'audit.column.family': '種類', 'audit.column.rule': '規則', 'audit.column.classes_right': '正しい同型の組',
    'audit.column.positions_right': '正しい局面', 'audit.column.strongly_solved': '強解決',
    'audit.column.as_circle': '〇で負けない', 'audit.column.as_cross': '×で負けない', 'audit.column.weakly_solved': '弱解決',
    'audit.ai': 'AI', 'audit.ply': '手数', 'audit.all': 'すべて', 'audit.unknown': '{ai} という AI はありません。',
    'audit.gallery': '悪手の一覧（同型の組ごとに一つの局面）', 'audit.count': '悪手 {all} 件中 {shown} 件', 'audit.none': '悪手はありません。',
    'audit.after': '着手', 'audit.instead': '最善手', 'audit.score.1': '〇の勝ち', 'audit.score.0': '引き分け', 'audit.score.-1': '×の勝ち',
    'audit.loses': '{before} → {after}', 'audit.chance': '{ply} 手目の局面、確率 {chance} %',
    'audit.cell': '{x} 列 {y} 行', 'audit.turn.circle': '〇', 'audit.turn.cross': '×',
    'audit.board.after': '{turn}の悪手 {cell}：{board}', 'audit.board.best': 'ここでの最善手 {cells}：{board}',
    'audit.byply': '手数ごとの悪手', 'audit.critical': '間違いのありうる局面', 'audit.wrong': '間違える局面',
    'audit.wonlost': '勝ちを負けにする局面', 'audit.mean': '間違える確率の平均',
    'audit.refutations': '負け方', 'audit.refuted.circle': '〇のとき（{length} 手）', 'audit.refuted.cross': '×のとき（{length} 手）',
    'audit.unbeaten': '最初の局面から始めて、この AI に勝つ方法はありません。', 'audit.badline': 'この手順はこのゲームでは指せません。',
    'audit.step': '{at} 手目、{cell}：{board}', 'audit.start': '最初の局面',
    'audit.matrix': 'すべての AI どうしの対戦表（行が〇、列が×）', 'audit.shown': '表示する割合（%）',
    'audit.shown.circle': '〇の勝ち', 'audit.shown.draw': '引き分け', 'audit.shown.cross': '×の勝ち', 'audit.shown.expected': '〇の勝ち − ×の勝ち',
    'audit.heat': '色：〇の勝ち − ×の勝ち', 'audit.pair': '{circle}（〇）対 {cross}（×）：〇の勝ち {won}、引き分け {drawn}、×の勝ち {lost}',
    'audit.readout': 'マスを指すか、矢印キーで移動すると、正確な値を表示します。',
    'audit.scope': '対象', 'audit.option.order_all': 'すべての手を並べ替える', 'audit.option.shortest_victory': '最短の勝ち',
    'audit.option.init_window': '根の探索窓', 'audit.option.use_table': '置換表', 'audit.options': '探索の設定',
    'audit.bars': 'αβ 法が調べるノード数（手の順序付けごと）', 'audit.unordered': '順序付けなし', 'audit.drawn': '{ordering}、同点はくじ（{runs} 回）',
    'audit.nodes': 'ノード数', 'audit.median': '{nodes}（{least}～{greatest}）', 'audit.published': '公表値', 'audit.publishednodes': '{nodes}、公表値 {published}',
    'audit.ordering': '順序付け', 'audit.agrees': '一致', 'audit.why': '理由', 'audit.nosearch': 'この設定の探索は数えていません。',
    'audit.legend': '棒：ここで数えたノード数（複数回のときは中央の値、細い線は最小から最大）。縦の印：公表値。',
    'audit.choose': '判定の JSON ファイル', 'audit.drop': 'ページ上にファイルを落とすか、選んでください。ファイルは送信されません。作り方：',
    'audit.toolarge': 'ファイルが {limit} MB を超えています。判定のファイルではありません。', 'audit.notjson': 'ファイルは JSON ではありません。',
    'audit.notaudit': '判定の JSON ではありません：{where} がないか、正しくありません。',
    'audit.othergame': 'この判定は {game} のものです。このページは {name} を表示しています。', 'audit.unreadable': 'ファイルを読めません。', 'audit.read': '{ai} の判定を読み込みました。',
    'audit.asked': '質問の数', 'audit.positions': '局面の数', 'audit.unanswered': '有効な答えのない局面', 'audit.repeats': '局面ごとの質問の数', 'audit.seconds': '秒',
    'audit.findings': '見つかった問題', 'audit.nofindings': '見つかった問題：なし。', 'audit.finding': '問題', 'audit.times': '回数', 'audit.first': '最初の局面', 'audit.detail': '詳細',
    'audit.against': 'こちらの AI との対戦（厳密な値）', 'audit.opponent': '相手', 'audit.side': '手番', 'audit.win': '勝ち', 'audit.draw': '引き分け', 'audit.lose': '負け',
  },
});

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
  return { element: el('div', {}, el('div', { class: 'row' }, picker, legend()), readout, el('div', { class: 'scroll' }, grid)) };
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
  const cells = rows.map((row) => [orderingName(row), el('div', { class: 'chance' }, nodesText(row)), row.published, row.agrees === null ? '' : yesNo(row.agrees), row.why ? el('span', { lang: 'en' }, row.why) : '']);
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
