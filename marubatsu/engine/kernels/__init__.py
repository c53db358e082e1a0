"""Compiled searches: exact values of large games, the readable search in bulk, techniques.

Their scales differ. Of a win, in the view of the side to move; a loss is the negative, a draw 0:

- `exact_kernel`: ``cells + 1 - e`` with mark number e, so that earlier wins are greater
- `window_kernel`: 2, so that a window may lie between two scores
- `search_kernels`: any number, such as 1, `score_sv`, or the evaluation of an AI
- `proof_number` and `uct`: yes or no; a reward of 1, where a draw is 1/2 and a loss 0

Tables have the ``score`` 1 for circle and -1 for cross, solutions 64 - n for a win in n plies: see
`engine.large.values`. Results of searches are scores of tables.
"""
