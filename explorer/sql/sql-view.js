// SQL of one's own over the tables, and the shipped reports as examples: their answers are there
// without a server, too. Below them the tables: what a row and each column is, as the API describes them,
// and the Parquet files to download.

import { answered, request, sentenceOf, start } from '../answers/request.js';
import { announce, button, choice, el, setOff, table, wide } from '../elements/dom.js';
import { sentenceFor } from '../elements/latest.js';
import { address, go } from '../state/address.js';
import { addTexts, language, number, t } from '../words/i18n.js';
import { inLanguage } from '../words/japanese.js';
import { drawAnswer } from './result.js';

addTexts({
  'sql.query': ['One statement of SQL that reads (Ctrl+Enter runs it)', '読み取り専用の SQL 文を一つ入力（Ctrl+Enter で実行）'], 'sql.run': ['Run', '実行'],
  'sql.cancel': ['Cancel', '中止'], 'sql.help': ['How it is limited', '制限について'],
  'sql.limits': ['At most 1,000 rows and 10 MB, for at most 10 s and 500 MB of memory. The statement reads the tables only: no files, no network.', '1,000 行、10 MB、10 秒、メモリ 500 MB までです。SQL 文が読めるのはテーブルだけで、ファイルとネットワークは使えません。'],
  'sql.reports': ['Shipped reports', '付属のレポート'], 'sql.report': ['choose one to see its answer', '選ぶと結果を表示します'],
  'sql.unknown': ['There is no report {report}.', '{report} というレポートはありません。'], 'sql.running': ['Running for {seconds} s', '実行中：{seconds} 秒'],
  'sql.cancelled': ['Cancelled after {seconds} s.', '{seconds} 秒で中止しました。'], 'sql.empty': ['There is no statement yet.', 'SQL 文がまだありません。'],
  'sql.unreachable': ['The server does not answer: is it still running?', 'サーバーから応答がありません。起動しているか確認してください。'],
  'sql.static': ['These are files without a server, so no SQL runs here. Download the tables, or run marubatsu explore.', 'サーバーのない静的なページなので、SQL は実行できません。テーブルをダウンロードするか、marubatsu explore を実行してください。'],
  'sql.tables': ['Tables: schemas and Parquet files', 'テーブルの列と Parquet ファイル'],
  'sql.table': ['{rows} {rows|row|rows}, {size} in {files} {files|file|files}', '{rows} 行、{size}、{files} ファイル'],
  'sql.look': ['Put a query of it into the box', 'このテーブルの SQL 文を入力欄に入れる'], 'sql.column': ['column', '列'], 'sql.type': ['type', '型'], 'sql.null': ['null', 'null'],
  'sql.may': ['may be', 'あり'], 'sql.meaning': ['meaning', '意味'], 'sql.key': ['key', 'キー'],
  'sql.refers': ['each value is one of {table}.{column}', '値は {table}.{column} のどれか'], 'sql.columns': ['Columns of {name}', '{name} の列'],
  'sql.bytes': ['{bytes} bytes', '{bytes} バイト'], 'sql.kilobytes': ['{kilobytes} kB', '{kilobytes} kB'],
});

const FIRST = {
  positions: 'select status, count(*)\nfrom positions\ngroup by status',
  solution: 'select score, count(*)\nfrom solution\ngroup by score',
};
const PLAIN = { sort: null, chart: null, x: null, y: null }; // how no answer is shown yet
const TICK = 100; // milliseconds between looks at the clock

const sessions = new WeakMap(); // By game.
let changed = () => {};

/**
 * The SQL in the box of a game, the last statement, what runs, its message and its answer; kept when the
 * language or the view changes.
 */
function sessionOf(game) {
  if (!sessions.has(game)) {
    sessions.set(game, { sql: FIRST[game.tables.includes('positions') ? 'positions' : 'solution'], last: null, running: null, message: null, answer: null });
  }
  return sessions.get(game);
}

/** Make the pane; see panes.js. */
export async function create(game) {
  const { server } = await start();
  const view = new SqlView(game, server);
  view.tables.append(...await drawTables(game, server && ((name) => view.look(name))));
  return view;
}

