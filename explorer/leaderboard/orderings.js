// What each move ordering costs alpha-beta, as a chart of bars and a table.

import { drawBars } from '../charts/charts.js';
import { choice, el, table, wide } from '../elements/dom.js';
import { addTexts, number, t } from '../words/i18n.js';
import { inLanguage } from '../words/japanese.js';
import { sentence, yesNo } from './audit-pieces.js';

addTexts({
  'audit.scope': ['Where', '対象'], 'audit.option.order_all': ['order every move', 'すべての手を並べ替える'],
  'audit.option.shortest_victory': ['shortest victory', '最短の勝利を優先'], 'audit.option.init_window': ['window at the root', 'ルートの窓'],
  'audit.option.use_table': ['table of positions', '置換表'], 'audit.options': ['Options of the search', '探索の設定'],
  'audit.bars': ['Nodes that alpha-beta searches, by move ordering', 'αβ法が調べるノード数（手の順序付けごと）'], 'audit.unordered': ['no ordering', '順序付けなし'],
  'audit.drawn': ['{ordering}, ties drawn ({runs} {runs|run|runs})', '{ordering}、同点は乱数で選択（{runs} 回）'], 'audit.nodes': ['nodes', 'ノード数'],
  'audit.median': ['{nodes} ({least} – {greatest})', '{nodes}（{least}～{greatest}）'], 'audit.published': ['published', '公表値'],
  'audit.publishednodes': ['{nodes}, published {published}', '{nodes}、公表値 {published}'], 'audit.ordering': ['ordering', '順序付け'], 'audit.agrees': ['agrees', '一致'],
  'audit.why': ['why', '理由'], 'audit.nosearch': ['No such search was counted.', 'この設定の探索は数えていません。'],
  'audit.legend': ['Bar: nodes counted here (the middle of all runs, the thin line from the least to the greatest). Upright mark: the published figure.', '棒：ここで数えたノード数（複数回のときは中央値、細い線は最小値から最大値まで）。縦線：公表値。'],
});

const OPTIONS = ['order_all', 'shortest_victory', 'init_window', 'use_table'];
const settings = { scope: null, options: {} }; // Kept when the language or the view changes.

export async function makeOrderings(game) {
  const rows = await game.rowsOf('orderings');
  const scopes = [...new Set(rows.map((row) => row.scope))];
  settings.scope ??= scopes[0];
  const place = el('div');
  const draw = () => {
    const selected = rows.filter((row) => row.scope === settings.scope && OPTIONS.every((option) => row[option] === Boolean(settings.options[option])));
    place.replaceChildren(...drawOrderings(selected.toSorted((a, b) => b.nodes - a.nodes)));
  };
  draw();
  return {
    element: el('div', {},
      el('div', { class: 'row' },
        choice(t('audit.scope'), scopes.map((scope) => [scope, inLanguage('scope', scope, scope)]), settings.scope, (scope) => { settings.scope = scope; draw(); }),
        el('fieldset', {}, el('legend', {}, t('audit.options')), OPTIONS.map((option) => el('label', {},
          el('input', { type: 'checkbox', checked: settings.options[option], onchange: ({ target }) => { settings.options[option] = target.checked; draw(); } }),
          t(`audit.option.${option}`))))),
      place),
  };
}

function drawOrderings(rows) {
  if (!rows.length) return [el('p', {}, t('audit.nosearch'))];
  const caption = t('audit.bars');
  return [
    el('h2', {}, caption),
    drawBars(caption, rows.map((row) => ({
      name: orderingOf(row), value: row.nodes, text: withPublished(number(row.nodes), row), title: withPublished(`${orderingOf(row)} ${nodesOf(row)}`, row),
      least: row.least, greatest: row.greatest, mark: row.published ?? undefined,
    }))),
    el('p', { class: 'soft' }, t('audit.legend')),
    wide(caption, table(caption, ['ordering', 'nodes', 'published', 'agrees', 'why'].map((each) => t(`audit.${each}`)), rows.map(cellsOf))),
  ];
}

const orderingOf = ({ ordering, is_random: isRandom, runs }) => {
  const name = ordering ?? t('audit.unordered');
  return isRandom ? t('audit.drawn', { ordering: name, runs: number(runs) }) : name;
};

const nodesOf = ({ least, nodes, greatest }) =>
  (least === greatest ? number(nodes) : t('audit.median', { nodes: number(nodes), least: number(least), greatest: number(greatest) }));

const withPublished = (nodes, { published }) => (published === null ? nodes : t('audit.publishednodes', { nodes, published: number(published) }));

const cellsOf = (row) => [
  orderingOf(row), el('span', { class: 'number' }, nodesOf(row)), el('span', { class: 'number' }, row.published === null ? '' : number(row.published)),
  row.agrees === null ? '' : yesNo(row.agrees), row.why === null ? '' : whyOf(row),
];

/** Why a figure differs from the published one; the same sentence for any number of runs. */
function whyOf({ why, runs }) {
  const text = inLanguage('why', why.replace(/\d+$/, '{runs}'), why).replace('{runs}', runs);
  return sentence('span', text, why, { class: 'why' });
}
