# %% [markdown] lang="en"
# # 3. Move ordering
#
# Alpha-beta finds the same score as minimax, and visits fewer nodes. How many fewer
# depends on the order in which it tries the moves. This notebook counts nodes: first
# with a search of your own, then with the orderings of the tutorial series.

# %% [markdown] lang="ja"
# # 3. 手の順序付け
#
# αβ法はミニマックス法と同じ評価値を求めますが、調べるノードは少なくて済みます。
# どれだけ減るかは、手を試す順序で決まります。
# このノートブックではノードの数を数えます。
# まず自分で書いた探索で、次に連載の順序付けを使って数えます。

# %%
from collections import Counter
from collections.abc import Callable

from matplotlib import pyplot as plt

import marubatsu as mb

plt.style.use("marubatsu.notebook")
LINES = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)

# %% [markdown] lang="en"
# ## Alpha-beta in twenty lines
#
# The **window** from alpha to beta holds the scores that can still matter. Circle
# raises alpha, cross lowers beta. When they meet, the remaining moves cannot change the
# result, and the search **cuts** them off. The function counts the nodes that it
# enters, by ply.

# %% [markdown] lang="ja"
# ## 20 行の αβ法
#
# α から β までの**窓**（window）は、結果に影響しうる評価値の範囲です。
# 〇は α を上げ、×は β を下げます。
# α が β 以上になると、残りの手を調べても結果は変わらないので、**枝刈り**します。
# 次の関数は、調べたノードを手数ごとに数えます。

# %%
Order = Callable[[str, list[int]], list[int]]


def alphabeta(
    board: str, order: Order, entered: Counter[int], alpha: int = -9, beta: int = 9
) -> int:
    """Return the score of a board in circle's view, and count the nodes by ply."""
    entered[9 - board.count(".")] += 1
    for mark, won in (("o", 1), ("x", -1)):
        if any(board[a] == board[b] == board[c] == mark for a, b, c in LINES):
            return won
    moves = [cell for cell in range(9) if board[cell] == "."]
    if not moves:
        return 0
    is_circle = len(moves) % 2 == 1
    best = -9 if is_circle else 9
    for move in order(board, moves):
        after = board[:move] + ("o" if is_circle else "x") + board[move + 1 :]
        found = alphabeta(after, order, entered, alpha, beta)
        if is_circle:
            best = max(best, found)
            alpha = max(alpha, best)
        else:
            best = min(best, found)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def ascending(board: str, moves: list[int]) -> list[int]:
    """Take the cells as they are numbered."""
    return moves


def centre_first(board: str, moves: list[int]) -> list[int]:
    """Take the centre, then corners, then edges."""
    return sorted(moves, key=[4, 0, 2, 6, 8, 1, 3, 5, 7].index)


def winning_first(board: str, moves: list[int]) -> list[int]:
    """Take first what wins or blocks, then the centre, the corners, the edges."""

    def completes(move: int) -> bool:
        lines = [sorted(board[cell] for cell in line) for line in LINES if move in line]
        return any(line in (sorted(".oo"), sorted(".xx")) for line in lines)

    return sorted(centre_first(board, moves), key=lambda move: not completes(move))


entered = {
    order.__name__: Counter[int]() for order in (ascending, centre_first, winning_first)
}
for order in (ascending, centre_first, winning_first):
    assert alphabeta("." * 9, order, entered[order.__name__]) == 0
nodes = {name: counted.total() for name, counted in entered.items()}
nodes

# %% [markdown] lang="en"
# The library counts the same 18,297 nodes for the ascending order. Minimax enters all
# 549,946.

# %% [markdown] lang="ja"
# 番号順なら、ライブラリで数えても同じ 18,297 ノードです。
# ミニマックス法は 549,946 ノードすべてを調べます。

# %%
assert mb.search("alphabeta").nodes == nodes["ascending"] == 18_297
assert mb.search("minimax").nodes == 549_946
assert nodes["winning_first"] == 2_521

tree = dict(
    mb.sql("select ply, count(*) from nodes group by ply order by ply").fetchall()
)

