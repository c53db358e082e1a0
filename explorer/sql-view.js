// SQL of one's own over the tables, and the shipped reports as examples, where there is a server.

import { address, go } from './address.js';
import { ofGame, pathOf, sentenceOf } from './api.js';
import { button, choice, el, tell } from './dom.js';
import { addTexts, language, number, t } from './i18n.js';
import { inLanguage } from './japanese.js';

addTexts({
  en: {
    'sql.query': 'One statement of SQL that reads (Ctrl+Enter runs it)',
    'sql.run': 'Run', 'sql.cancel': 'Cancel', 'sql.help': 'How it is limited', 'sql.files': 'Download tables as Parquet', 'sql.sort': 'Sort by {column}', 'sql.limits': 'At most 1,000 rows and 10 MB, for at most 10 s and 500 MB of memory. The statement reads the tables only: no files, no network.',
    'sql.reports': 'Shipped reports', 'sql.report': 'choose one to see its answer', 'sql.grain': 'One row: {grain}.',
    'sql.unknown': 'There is no report {report}.',
    'sql.running': 'Running for {seconds} s', 'sql.cancelled': 'Cancelled after {seconds} s.', 'sql.empty': 'There is no statement yet.',
    'sql.unreachable': 'The server does not answer: is it still running?',
    'sql.result': 'Result of the query', 'sql.rows': '{rows} {rows|row|rows} in {seconds} s', 'sql.answer': '{rows} {rows|row|rows}',
    'sql.cut': 'The server left out the rows after these {rows}; this is not all of the answer.',
    'sql.more': 'Show more rows ({left} left)', 'sql.download': 'Download as CSV',
  },
  ja: {
    'sql.query': '読み取りだけの SQL 文を一つ（Ctrl+Enter で実行）',
    'sql.run': '実行', 'sql.cancel': '中止', 'sql.help': '制限について', 'sql.files': 'テーブルを Parquet でダウンロード', 'sql.sort': '{column} で並べ替え', 'sql.limits': '1,000 行、10 MB、10 秒、メモリ 500 MB までです。SQL 文が読めるのはテーブルだけで、ファイルとネットワークは使えません。',
    'sql.reports': '付属のレポート', 'sql.report': '選ぶと答えを表示します', 'sql.grain': '1 行の単位：{grain}',
    'sql.unknown': '{report} というレポートはありません。',
    'sql.running': '実行中：{seconds} 秒', 'sql.cancelled': '{seconds} 秒で中止しました。', 'sql.empty': 'SQL 文がまだありません。',
    'sql.unreachable': 'サーバーから応答がありません。起動しているか確認してください。',
    'sql.result': '問い合わせの結果', 'sql.rows': '{rows} 行（{seconds} 秒）', 'sql.answer': '{rows} 行',
    'sql.cut': 'サーバーは {rows} 行より後を省きました。答えの全部ではありません。',
    'sql.more': '続きの行を表示（残り {left} 行）', 'sql.download': 'CSV をダウンロード',
  },
});

const FIRST = {
  positions: 'select status, count(*)\nfrom positions\ngroup by status',
  solution: 'select score, count(*)\nfrom solution\ngroup by score',
};
const PARTED = ['solution', 'answers']; // tables whose files have other names
const AT_ONCE = 200; // rows put on the page at a time
const TICK = 100; // milliseconds between looks at the clock

// What the reader typed, what runs and what came back; kept when the language or the view changes.
const session = { sql: null, running: null, said: null, answer: null };
let changed = () => {};

/** Make the pane; see main.js. */
export function create(game) {
  session.sql ??= FIRST[game.tables.includes('positions') ? 'positions' : 'solution'];
  return new SqlView(game);
}

