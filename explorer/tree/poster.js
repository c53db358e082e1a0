// The poster: every position of a game once, up to symmetry, as a picture. The empty board is in the
// middle, each ply is a ring around it, and lines lead to what each move makes; best moves stand out.
// In the page it has the colours of the page; as a file of its own, those that it brings along.

import { svg } from '../elements/dom.js';
import { CELL, OUTLINES } from '../elements/drawing.js';
import { breathe } from '../elements/latest.js';
import { fullLines } from '../words/moves.js';

const SIDES = [170, 120, 96, 76, 60, 50, 46, 46, 54, 68]; // pixels of a board, by ply
const APART = 1.18; // from one board of a ring to the next, in boards
const BETWEEN = 64; // pixels between two rings, for the lines
const MARGIN = 90;
const HEAD = 200; // pixels for title and legend
const SWEEPS = 30; // how often each ring is put in the order of the rings next to it
const TURNS = 60; // parts of a line that leads once around the middle
const OUTCOMES = ['lost', 'drawn', 'won']; // by score, from -1

const STYLE = `
  .poster { background: var(--paper, #fdfdfb); font-family: system-ui, -apple-system, "Hiragino Sans", "Noto Sans CJK JP", sans-serif; }
  .poster .sheet { fill: var(--paper, #fdfdfb); }
  .poster text { fill: var(--ink, #1c2430); }
  .poster .small { fill: var(--soft, #586274); }
  .poster .won { --outcome: var(--won, #1d5fc4); } .poster .drawn { --outcome: var(--drawn, #5b6472); } .poster .lost { --outcome: var(--lost, #b93c0a); }
  .poster .way { fill: none; stroke: var(--outcome); stroke-width: .8; opacity: .13; }
  .poster .way.best { stroke-width: 1.8; opacity: .6; }
  .poster .box { fill: var(--paper, #fdfdfb); stroke: var(--outcome); stroke-width: 5; }
  .poster .tint { fill: var(--outcome); opacity: .16; }
  .poster .over .tint { opacity: .5; }
  .poster .lines { fill: none; stroke: var(--edge, #7d8694); stroke-width: 1; }
  .poster .circles { fill: none; stroke: var(--o, #1d5fc4); stroke-width: 5; }
  .poster .crosses { fill: none; stroke: var(--x, #b93c0a); stroke-width: 5; }
  .poster .strike { fill: none; stroke: var(--ink, #1c2430); stroke-width: 4; stroke-linecap: round; }
`;

/**
 * The classes of the records of a game by ply: { record, place, parents, children }, where children are
 * { to, isBest }. A class is shown by its first position.
 */
function ringsOf(records) {
  const byClass = new Map();
  for (const record of records) if (!byClass.has(record.class)) byClass.set(record.class, { record, at: 0, radius: 0, parents: [], children: [] });
  const rings = [];
  for (const node of byClass.values()) {
    const { record } = node;
    (rings[record.ply] ??= []).push(node);
    const best = new Map();
    record.children.forEach((child, index) => {
      const to = byClass.get(records[child].class);
      best.set(to, best.get(to) || record.best_moves.includes(record.moves[index]));
    });
    for (const [to, isBest] of best) {
      node.children.push({ to, isBest });
      to.parents.push({ to: node, isBest });
    }
  }
  return rings;
}

/** Put the nodes of each ring near to those that lines join them with; `at` is from 0 to 1. */
async function arrange(rings) {
  for (const ring of rings) spread(ring, 0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const ring of [...rings, ...rings.toReversed()]) {
      settle(ring);
      await breathe();
    }
  }
}

/** Sort a ring by the middle of the neighbours of its nodes, and turn it as near to these as can be. */
function settle(ring) {
  const wanted = new Map(ring.map((node) => [node, middleOf([...node.parents, ...node.children], node.at)]));
  ring.sort((one, other) => wanted.get(one) - wanted.get(other));
  const off = ring.map((node, index) => wanted.get(node) - index / ring.length);
  spread(ring, middleOf(off.map((at) => ({ to: { at }, isBest: false })), 0));
}

const spread = (ring, start) => ring.forEach((node, index) => { node.at = (((start + index / ring.length) % 1) + 1) % 1; });

/** The middle of some places on a circle; best moves draw more than others. */
function middleOf(neighbours, usual) {
  let [x, y] = [0, 0];
  for (const { to: { at }, isBest } of neighbours) {
    x += (isBest ? 3 : 1) * Math.cos(2 * Math.PI * at);
    y += (isBest ? 3 : 1) * Math.sin(2 * Math.PI * at);
  }
  return Math.hypot(x, y) < 1e-9 ? usual : (Math.atan2(y, x) / (2 * Math.PI) + 1) % 1;
}

/** Set how far from the middle each node is: rings have several rows where there are many boards. */
function place(rings) {
  let edge = sideOf(0) / 2; // of the ring before
  for (const [ply, ring] of rings.entries()) {
    const step = sideOf(ply) * APART;
    const inner = ply ? edge + BETWEEN + step / 2 : 0;
    const rows = Math.max(1, Math.round((ring.length * step) / (2 * Math.PI * inner || Infinity)));
    const radius = Math.max(inner, ply && (ring.length * step) / (2 * Math.PI * rows));
    ring.forEach((node, index) => { node.radius = radius + step * (index % rows); });
    edge = radius + step * (rows - 0.5);
  }
  return edge;
}