class SqlView {
  /** `server`: whether one answers to SQL. */
  constructor(game, server) {
    this.game = game;
    this.session = sessionOf(game);
    this.server = server;
    this.box = el('textarea', {
      rows: 6, spellcheck: 'false', autocapitalize: 'off', class: 'sql-box',
      oninput: () => { this.session.sql = this.box.value; }, onkeydown: (event) => this.key(event),
    });
    this.box.value = this.session.sql;
    this.shape = null; // What the address says of the order and the chart that are drawn.
    this.run = button(t('sql.run'), () => this.start());
    this.cancel = button(t('sql.cancel'), () => this.session.running?.abort.abort());
    this.clock = el('span', { role: 'timer' });
    this.asking = el('div', {},
      el('label', { class: 'field sql-field' }, el('span', {}, t('sql.query')), this.box),
      el('div', { class: 'row sql-controls' }, this.run, this.cancel, this.clock),
      el('details', {}, el('summary', {}, t('sql.help')), el('p', { class: 'soft' }, t('sql.limits'))));
    this.error = el('p', { class: 'error', role: 'alert', hidden: true });
    this.result = el('div', { class: 'result' });
    this.tables = el('div', { class: 'schemas' }, el('h2', {}, t('sql.tables')));
    this.report = choice(t('sql.reports'),
      [['', t('sql.report')], ...game.reports.map(({ name, question }) => [name, `${name}: ${inLanguage('question', name, question)}`])], '',
      (report) => go({ report, sql: null, ...PLAIN }));
    this.element = el('section', { class: 'sql-view' },
      el('div', { class: 'row' }, this.report), server ? this.asking : el('p', { class: 'soft' }, t('sql.static')),
      this.error, this.result, this.tables);
  }

  /** Put a query of a table into the box. */
  look(name) {
    this.session.sql = this.box.value = `from ${name}\nlimit 20`;
    this.box.focus();
  }

  /** Examples go into the box; the reader runs them. */
  key(event) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.start();
  }

  /** Run the text in the box; the address then names no report. */
  start() {
    const isOther = address().get('sql') !== this.session.sql; // Then its order and chart are others, too.
    go({ report: null, sql: this.session.sql, ...(isOther && PLAIN) }, { replace: true, quiet: true });
    this.shown = '';
    this.report.querySelector('select').value = '';
    run(this.game, this.session);
  }

  async show() {
    const parameters = address();
    const report = parameters.get('report') ?? '';
    const sql = report ? null : parameters.get('sql');
    changed = () => this.update();
    const shape = Object.keys(PLAIN).map((name) => parameters.get(name)).join();
    if (shape !== this.shape) [this.shape, this.drawn] = [shape, null];
    this.report.querySelector('select').value = report;
    if (report !== this.shown) {
      this.shown = report;
      if (report) {
        await this.answer(report).catch((error) => {
          this.shown = undefined; // Try again next time.
          throw error;
        });
      }
    }
    if (this.server && sql !== null && (sql !== this.session.last || this.session.answer?.report)) { // A link shows its answer.
      this.session.sql = this.box.value = sql;
      run(this.game, this.session);
    }
    this.update();
  }

  hide() {
    changed = () => {};
    this.shown = undefined; // What ran meanwhile is shown when the reader comes back.
  }

  /** Show a report's answer as the result, and put its SQL into the box, to be changed. */
  async answer(name) {
    if (this.session.answer?.report === name && !this.session.running) return; // The text in the box may be changed already.
    drop(this.session);
    if (!this.game.reports.some((each) => each.name === name)) {
      Object.assign(this.session, { answer: null, message: t('sql.unknown', { report: name }) });
      return;
    }
    const { question, grain, sql, columns, rows } = await this.game.document(`reports/${name}.json`);
    if (this.shown !== name) return;
    this.session.sql = this.box.value = sql;
    Object.assign(this.session, { message: null, answer: { report: name, question, grain, columns, rows } });
  }

  /** Show what the session holds. */
  update() {
    const { running, message, answer } = this.session;
    setOff(this.run, Boolean(running));
    setOff(this.cancel, !running);
    this.clock.textContent = running ? t('sql.running', { seconds: seconds(running.since) }) : '';
    if (this.error.textContent !== (message ?? '')) this.error.textContent = message ?? '';
    this.error.hidden = !message;
    if (this.drawn === answer) return;
    this.drawn = answer;
    this.result.replaceChildren(...(answer ? drawAnswer(answer) : []));
  }
}

