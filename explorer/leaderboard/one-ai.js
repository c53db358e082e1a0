// All about one AI: of ours its verdicts, how it loses, its blunders; of one that is not ours, from a file
// of the reader, all that the file says.

import { alignHeads, announce, choice, el, facts, fileInput, table, wide } from '../elements/dom.js';
import { drawBoard } from '../elements/drawing.js';
import { go, linkTo } from '../state/address.js';
import { addTexts, figure, language, natural, number, t } from '../words/i18n.js';
import { cellName, lineText } from '../words/moves.js';
import { atBlunder, exactly, growing, heat, sentence, toBoard } from './audit-pieces.js';
import { readAudit } from './audit-reading.js';
import { droppedOf, faults, isDropped, isJudged, judged, keep, keyOf, nameOf, ofClasses } from './judged.js';
import { verdictPairs } from './verdicts.js';

addTexts({
  'audit.puzzles': ['Beat {ai}: its blunders as puzzles', '{ai} に勝つ：悪手を問題として解く'], 'audit.among': ['See it among the built-in AIs', '付属の AI と並べて見る'],
  'audit.gone': ['The audit of {ai} is gone, because the page was reloaded: drop its file again.', 'ページを読み直したため、{ai} の検証結果は消えました。もう一度ファイルをドロップしてください。'],
  'audit.ai': ['AI', 'AI'], 'audit.ply': ['Ply', '手数'], 'audit.all': ['all', 'すべて'], 'audit.unknown': ['The tables have no AI {ai}.', '{ai} という AI はテーブルにありません。'],
  'audit.gallery': ['Blunders, in one position of each class', '悪手の一覧（対称形のグループごとに一つの局面）'],
  'audit.count': ['{shown} of {all} {all|blunder|blunders}', '悪手 {all} 件中 {shown} 件'], 'audit.none': ['No blunder in the positions that it was asked about.', '質問した局面に悪手はありません。'],
  'audit.after': ['plays', '着手'], 'audit.instead': ['best', '最善手'], 'audit.loses': ['{before} → {after}', '{before} → {after}'],
  'audit.chance': ['ply {ply}, chance {chance}\u00a0%', '手数 {ply}、確率 {chance}\u00a0%'], 'audit.open': ['On the board', '盤面で見る'],
  'audit.replay': ['Replay on the board', '盤面で再生する'], 'audit.turn.circle': ['Circle', '〇'], 'audit.turn.cross': ['Cross', '×'], 'audit.turn.total': ['both sides', '両方'],
  'audit.board.after': ['{turn} blunders at {cell}: {board}', '{turn}の悪手 {cell}：{board}'],
  'audit.board.best': ['Best here: {cells}; {board}', 'ここでの最善手 {cells}：{board}'], 'audit.byply': ['Blunders by ply', '手数ごとの悪手'],
  'audit.critical': ['positions with a wrong move', '悪手のある局面'], 'audit.wrong': ['where it goes wrong', '間違える局面'],
  'audit.wonlost': ['where it loses a won game', '勝ちを負けにする局面'], 'audit.mean': ['mean chance to go wrong', '間違える確率の平均'],
  'audit.refutations': ['How it loses', '負け方'], 'audit.refuted.circle': ['As circle, after {length} {length|move|moves}', '〇のとき（{length} 手）'],
  'audit.refuted.cross': ['As cross, after {length} {length|move|moves}', '×のとき（{length} 手）'],
  'audit.unbeaten': ['It cannot be beaten from the empty board.', '空の盤面から始めて、この AI に勝つ方法はありません。'],
  'audit.open.weak': ['The audit does not decide whether it can be beaten from the empty board.', '空の盤面から始めて勝つ方法があるかどうかは、この検証ではわかりません。'],
  'audit.badline': ['This line is not one of the game.', 'この手順はこのゲームでは打てません。'], 'audit.step': ['Move {at}, {cell}: {board}', '{at} 手目、{cell}：{board}'],
  'audit.start': ['The empty board', '空の盤面'], 'audit.choose': ['The JSON of an audit', '検証結果の JSON ファイル'],
  'audit.drop': ['Drop a file here, anywhere on the page, or choose one. It stays on your machine. It is written by:', 'ページ上にファイルをドロップするか、選択してください。ファイルは外部に送信されません。作り方：'],
  'audit.read': ['Read the audit of {ai}.', '{ai} の検証結果を読み込みました。'], 'audit.asked': ['questions asked', '質問の数'], 'audit.positions': ['positions', '局面の数'],
  'audit.unanswered': ['positions without a valid answer', '有効な答えのない局面'], 'audit.repeats': ['questions about each position', '局面ごとの質問の数'],
  'audit.couldread': ['could read the answers, because', '答えを読むことができた理由'],
  'audit.notjudged': ['It is not judged, because it gave no valid answer in any position.', 'どの局面でも有効な答えがなかったので、判定しません。'],
  'audit.findings': ['Findings: what it did and should not', '見つかった問題'], 'audit.nofindings': ['Findings: none.', '見つかった問題：なし。'],
  'audit.finding': ['finding', '問題'], 'audit.times': ['times', '回数'], 'audit.first': ['first at', '最初に見つかった局面'], 'audit.detail': ['detail', '詳細'],
  'audit.against': ['Matches, exactly', '対戦（厳密な値）'], 'audit.games': ['Matches, in games that were played', '対戦（実際に打った対局）'], 'audit.opponent': ['opponent', '相手'], 'audit.side': ['side', '手番'],
  'audit.win': ['wins', '勝ち'], 'audit.draw': ['draws', '引き分け'], 'audit.lose': ['loses', '負け'],
});