figure, axes = plt.subplots()
axes.plot(tree.keys(), tree.values(), "o-", color="C2", label="minimax: 549,946")
for name, colour in zip(entered, ("C0", "C1", "C3"), strict=True):
    heights = [entered[name][ply] for ply in range(10)]
    label = f"{name.replace('_', ' ')}: {nodes[name]:,}"
    axes.plot(range(10), heights, "o-", color=colour, label=label)
axes.set(
    title="Nodes that a search enters, by ply",
    xlabel="ply",
    yscale="log",
    xticks=range(10),
)
axes.legend()
plt.show()

# %% [markdown] lang="en"
# Sorting alone cuts the search from 18,297 nodes to 2,521. The order matters most near
# the root: a good first move gives a narrow window to everything after it.
#
# ## The orderings of the series
#
# In the series, the AIs order the moves: the move that the AI would choose comes first.
# How few nodes are possible? The view `least_nodes` derives the size of the smallest
# tree that proves the score: 1,452 nodes.

# %% [markdown] lang="ja"
# 手を並べ替えるだけで、調べるノードは 18,297 から 2,521 に減ります。
# 順序はルートに近いほど重要です。
# 最初に良い手を試すと、その後の窓がすべて狭くなるからです。
#
# ## 連載の順序付け
#
# 連載では、手の順序を AI で決めます。つまり、AI が選ぶ手を最初に試します。
# ノードはどこまで減らせるのでしょうか。
# ビュー `least_nodes` は、評価値を証明できる最小の木のノード数を求めます。
# 答えは 1,452 ノードです。

# %%
orderings = ["perfect", *(f"ai{number}s" for number in range(1, 15))]
counted = {each: mb.search("alphabeta", ordering=each).nodes for each in orderings}
counted = dict(sorted(counted.items(), key=lambda each: -each[1]))
((least,),) = mb.sql("select nodes from least_nodes where position = 0").fetchall()

figure, axes = plt.subplots(figsize=(8, 5))
colours = ["C1" if name == "perfect" else "C0" for name in counted]
bars = axes.barh(list(counted), counted.values(), color=colours)
axes.bar_label(
    bars, [f"{count:,}" for count in counted.values()], padding=4, fontsize=9
)
axes.axvline(least, color="C4", ls="--", label=f"least possible: {least:,}")
axes.set(title="Nodes of alpha-beta from the empty board", xticks=[])
axes.spines["bottom"].set_visible(False)
axes.legend()
plt.show()

assert (counted["ai1s"], counted["ai14s"], least) == (18_297, 1_496, 1_452)

# %% [markdown] lang="en"
# `ai14s` needs 44 nodes more than the least possible.
#
# ## Knowing everything is not enough
#
# Look at `perfect`: it knows all best moves and still enters 2,312 nodes. All best
# moves are equal to it, so it takes the first. But two best moves may have very
# different trees below them. `ai14s` prefers moves with many threats, and their trees
# are small.
#
# Your search shows it, too: let it try best moves first, as the tables tell them.

# %% [markdown] lang="ja"
# `ai14s` のノード数は、最小の木より 44 多いだけです。
#
# ## 正解を知っているだけでは足りない
#
# `perfect` を見てください。最善手をすべて知っているのに、2,312 ノードを調べます。
# `perfect` にとって最善手はどれも同じなので、番号の小さい手を選びます。
# しかし、同じ最善手でも、部分木のノード数は大きく違うことがあります。
# `ai14s` はリーチ（次に完成できる並び）を多く作る手を優先するので、
# 部分木が小さくなります。
#
# 自分で書いた探索でも確かめられます。テーブルにある最善手を先に試してみましょう。

# %%
best = dict(mb.tables("tictactoe").positions.project("board, best_moves").fetchall())


def best_first(board: str, moves: list[int]) -> list[int]:
    """Swap the first best move to the front, as the series does."""
    place = moves.index(best[board][0])
    moves[0], moves[place] = moves[place], moves[0]
    return moves