/** Cancel the statement that runs: something else was requested. */
function drop(session) {
  session.running?.abort.abort();
  session.running = null;
}

/** Have the server run the text in the box on a game; one statement at a time, the last one. */
async function run(game, session) {
  drop(session);
  if (!session.sql.trim()) {
    session.message = t('sql.empty');
    changed();
    return;
  }
  const abort = new AbortController();
  const running = { abort, since: performance.now() };
  const timer = setInterval(() => changed(), TICK);
  Object.assign(session, { running, last: session.sql, message: null });
  changed();
  const outcome = await ask(game, session.sql, abort.signal).then(
    (answer) => ({ answer: { ...answer, seconds: seconds(running.since) } }),
    (error) => ({ answer: null, message: abort.signal.aborted ? t('sql.cancelled', { seconds: seconds(running.since) }) : error.status === 0 ? t('sql.unreachable') : sentenceFor(error) }));
  clearInterval(timer);
  if (session.running !== running) return; // There is a later request.
  Object.assign(session, outcome, { running: null });
  if (outcome.answer) announce(t('sql.answer', { rows: number(outcome.answer.rows.length) }));
  changed();
}

/** The answer to a statement; throws an Error with the server's sentence, or as `request` does. */
async function ask(game, sql, signal) {
  const response = await request(`api/v2/${game.path('sql')}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sql }), signal,
  });
  if (!response.ok) throw new Error(await sentenceOf(response));
  const answer = await answered(response.text().then((text) => JSON.parse(text, keepLong)));
  if (!answer.columns.every || !answer.rows.every(Array.isArray)) throw new TypeError('no rows');
  return answer;
}

/** Whole numbers too long for JavaScript stay as they were written, where the browser gives the source. */
const keepLong = (_, value, context) =>
  (Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source ? context.source : value);

const seconds = (since) => ((performance.now() - since) / 1000).toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Describe all tables of a game. `look(name)` is called when the reader wants to query one; without it there is no such button. */
async function drawTables(game, look) {
  const tables = await game.document('tables.json');
  return tables.map((each) => drawTable(each, game.path('tables/'), look));
}

function drawTable({ name, description, schema, files }, base, look) {
  const sum = (what) => files.reduce((all, file) => all + file[what], 0);
  const references = new Map((schema.foreignKeys ?? []).map(({ fields, reference }) => [fields[0], reference]));
  const caption = t('sql.columns', { name });
  const about = t('sql.table', { rows: number(sum('rows')), size: sizeOf(sum('bytes')), files: number(files.length) });
  return el('details', { class: 'schema', dataset: { table: name } },
    el('summary', {}, el('code', {}, name), ' ', el('span', { class: 'soft' }, about)),
    el('p', { lang: language() === 'en' ? null : 'en' }, description),
    el('p', { class: 'files' }, files.map((file) => [
      el('a', { href: `api/v2/${base}${file.path}`, download: file.path.replaceAll('/', '-'), title: sizeOf(file.bytes) }, file.path), ' ',
    ])),
    look && el('p', {}, button(t('sql.look'), () => look(name))),
    wide(caption,
      table(caption, ['column', 'type', 'null', 'meaning'].map((each) => t(`sql.${each}`)), schema.fields.map((field) => [
        el('span', {}, el('code', {}, field.name), schema.primaryKey?.includes(field.name) && [' ', el('span', { class: 'badge' }, t('sql.key'))]),
        field.arrowType, field.constraints?.required ? '' : t('sql.may'), meaningOf(field, references.get(field.name)),
      ]))));
}

/** What a column means, and the column whose values it has. */
const meaningOf = ({ description }, reference) => el('span', {},
  el('span', { lang: language() === 'en' ? null : 'en' }, description),
  reference && el('span', { class: 'soft' }, ` (${t('sql.refers', { table: reference.resource, column: reference.fields[0] })})`));

/** A number of bytes in few characters. */
const sizeOf = (bytes) => (bytes < 10_000 ? t('sql.bytes', { bytes: number(bytes) }) : t('sql.kilobytes', { kilobytes: number(Math.round(bytes / 1000)) }));
