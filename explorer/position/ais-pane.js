// What each AI plays in the position shown.

import { el, wide } from '../elements/dom.js';
import { reasonOf } from '../elements/latest.js';
import { linkTo } from '../state/address.js';
import { addTexts, natural, percent, t } from '../words/i18n.js';
import { inLanguage } from '../words/japanese.js';
import { cellName } from '../words/moves.js';

addTexts({
  'ais.caption': ['What each AI may play here; a wavy line marks what gives something away', '各 AI がここで選びうる着手（波線は悪手）'], 'ais.ai': ['AI', 'AI'],
  'ais.family': ['family', '種類'], 'ais.plays': ['may play', '候補'], 'ais.rule': ['rule', '手の選び方'],
  'ais.over': ['The game is over: there is no move.', '対局は終わっているので、着手はありません。'], 'ais.asking': ['Asking…', '問い合わせ中…'],
  'ais.chance': ['{cell} ({chance})', '{cell}（{chance}）'], 'ais.audit': ['blunders of {ai}', '{ai} の悪手'], 'ais.bad': ['{move}, which gives something away', '{move}（悪手）'],
});

const AT_ONCE = 4; // AIs that are asked at a time

/** Make the pane; see panes.js. */
export function create(game) {
  const place = wide(t('ais.caption'));
  const about = new Map(game.ais.map((row) => [row.ai, row]));
  const names = game.opponents.toSorted(natural);
  let drawn = null;
  return {
    element: el('section', { class: 'ais-pane' }, place),
    show({ here }) {
      if (drawn === here) return;
      drawn = here;
      if (!here.turn) {
        place.replaceChildren(el('p', { class: 'soft' }, t('ais.over')));
        return;
      }
      const cells = names.map(() => el('td', { class: 'soft' }, t('ais.asking')));
      place.replaceChildren(drawTable(game, about, names, cells));
      const waiting = [...names.entries()];
      const ask = async () => {
        for (let next = waiting.shift(); next && drawn === here; next = waiting.shift()) {
          const [index, name] = next;
          const content = await game.choices(name, here).then((found) => drawChoice(game, here, found)).catch((error) => [reasonOf(error)]);
          if (drawn === here) cells[index].replaceChildren(...content);
        }
      };
      for (let lane = 0; lane < AT_ONCE; lane += 1) ask(); // The table is there before the answers.
    },
  };
}

function drawTable(game, about, names, cells) {
  const heads = ['ai', 'plays', 'family', 'rule'].map((name) => el('th', { scope: 'col' }, t(`ais.${name}`)));
  return el('table', { class: 'choices' }, el('caption', {}, t('ais.caption')), el('thead', {}, el('tr', {}, heads)),
    el('tbody', {}, names.map((name, index) => {
      const row = about.get(name);
      const rule = row ? inLanguage('ai', name, row.rule) : '';
      const label = row && game.panes.includes('leaderboard')
        ? el('a', { ...linkTo({ pane: 'leaderboard', part: 'blunders', ai: name }), 'aria-label': t('ais.audit', { ai: name }) }, name) : name;
      return el('tr', { dataset: { ai: name } }, el('th', { scope: 'row' }, label), cells[index],
        el('td', { class: 'family' }, row ? inLanguage('family', row.family, row.family) : ''), el('td', { class: 'rule', lang: row && rule === row.rule ? 'en' : null }, rule));
    })));
}

/** The candidates of an AI: each with its chance if they differ. */
function drawChoice(game, here, found) {
  const candidates = found.filter((each) => each.is_candidate);
  const isEven = candidates.every(({ probability }) => probability === candidates[0].probability);
  return candidates.flatMap(({ move, probability }, index) => {
    const { loss } = here.moves.find((each) => each.move === move);
    const text = isEven ? cellName(game, move) : t('ais.chance', { cell: cellName(game, move), chance: percent(probability) });
    const shown = el('span', { class: loss ? 'blunder' : null, 'aria-label': loss ? t('ais.bad', { move: text }) : null, role: loss ? 'img' : null }, text);
    return index ? [' ', shown] : [shown];
  });
}