class SqlView {
  constructor(game) {
    this.game = game;
    this.box = el('textarea', {
      rows: 6, spellcheck: 'false', autocapitalize: 'off', class: 'sql-box',
      oninput: () => { session.sql = this.box.value; }, onkeydown: (event) => this.key(event),
    });
    this.box.value = session.sql;
    this.run = button(t('sql.run'), () => this.start());
    this.cancel = button(t('sql.cancel'), () => session.running?.abort.abort());
    this.clock = el('span', { role: 'timer' });
    this.said = el('p', { class: 'error', role: 'alert', hidden: true });
    this.result = el('div');
    this.help = el('p', { class: 'soft' }, t('sql.limits'));
    this.files = el('p', { class: 'files' });
    this.showFiles();
    this.report = choice(t('sql.reports'),
      [['', t('sql.report')], ...game.reports.map(({ name, question }) => [name, `${name}: ${inLanguage('question', name, question)}`])], '',
      (report) => go({ report, sql: null }));
    this.element = el('section', { class: 'sql-view' },
      el('div', { class: 'row' }, this.report),
      el('label', { class: 'field sql-field' }, el('span', {}, t('sql.query')), this.box),
      el('div', { class: 'row sql-controls' }, this.run, this.cancel, this.clock),
      el('details', {}, el('summary', {}, t('sql.help')), this.help),
      el('details', {}, el('summary', {}, t('sql.files')), this.files),
      this.said, this.result);
  }

  /** Link the tables that are one Parquet file each. */
  async showFiles() {
    const whole = this.game.tables.filter((name) => !PARTED.includes(name));
    const links = await Promise.all(whole.map(async (name) => {
      const file = `${name}.parquet`;
      return el('a', { href: `api/v2/${await pathOf(`tables/${file}`)}`, download: file }, file);
    }));
    this.files.replaceChildren(...links.flatMap((link) => [link, ' ']));
  }

  /** Examples go into the box; the reader runs them. */
  key(event) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.start();
  }

  /** Run what stands in the box; the address then names no report. */
  start() {
    go({ report: null, sql: session.sql }, { replace: true, quiet: true });
    this.shown = '';
    this.report.querySelector('select').value = '';
    run();
  }

  async show() {
    const parameters = address();
    const report = parameters.get('report') ?? '';
    changed = () => this.update();
    if (!report && parameters.has('sql') && session.sql !== parameters.get('sql')) session.sql = this.box.value = parameters.get('sql');
    this.report.querySelector('select').value = report;
    if (report !== this.shown) {
      this.shown = report;
      if (report) await this.answer(report);
    }
    this.update();
  }

  hide() {
    changed = () => {};
    this.shown = undefined; // What ran meanwhile is shown when the reader comes back.
  }

  /** Put a report's answer where results stand, and its SQL into the box, to be changed. */
  async answer(name) {
    if (session.answer?.report === name) return; // What stands in the box may be changed already.
    if (!this.game.reports.some((each) => each.name === name)) {
      Object.assign(session, { answer: null, said: t('sql.unknown', { report: name }) });
      return;
    }
    const { question, grain, sql, columns, rows } = await ofGame(`reports/${name}.json`);
    if (this.shown !== name) return;
    session.sql = this.box.value = sql;
    Object.assign(session, { said: null, answer: { report: name, question, grain, columns, rows } });
  }

  /** Show what the session holds. */
  update() {
    const { running, said, answer } = session;
    this.run.disabled = Boolean(running);
    this.cancel.disabled = !running;
    this.clock.textContent = running ? t('sql.running', { seconds: seconds(running.since) }) : '';
    if (this.said.textContent !== (said ?? '')) this.said.textContent = said ?? '';
    this.said.hidden = !said;
    if (this.drawn === answer) return;
    this.drawn = answer;
    this.result.replaceChildren(...(answer ? drawAnswer(answer) : []));
  }
}