const sideOf = (ply) => SIDES[Math.min(ply, SIDES.length - 1)];

/** Draw the poster of a game: its records, and the texts { title, facts, legend: { won, drawn, lost } }. */
export async function drawPoster(game, records, { title, facts, legend }) {
  const rings = ringsOf(records);
  await arrange(rings);
  const middle = place(rings) + MARGIN;
  const pointAt = (at, radius) => [middle + radius * Math.sin(2 * Math.PI * at), middle + HEAD - radius * Math.cos(2 * Math.PI * at)];
  const nodes = rings.flat();
  const ways = nodes.flatMap((node) => node.children.map(({ to, isBest }) => ({ outcome: OUTCOMES[to.record.score + 1], isBest, d: wayBetween(node, to, pointAt) })));
  const wayOf = (outcome, isBest) => svg('path', {
    class: `way ${outcome}${isBest ? ' best' : ''}`, d: ways.filter((way) => way.outcome === outcome && way.isBest === isBest).map(({ d }) => d).join(''),
  });
  const boxes = [];
  for (const node of nodes) {
    boxes.push(drawBox(game, node.record, pointAt(node.at, node.radius)));
    await breathe();
  }
  return svg('svg', { class: 'poster', viewBox: `0 0 ${Math.ceil(2 * middle)} ${Math.ceil(2 * middle + HEAD)}`, role: 'img', 'aria-label': `${title}. ${facts}` },
    svg('style', {}, STYLE), svg('rect', { class: 'sheet', width: '100%', height: '100%' }),
    svg('text', { x: MARGIN, y: 130, 'font-size': 76, 'font-weight': 700 }, title),
    svg('text', { class: 'small', x: MARGIN, y: 190, 'font-size': 36 }, facts),
    svg('text', { class: 'small', x: 2 * middle - MARGIN, y: 2 * middle + HEAD - MARGIN, 'font-size': 36, 'text-anchor': 'end' }, 'marubatsu'),
    drawLegend(legend, MARGIN, 2 * middle + HEAD - 190),
    [false, true].flatMap((isBest) => OUTCOMES.map((outcome) => wayOf(outcome, isBest))),
    boxes);
}

/** A line from a node to another that turns around the middle as it leads outwards. */
function wayBetween(from, to, pointAt) {
  const turn = ((to.at - from.at + 1.5) % 1) - 0.5;
  const steps = 2 + Math.ceil(Math.abs(turn) * TURNS);
  const points = Array.from({ length: steps + 1 }, (_, step) => {
    const share = step / steps;
    const eased = share * share * (3 - 2 * share);
    return pointAt(from.at + turn * eased, from.radius + (to.radius - from.radius) * share);
  });
  return `M${points.map(pointText).join('L')}`;
}

const pointText = (point) => point.map((each) => each.toFixed(1)).join(' ');

const drawLegend = (texts, x, y) => svg('g', { transform: `translate(${x} ${y})` }, OUTCOMES.toReversed().map((outcome, index) => svg('g', { class: outcome, transform: `translate(0 ${56 * index})` },
  svg('rect', { class: 'box', width: 34, height: 34, rx: 5 }), svg('rect', { class: 'tint', width: 34, height: 34, rx: 5 }), svg('text', { x: 52, y: 29, 'font-size': 32 }, texts[outcome]))));

/** The board of a record, in the colour of who wins; a line through marks is what ended the game. */
function drawBox(game, record, middle) {
  const [{ columns, rows }, { board, ply, score, turn }] = [game, record];
  const [wide, high] = [CELL * columns, CELL * rows];
  const scale = sideOf(ply) / Math.max(wide, high);
  const corner = pointText([middle[0] - (wide * scale) / 2, middle[1] - (high * scale) / 2]);
  const cornerOf = (cell) => [CELL * (cell % columns), CELL * Math.floor(cell / columns)];
  const marks = (mark) => [...board].map((each, cell) => {
    const [left, top] = cornerOf(cell);
    return each === mark ? OUTLINES[mark](left, top) : '';
  }).join('');
  const across = Array.from({ length: rows - 1 }, (_, row) => `M0 ${CELL * (row + 1)}h${wide}`);
  const down = Array.from({ length: columns - 1 }, (_, column) => `M${CELL * (column + 1)} 0v${high}`);
  const strike = fullLines(game, record).map((line) => `M${[line[0], line.at(-1)].map((cell) => pointText(cornerOf(cell).map((each) => each + CELL / 2))).join('L')}`);
  return svg('g', { class: `${OUTCOMES[score + 1]}${turn ? '' : ' over'}`, transform: `translate(${corner}) scale(${scale.toFixed(4)})`, dataset: { board } },
    ['box', 'tint'].map((name) => svg('rect', { class: name, width: wide, height: high, rx: 4 })),
    svg('path', { class: 'lines', d: [...across, ...down].join('') }),
    svg('path', { class: 'circles', d: marks('o') }), svg('path', { class: 'crosses', d: marks('x') }),
    strike.length > 0 && svg('path', { class: 'strike', d: strike.join('') }));
}