const MOST = 60; // rows of what does not grow

const settings = { ply: '' }; // Whose blunders are shown; kept when the language or the view changes.

/** A choice of AIs, and all about the selected one. */
export async function makeBlunders(game) {
  const place = el('div');
  const names = (await judged(game)).map(({ key, ai, is_foreign: isForeign, family }) => [key, isForeign ? `${ai} (${family})` : ai]);
  const picker = choice(t('audit.ai'), names.sort(([one], [other]) => natural(one, other)), '', (ai) => go({ ai, part: 'blunders' }));
  let shown = null;
  const update = async (ai) => {
    if (shown === ai) return;
    shown = ai;
    picker.querySelector('select').value = ai;
    const inside = await about(game, ai).catch((error) => {
      shown = null; // Try again next time.
      throw error;
    });
    if (shown === ai) place.replaceChildren(...inside); // Else another AI was selected meanwhile.
  };
  return { element: el('div', {}, picker, place), update };
}

async function about(game, ai) {
  const audit = droppedOf(game).find((each) => keyOf(each) === ai);
  if (audit) return drawAudit(game, audit);
  const row = (await judged(game)).find(({ key }) => key === ai);
  if (!row) return [el('p', { class: 'error', role: 'alert' }, t(isDropped(ai) ? 'audit.gone' : 'audit.unknown', { ai: nameOf(ai) }))];
  const { blunders, byPly, refuted } = (await faults(game))(ai);
  return [
    sentence('p', row.rule, row.english),
    blunders.length > 0 && game.opponents.includes(ai) && el('p', {}, el('a', linkTo({ part: 'puzzles', ai }), t('audit.puzzles', { ai }))),
    el('div', { class: 'columns' }, el('div', {}, facts(verdictPairs(row))), plyTable(byPly)),
    ...await refutations(game, refuted), ...gallery(game, blunders),
  ].filter(Boolean);
}

/** A place for files: `take(file)` reads one, keeps it and shows it. */
export async function makeFile(game) {
  const message = el('p', { class: 'error', role: 'alert', hidden: true });
  const place = el('div');
  const show = async (audit) => place.replaceChildren(...(audit ? await drawAudit(game, audit) : []));
  const take = async (file) => {
    message.hidden = true;
    try {
      const audit = await readAudit(game, file);
      keep(audit);
      await show(audit);
      announce(t('audit.read', audit));
    } catch (error) {
      place.replaceChildren();
      message.textContent = error.message;
      message.hidden = false;
    }
  };
  await show(droppedOf(game).at(-1));
  return {
    element: el('div', {},
      el('div', { class: 'drop' }, el('p', {}, t('audit.drop'), ' ', el('code', {}, 'marubatsu audit FILE.py:NAME --format json > audit.json')),
        el('label', { class: 'field' }, el('span', {}, t('audit.choose')), fileInput('.json,application/json', take))),
      message, place),
    take,
  };
}

/** All that a file says. */
async function drawAudit(game, audit) {
  const { verdicts } = audit;
  const verdict = isJudged(verdicts) ? facts(verdictPairs(verdicts)) : el('p', {}, t('audit.notjudged'));
  return [
    el('h2', {}, audit.ai, ' ', el('span', { class: 'badge' }, t('audit.foreign'))),
    el('p', {}, el('a', linkTo({ part: null }), t('audit.among'))),
    el('div', { class: 'columns' },
      el('div', {}, verdict, facts([
        [t('audit.asked'), number(audit.asked)], [t('audit.positions'), number(audit.examined)],
        [t('audit.unanswered'), number(audit.without_answer)], [t('audit.repeats'), number(audit.repeats)],
        ...(audit.could_read_answers === null ? [] : [[t('audit.couldread'), audit.could_read_answers]]),
      ])),
      isJudged(verdicts) && plyTable(audit.blunders_by_ply.slice(0, MOST))),
    ...drawFindings(audit.findings),
    ...(!isJudged(verdicts) ? [] : [
      ...await refutations(game, audit.refutations.slice(0, MOST), verdicts.weakly_solved === null ? 'audit.open.weak' : 'audit.unbeaten'),
      ...gallery(game, ofClasses(audit.blunders)),
      ...drawMatches(audit.matches, t(Number.isFinite(verdicts.exploitability) ? 'audit.against' : 'audit.games')),
    ]),
  ];
}