entered["best_first"] = Counter()
assert alphabeta("." * 9, best_first, entered["best_first"]) == 0
assert entered["best_first"].total() == counted["perfect"] == 2_312
entered["best_first"].total()

# %% [markdown] lang="en"
# ## Accuracy and nodes
#
# Does an AI that chooses better also order better? Mostly. Each point is an AI of the
# series.

# %% [markdown] lang="ja"
# ## 正確さとノードの数
#
# 良い手を選ぶ AI は、順序付けもうまいのでしょうか。おおむねそのとおりです。
# 図の点の一つ一つが、連載の AI です。

# %%
right = dict(
    mb.sql(
        """
        select
            ai_moves.ai,
            431 - count(distinct class) filter (is_candidate and loss > 0),
        from ai_moves
        join moves using (position, move)
        join positions using (position)
        where critical
        group by ai_moves.ai
        """
    ).fetchall()
)

figure, axes = plt.subplots(figsize=(8, 4.5))
for (ai, count), colour in zip(counted.items(), colours, strict=True):
    axes.plot(right[ai], count, "o", color=colour)
    if ai in ("ai1s", "ai2s", "ai4s", "ai5s", "ai6s", "ai10s", "ai14s", "perfect"):
        axes.annotate(ai, (right[ai], count), xytext=(8, 3), textcoords="offset points")
axes.axhline(least, color="C4", ls="--")
axes.set(title="Nodes, and critical classes in which the AI is right", yscale="log")
axes.set(xlabel="classes of 431", ylabel="nodes", xlim=(-20, 500))
plt.show()

# %% [markdown] lang="en"
# ## A table of positions
#
# Notebook 1 has shown that the same position appears in many nodes. A **transposition
# table** remembers what a search has found. It helps most where the order is bad, and
# it also helps the best order.

# %% [markdown] lang="ja"
# ## 局面を覚える
#
# ノートブック 1 では、同じ局面が多くのノードに現れることを見ました。
# **置換表**（transposition table）は、探索で分かったことを局面ごとに覚えます。
# 順序が悪いときほど効果は大きく、最良の順序でも役に立ちます。

# %%
saved = {
    (ordering or "ascending", use_table): mb.search(
        "alphabeta", ordering=ordering, use_table=use_table
    ).nodes
    for ordering in (None, "ai7s", "ai14s")
    for use_table in (False, True)
}

figure, axes = plt.subplots(figsize=(8, 3))
for place, (name, use_table) in enumerate(saved):
    bar = axes.barh(
        place + place // 2 / 2,
        saved[name, use_table],
        color="C3" if use_table else "C0",
    )
    axes.bar_label(bar, [f"{saved[name, use_table]:,}"], padding=4)
axes.set_yticks([0.5, 3, 5.5], ["ascending", "ai7s", "ai14s"])
axes.set(
    title="Nodes without a table (blue) and with one (green)",
    xscale="log",
    xlim=(100, 60_000),
)
axes.invert_yaxis()
plt.show()

assert saved["ascending", True] == 1_054
assert saved["ai14s", True] == 239

# %% [markdown] lang="en"
# What you have seen:
#
# - Alpha-beta visits 18,297 nodes instead of 549,946. A good order lowers this to
#   1,496, and a table lowers it further to 239.
# - The best order is not the one that knows most. It is the one that finds small trees.
# - Your own ordering is a function: `mb.search("alphabeta", ordering=your_function)`.
#
# To read on: [searches](../searches.md), [boards](../boards.md).

# %% [markdown] lang="ja"
# ここで分かったこと：
#
# - αβ法が調べるノードは、549,946 ではなく 18,297 です。
#   良い順序では 1,496 に減り、さらに置換表を使うと 239 に減ります。
# - 最良なのは、最も正確な AI の順序ではなく、小さな木を見つける順序です。
# - 自分の順序付けも関数で書けます：`mb.search("alphabeta", ordering=your_function)`
#
# 関連ページ：[探索（英語）](../searches.md)、[盤面クラス（英語）](../boards.md)