/** Ask the server what stands in the box; one question at a time. */
async function run() {
  if (session.running) return;
  if (!session.sql.trim()) {
    session.said = t('sql.empty');
    changed();
    return;
  }
  const abort = new AbortController();
  const since = performance.now();
  const timer = setInterval(() => changed(), TICK);
  Object.assign(session, { running: { abort, since }, said: null });
  changed();
  try {
    session.answer = { ...await ask(session.sql, abort.signal), seconds: seconds(since) };
    tell(t('sql.answer', { rows: number(session.answer.rows.length) }));
  } catch (error) {
    session.answer = null;
    session.said = abort.signal.aborted ? t('sql.cancelled', { seconds: seconds(since) }) : error.message;
  }
  clearInterval(timer);
  session.running = null;
  changed();
}

/** The answer to a statement; throws an Error with the server's sentence. */
async function ask(sql, signal) {
  let response;
  try {
    response = await fetch(`api/v2/${await pathOf('sql')}`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sql }), signal,
    });
  } catch {
    throw new Error(t('sql.unreachable'));
  }
  if (!response.ok) throw new Error(await sentenceOf(response));
  return JSON.parse(await response.text(), keepLong);
}

/** Whole numbers too long for JavaScript stay as they were written, where the browser tells. */
const keepLong = (_, value, context) =>
  (Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source ? context.source : value);

const seconds = (since) => ((performance.now() - since) / 1000).toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The elements of an answer: what it is, a download, its table, a part at a time. */
function drawAnswer(answer) {
  const { report, question, grain, columns, rows, more } = answer;
  const count = number(rows.length);
  const title = question ? inLanguage('question', report, question) : t('sql.result');
  const body = el('tbody');
  let shown = rows; // In the order that the reader has chosen.
  const next = button('', () => {
    const from = body.rows.length;
    body.append(...shown.slice(from, from + AT_ONCE).map((row) => el('tr', {}, row.map(drawCell))));
    const left = rows.length - body.rows.length;
    next.hidden = !left;
    next.textContent = t('sql.more', { left: number(left) });
  });
  next.click();
  const heads = columns.map((each, index) => el('th', { scope: 'col' },
    button(each, () => sortBy(index), { class: 'sorter', title: t('sql.sort', { column: each }) })));
  const sortBy = (index) => {
    const sign = heads[index].getAttribute('aria-sort') === 'ascending' ? -1 : 1;
    heads.forEach((head, at) => head.setAttribute('aria-sort', at !== index ? 'none' : sign > 0 ? 'ascending' : 'descending'));
    shown = rows.toSorted((one, other) => sign * compare(one[index], other[index]));
    body.replaceChildren();
    next.click();
  };
  return [
    el('h2', { lang: title === question ? 'en' : null }, title),
    grain && el('p', { class: 'soft' }, t('sql.grain', { grain: inLanguage('grain', report, grain) })),
    more && el('p', { class: 'error', role: 'status' }, t('sql.cut', { rows: count })),
    el('div', { class: 'row' }, button(t('sql.download'), () => download(`${report ?? 'query'}.csv`, toCsv(columns, rows)))),
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title },
      el('table', {},
        el('caption', {}, report ? t('sql.answer', { rows: count }) : t('sql.rows', { rows: count, seconds: answer.seconds })),
        el('thead', {}, el('tr', {}, heads)), body)),
    next,
  ].filter(Boolean);
}

/** The order of two values of a column: nothing stands last. */
function compare(one, other) {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return typeof one === 'number' && typeof other === 'number' ? one - other : asText(one).localeCompare(asText(other), 'en', { numeric: true });
}

function drawCell(value) {
  if (value === null) return el('td', { class: 'soft' }, 'null');
  return el('td', { class: typeof value === 'number' ? 'number' : null }, asText(value));
}

/** A value as it stands in a table or a file: lists and records as JSON. */
const asText = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** CSV after RFC 4180: null is nothing, an empty text is "". */
function toCsv(columns, rows) {
  const quoted = (text) => (text === '' || /^\s|[",\r\n]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [columns, ...rows].map((row) => `${row.map((value) => (value === null ? '' : quoted(asText(value)))).join(',')}\r\n`).join('');
}

/** Hand a text to the reader as a file. */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
