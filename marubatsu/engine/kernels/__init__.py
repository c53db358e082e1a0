"""Compiled searches: exact values of large games, the readable search in bulk, techniques.

Their scales of values differ:

- `exact_kernel`: the side to move wins with mark number e: ``cells + 1 - e``; a loss is the
  negative, a draw 0
- `window_kernel`: the side to move wins 2, draws 0, loses -2, so that a window may lie between
- `search_kernels`: any number, such as ``score_sv`` or an evaluation; leaves are the mover's view,
  windows and results circle's
- `tree_searches`: proofs say yes or no; in UCT the side that moved last gets 2 for a win, 1 for a
  draw, 0 for a loss

Tables have the ``score`` 1 for circle and -1 for cross, solutions 64 - n for a win in n plies: see
`engine.large.values`.
"""