/** A table that grows. */
function longTable(caption, headings, rows, draw) {
  const made = table(caption, headings, []);
  const [, more] = growing(made.tBodies[0], rows, (row) => el('tr', {}, draw(row)));
  alignHeads(made);
  return [wide(caption, made), more];
}

function drawFindings(findings) {
  if (!findings.length) return [el('p', {}, t('audit.nofindings'))];
  return longTable(t('audit.findings'), ['finding', 'times', 'first', 'detail'].map((each) => t(`audit.${each}`)), findings,
    ({ kind, count, board, detail }) => [el('th', { scope: 'row' }, kind), el('td', { class: 'number' }, number(count)), el('td', {}, board), el('td', { class: 'rule' }, detail)]);
}

/** Matches of a foreign AI, in the colours of the side that wins. */
function drawMatches(matches, title) {
  if (!matches.length) return [];
  const value = (row, each) => el('td', { class: 'number' }, exactly(row[each], row[`${each}_percent`]));
  return [el('h2', {}, title), ...longTable(title, ['opponent', 'side', 'win', 'draw', 'lose'].map((each) => t(`audit.${each}`)), matches, (row) => {
    const expected = (row.win_percent - row.lose_percent) * { circle: 1, cross: -1, total: 0 }[row.side];
    return [el('th', { scope: 'row' }, row.opponent), el('td', { class: 'heat', style: heat(expected) }, t(`audit.turn.${row.side}`)), ['win', 'draw', 'lose'].map((each) => value(row, each))];
  })];
}

// What an AI does wrong, ours or a foreign one: by ply, the lines by which it loses, its blunders.

function plyTable(rows) {
  const caption = t('audit.byply');
  return wide(caption, table(caption, [t('audit.ply'), t('audit.critical'), t('audit.wrong'), t('audit.wonlost'), t('audit.mean')],
    rows.map((row) => [row.ply, row.critical, row.wrong, row.loses_a_won_game,
      el('span', { class: 'number' }, `${figure(row.mean_chance_percent)} %`)])));
}

/** The lines by which an AI loses, as rows of boards; without any, the text `without`. */
async function refutations(game, rows, without = 'audit.unbeaten') {
  const lines = await Promise.all(rows.map(async ({ side, length, moves }) => {
    const path = await game.follow(moves);
    const boards = path?.map(({ board }, at) => drawBoard(game.columns, board, {
      size: 62, marked: at ? [moves[at - 1]] : [],
      label: at ? t('audit.step', { at, cell: cellName(game, moves[at - 1]), board }) : t('audit.start'),
    }));
    const name = t(`audit.refuted.${side}`, { length });
    if (!boards) return [el('h3', {}, name), el('p', {}, t('audit.badline'))];
    const link = el('a', toBoard({ start: null, line: lineText(game, moves, '.'), at: '0', hints: 'on' }), t('audit.replay'));
    return [el('h3', {}, name), wide(name, el('ol', { class: 'line' }, boards.map((board) => el('li', {}, board)))), el('p', {}, link)];
  }));
  return [el('h2', {}, t('audit.refutations')), rows.length ? lines : el('p', {}, t(without))].flat(2);
}

/** The blunders, filtered by ply. */
function gallery(game, blunders) {
  const title = el('h2', {}, t('audit.gallery'));
  if (!blunders.length) return [title, el('p', {}, t('audit.none'))];
  const plies = [...new Set(blunders.map((row) => String(row.ply)))].sort((a, b) => a - b);
  if (!plies.includes(settings.ply)) settings.ply = '';
  const place = el('div');
  const count = el('p', { class: 'soft', role: 'status' });
  const draw = () => {
    const rows = blunders.filter((row) => settings.ply === '' || String(row.ply) === settings.ply);
    const grown = (shown) => { count.textContent = t('audit.count', { shown: number(shown), all: number(rows.length) }); };
    place.replaceChildren(...growing(el('ul', { class: 'gallery' }), rows, (row) => blunderCard(game, row), grown));
  };
  draw();
  const filter = choice(t('audit.ply'), [['', t('audit.all')], ...plies.map((ply) => [ply, ply])], settings.ply,
    (ply) => { settings.ply = ply; draw(); });
  return [title, filter, count, place];
}

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
    el('a', toBoard(atBlunder(game, row)), t('audit.open')),
    el('strong', {}, t('audit.loses', { before: t(`leads.${row.score}`), after: t(`leads.${row.score_after}`) })),
    el('span', { class: 'soft' }, t('audit.chance', { ply: row.ply, chance: figure(row.chance_percent) })));
}
