// A page of its own: it checks every value of a solved game in this browser, and says what it found.

import { answerAt } from '../answers/request.js';
import { announce, button, el } from '../elements/dom.js';
import { Latest } from '../elements/latest.js';
import { LANGUAGES, addTexts, language, number, setLanguage, t } from '../words/i18n.js';

addTexts({
  title: ['Don’t trust us', '自分で確かめる'], back: ['Back to {game}', '{game} に戻る'],
  intro: ['Your browser gets the values of {game} as one file. From the rules alone it derives each value from the values of the positions after it, up to the finished ones. No program of ours takes part but the one that you can read here:', '{game} の値をひとつのファイルとしてブラウザに読み込み、終局から順に、それぞれの値が次の局面の値から導けるかどうかを、ルールだけを使って確かめます。動くのは、ここで読める次のプログラムだけです：'],
  source: ['checker.js', 'checker.js'],
  own: ['Or a file of your own, of marubatsu export GAME --raw (also .gz):', 'marubatsu export GAME --raw で書き出したファイルも調べられます（.gz も可）：'],
  go: ['Check all {classes} classes yourself', '{classes} 個の同値類をすべて確かめる'], stop: ['Stop', '中止'],
  none: ['{game} has no solution here that a browser can check.', '{game} には、ブラウザで確かめられる解析結果がありません。'],
  choose: ['Choose a file of a solved game.', '解析済みのゲームのファイルを選んでください。'], reading: ['Reading the file…', 'ファイルを読み込んでいます…'],
  at: ['Ply {ply} of {plies}: {classes} classes follow', '{plies} 手中 {ply} 手目：{classes} 個の同値類を確認'], stopped: ['Stopped.', '中止しました。'],
  proved: ['All {classes} values follow from the rules.', '{classes} 個の値はすべてルールから導けます。'],
  found: ['For the side to move, {won} are won, {drawn} drawn, {lost} lost. It took {seconds} s in this browser.', '手番側から見て、勝ち {won}、引き分け {drawn}、負け {lost}。このブラウザで {seconds} 秒かかりました。'],
  wrong: ['A value does not follow.', 'ルールから導けない値があります。'], failed: ['The file cannot be read.', 'ファイルを読めません。'],
});

const parameters = new URLSearchParams(location.search);
const game = parameters.get('game');
const folder = new URL(`../api/v2/games/${encodeURIComponent(game ?? '')}/`, location.href);
const place = document.getElementById('proof');
let worker = null;

/** The facts of the game, or null where there is none. */
async function factsOf() {
  try {
    return game ? await answerAt(new URL('game.json', folder)) : null;
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

function show(facts) {
  const classes = facts?.proof?.classes;
  const result = el('div', {});
  const run = (source) => prove(source, result);
  const own = el('input', { type: 'file', onchange: () => own.files.length && run({ file: own.files[0] }) });
  place.replaceChildren(...[
    el('h1', {}, t('title')),
    game && el('p', {}, t('intro', { game }), ' ', el('a', { href: 'checker.js' }, t('source'))),
    el('p', {}, classes
      ? button(t('go', { classes: number(classes) }), () => run({ url: new URL('solution.raw.gz', folder).href }), { class: 'primary' })
      : game ? t('none', { game }) : t('choose')),
    result,
    el('p', {}, el('label', {}, t('own'), ' ', own)),
    game && el('p', {}, el('a', { href: `../index.html#game=${encodeURIComponent(game)}&lang=${language()}`, class: 'back' }, t('back', { game }))),
  ].filter(Boolean));
}

/** Let a worker check a file, and show how far it is and what it finds. */
function prove(source, result) {
  worker?.terminate();
  worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  const began = performance.now();
  const bar = el('progress', { 'aria-label': t('reading') });
  const line = el('p', {}, t('reading'));
  const end = (...elements) => {
    worker.terminate();
    result.replaceChildren(...elements);
    announce(elements[0].textContent);
  };
  result.replaceChildren(bar, line, button(t('stop'), () => end(el('p', {}, t('stopped')))));
  worker.onmessage = ({ data: { at, total, error, isLost, board } }) => {
    if (at) {
      [bar.max, bar.value] = [at.plies, at.ply + at.share];
      line.textContent = t('at', { ply: at.ply, plies: at.plies - 1, classes: number(at.classes) });
    } else if (total) {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const [classes, won, drawn, lost] = ['classes', 'won', 'drawn', 'lost'].map((each) => number(total.plies.reduce((sum, ply) => sum + ply[each], 0)));
      end(el('p', { class: 'verdict best' }, t('proved', { classes })), el('p', {}, t('found', { won, drawn, lost, seconds })));
    } else {
      const verdict = el('p', { class: 'verdict error' }, t(board === null ? 'failed' : 'wrong')); // A value has a board.
      end(verdict, isLost ? el('p', {}, t('latest.lost')) : el('p', { lang: 'en' }, error), ...(board === null ? [] : [el('p', { class: 'board' }, board)]));
    }
  };
  worker.onerror = () => end(el('p', { class: 'verdict error' }, t('failed')));
  worker.postMessage(source);
}

if (LANGUAGES.some(([code]) => code === parameters.get('lang'))) setLanguage(parameters.get('lang'));
document.documentElement.lang = language();
document.title = `${t('title')} | marubatsu`;
new Latest(place).take(factsOf, show);
