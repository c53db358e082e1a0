// Nodes of the tree, { parent, move, position, cells }: how play came to a position. A node is
// identified by its cells, the line of play. Everything about its position comes from the documents.

/** The scores, and the best moves by each. */
export const BEST = { score: 'best_moves', score_sv: 'best_moves_sv', score_svrd: 'best_moves_svrd' };

/** The reader's settings; kept when the language or the view changes. */
export const settings = { score: 'score', shown: 'score', dims: true };

const makeNode = (parent, move, position) => ({ parent, move, position, cells: parent ? [...parent.cells, move] : [] });

export const keyOf = (node) => node.cells.join();

/** The nodes below a node, in the order of its moves. */
export async function below(game, node) {
  const positions = await game.children(node.position);
  return positions.map((position, index) => makeNode(node, node.position.moves[index], position));
}

/** The nodes along a line from the root, as far as its moves are possible. */
export async function walk(game, cells) {
  const nodes = [makeNode(null, null, await game.root())];
  for (const cell of cells) {
    const next = (await below(game, nodes.at(-1))).find(({ move }) => move === cell);
    if (!next) break;
    nodes.push(next);
  }
  return nodes;
}

/** Whether the move to a node is a best one by the selected score; nothing is better than the root. */
export const isBest = ({ parent, move }) => !parent || parent.position[BEST[settings.score]].includes(move);

/** The nodes after a node, some of them or all, when both sides play the first best move by the selected score. */
export async function continuation(game, node, most = Infinity) {
  const nodes = [];
  for (let here = node; here.position.moves.length && nodes.length < most; here = nodes.at(-1)) {
    nodes.push((await below(game, here)).find(isBest));
  }
  return nodes;
}

/** The cells of a line that leads to a position, found backwards from child to parent. */
export async function lineTo(game, position) {
  const cells = [];
  for (let here = position; here.ply > 0;) {
    const { position: sought } = here;
    here = (await game.ofPly(here.ply - 1)).find((each) => each.children.includes(sought));
    cells.unshift(here.moves[here.children.indexOf(sought)]);
  }
  return cells;
}

/** The line from the empty board to what a record shows: one that leads to its start, and its own moves. */
export const lineOf = async ({ game, start, cells, at }) => [...(start.ply ? await lineTo(game, await game.recordOf(start.board)) : []), ...cells.slice(0, at)];
