# %% [markdown] lang="en"
# # 1. The tree and its counts
#
# Tic-tac-toe is small enough to count everything in it. This notebook looks at the
# whole game tree: how wide it is, how games end, and how much of it is only a
# repetition. It counts the main numbers twice: in the tables, and by hand.
#
# All notebooks use the tables of tic-tac-toe. Build them once with `marubatsu
# build`. This takes about 5 seconds, or 15 without Numba. The first cell opens them.

# %% [markdown] lang="ja"
# # 1. ゲーム木を数える
#
# 〇×ゲームは、すべてを数え上げられるほど小さなゲームです。
# このノートブックでは、ゲーム木全体を眺めます。
# 木の幅はどう変わるのか、対局はどう終わるのか、
# 同じ局面はどれだけ繰り返し現れるのかを調べます。
# 主な数は、テーブルと自分で書いたプログラムの両方で数えます。
#
# どのノートブックも、〇×ゲームのテーブルを使います。
# テーブルは、`marubatsu build` を一度実行すれば作れます。
# 約 5 秒（Numba がなければ約 15 秒）かかります。
# 最初のセルで、このテーブルを開きます。

# %%
from matplotlib import pyplot as plt

import marubatsu as mb

plt.style.use("marubatsu.notebook")
tables = mb.tables("tictactoe")
len(tables.tree_bfs), len(tables.positions), len(tables.classes)

# %% [markdown] lang="en"
# The tree has 549,946 **nodes**. A node is a place in the tree: a board, and the moves
# that led to it. Different moves may lead to the same board, so there are only 5,478
# **positions**. Boards that are turned or mirrored count once among the 765
# **classes**.
#
# A **ply** is one mark. Let us see how the three numbers grow with it.

# %% [markdown] lang="ja"
# ゲーム木には 549,946 個の**ノード**があります。
# ノードは木の中の一か所で、盤面と、そこまでの手の順序で決まります。
# 手の順序が違っても同じ盤面になることがあるので、**局面**は 5,478 個しかありません。
# 回転や反転で重なる局面を一つと数えると、**対称形のグループ**（class）は 765 個です。
#
# **手数**（ply）は、盤面にあるマークの数です。
# 三つの数が手数とともにどう変わるかを見ましょう。

# %%
by_ply = mb.sql(
    """
    select
        ply,
        count(*) as nodes,
        count(distinct position) as positions,
        count(distinct class) as classes,
    from nodes
    group by ply
    order by ply
    """
).fetchnumpy()

figure, axes = plt.subplots()
for name in ("nodes", "positions", "classes"):
    axes.plot(
        by_ply["ply"], by_ply[name], marker="o", label=f"{name}: {by_ply[name].sum():,}"
    )
axes.set(
    title="How many there are at each ply", xlabel="ply", yscale="log", xticks=range(10)
)
axes.legend()
plt.show()

assert [by_ply[name].sum() for name in ("nodes", "positions", "classes")] == [
    549_946,
    5_478,
    765,
]

# %% [markdown] lang="en"
# The number of nodes does not reach 9! = 362,880 at the last ply: many games end
# before, with three in a row. When do games end, and who wins them?

# %% [markdown] lang="ja"
# 9 手目のノードは 9! = 362,880 個にはなりません。
# その前に三つ並んで終わる対局が多いからです。
# 対局はいつ終わり、どちらが勝つのでしょうか。

# %%
ends = mb.sql(
    """
    select
        ply,
        count(*) filter (status = 'circle') as circle,
        count(*) filter (status = 'draw') as draw,
        count(*) filter (status = 'cross') as "cross",
    from nodes
    where status != 'playing'
    group by ply
    order by ply
    """
).fetchnumpy()
finished = {result: int(ends[result].sum()) for result in ("circle", "draw", "cross")}

figure, axes = plt.subplots()
floor = 0 * ends["ply"]
for result, colour in (("circle", "C0"), ("cross", "C1"), ("draw", "C2")):
    label = f"{result}: {finished[result]:,}"
    axes.bar(ends["ply"], ends[result], bottom=floor, color=colour, label=label)
    floor = floor + ends[result]
axes.set(title="How the 255,168 games end", xlabel="ply of the last move")
axes.yaxis.set_major_formatter("{x:,.0f}")
axes.legend()
plt.show()

assert finished == {"circle": 131_184, "draw": 46_080, "cross": 77_904}
assert sum(finished.values()) == 255_168

# %% [markdown] lang="en"
# Circle moves first, so only circle can win with an odd number of marks. Cross wins
# with an even number.
#
# Do you believe the tables? Count the games yourself: the function below plays every
# game to its end and knows nothing of marubatsu.

# %% [markdown] lang="ja"
# 先手は〇なので、マークの数が奇数のときに勝てるのは〇だけ、
# 偶数のときに勝てるのは×だけです。
#
# このテーブルは正しいのでしょうか。自分でも数えてみましょう。
# 次の関数は、すべての対局を決着まで進めます。
# marubatsu の機能は何も使いません。

# %%
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


def count(board: str, mover: str = "o", other: str = "x") -> tuple[int, int]:
    """Return the nodes and the finished games below a board, with the board itself."""
    if (
        any(board[a] == board[b] == board[c] == other for a, b, c in LINES)
        or "." not in board
    ):
        return 1, 1
    nodes, games = 1, 0
    for cell in range(9):
        if board[cell] == ".":
            below = count(board[:cell] + mover + board[cell + 1 :], other, mover)
            nodes, games = nodes + below[0], games + below[1]
    return nodes, games


nodes, games = count("." * 9)
assert (nodes, games) == (549_946, 255_168)
print(f"{nodes:,} nodes, {games:,} finished games")

# %% [markdown] lang="en"
# ## The same board again and again
#
# Which unfinished position appears in most nodes? The column `nodes` of `positions`
# counts them.

# %% [markdown] lang="ja"
# ## 何度も現れる盤面
#
# 決着していない局面のうち、最も多くのノードに現れるのはどれでしょうか。
# テーブル `positions` の列 `nodes` で分かります。

# %%
((most, board),) = mb.sql(
    "select nodes, board from positions where status = 'playing' "
    "order by nodes desc, position limit 1"
).fetchall()
print(mb.answer(board))
assert most == 576

# %% [markdown] lang="en"
# 576 = 4! · 4! orders of the same eight marks lead there. A program that remembers
# positions searches this one once, and not 576 times. Notebook 3 shows what a table of
# positions saves.
#
# ## Eight views of one board
#
# Turn the board four times by 90 degrees, mirror it, and turn it four times again: that
# makes eight images. For the game they are all the same.

# %% [markdown] lang="ja"
# 同じ 8 個のマークを置いてこの局面に至る順序は、4! · 4! = 576 通りあります。
# 局面を覚えておくプログラムなら、この局面を 576 回ではなく 1 回だけ調べれば済みます。
# その効果はノートブック 3 で確かめます。
#
# ## 一つの盤面の八つの姿
#
# 盤面を 90 度ずつ 4 回まわし、左右を反転して、さらに 4 回まわすと、
# 8 通りの姿になります。ゲームとしてはどれも同じです。


# %%
def turned(board: str) -> str:
    """Turn a board by 90 degrees, clockwise."""
    return "".join(board[3 * (2 - x) + y] for y in range(3) for x in range(3))


def mirrored(board: str) -> str:
    """Swap left and right."""
    return "".join(board[3 * y + 2 - x] for y in range(3) for x in range(3))


images = ["ox.o....."]
while len(images) < 8:
    images.append(turned(images[-1]) if len(images) != 4 else mirrored(images[0]))

figure, grid = plt.subplots(2, 4, figsize=(8, 4.4), subplot_kw={"aspect": "equal"})
for axes, board in zip(grid.flat, images, strict=True):
    axes.set(xlim=(0, 3), ylim=(3, 0), xticks=range(4), yticks=range(4))
    axes.grid(alpha=0.5)
    axes.tick_params(length=0, labelbottom=False, labelleft=False)
    for cell, mark in enumerate(board):
        if mark != ".":
            place = (cell % 3 + 0.5, cell // 3 + 0.5)
            axes.plot(
                *place,
                mark,
                ms=15,
                mew=2.5,
                mfc="none",
                color={"o": "C0", "x": "C1"}[mark],
            )
plt.show()

assert len(set(images)) == 8
assert len({mb.answer(board).class_ for board in images}) == 1

# %% [markdown] lang="en"
# Not every class has eight members. The empty board looks the same from all sides, so
# it is alone in its class. The **orbit** is the number of members.

# %% [markdown] lang="ja"
# どのグループにも局面が 8 個あるわけではありません。
# 空の盤面はどこから見ても同じなので、そのグループの局面は 1 個だけです。
# グループに含まれる局面の数を **orbit** と呼びます。

# %%
orbits = dict(
    mb.sql(
        "select orbit, count(*) from classes group by orbit order by orbit"
    ).fetchall()
)

figure, axes = plt.subplots(figsize=(8, 3))
bars = axes.bar([str(orbit) for orbit in orbits], orbits.values())
axes.bar_label(bars)
axes.set(title="The 765 classes by their size", xlabel="orbit", ylabel="classes")
plt.show()

assert sum(orbits.values()) == 765
assert sum(orbit * number for orbit, number in orbits.items()) == 5_478

# %% [markdown] lang="en"
# ## A random game is no random leaf
#
# Circle wins 51 % of the 255,168 games. Does circle win 51 % of the games that two
# random players play? No: a short game is more probable than a long one, because fewer
# choices lead to it. The table `matches` has the exact chances. `ai2` is the AI that
# plays at random.

# %% [markdown] lang="ja"
# ## ランダムな対局と、ランダムに選んだ葉は違う
#
# 255,168 通りの対局のうち、51 % で〇が勝ちます。
# では、双方がランダムに打つ対局でも、〇の勝率は 51 % でしょうか。
# 違います。短い対局は手を選ぶ回数が少ない分、長い対局より起こりやすいからです。
# 正確な確率はテーブル `matches` にあります。`ai2` はランダムに打つ AI です。

# %%
(chances,) = mb.sql(
    "select fraction_circle, fraction_draw, fraction_cross from matches "
    "where circle_ai = 'ai2' and cross_ai = 'ai2'"
).fetchall()
assert chances == ("737/1260", "8/63", "121/420")

results = ("circle", "draw", "cross")
shares = [finished[result] / 255_168 for result in results]
exact = [int(a) / int(b) for a, b in (chance.split("/") for chance in chances)]

figure, axes = plt.subplots(figsize=(8, 2.6))
for place, parts in enumerate((exact, shares)):
    left = 0.0
    for part, colour in zip(parts, ("C0", "C2", "C1"), strict=True):
        bar = axes.barh(place, part, left=left, color=colour)
        axes.bar_label(
            bar, [f"{part:.1%}"], label_type="center", color="white", weight="bold"
        )
        left += part
axes.set(title="circle wins, draw, cross wins", xticks=[])
axes.set_yticks([0, 1], ["random play", "all games alike"])
axes.spines[:].set_visible(False)
plt.show()

# %% [markdown] lang="en"
# What you have seen:
#
# - 549,946 nodes are only 5,478 positions, and these only 765 classes.
# - The tables and a program of twelve lines count the same.
# - Counting games does not tell who wins. Notebook 2 asks what happens when both sides
#   play well.
#
# To read on: [tables](../tables.md), [the check of every number](../verification.md).

# %% [markdown] lang="ja"
# ここで分かったこと：
#
# - 549,946 個のノードは 5,478 個の局面にまとまり、
#   さらに 765 個の対称形のグループにまとまります。
# - テーブルの数と、12 行のプログラムで数えた数は一致します。
# - 対局の数を数えるだけでは、どちらが勝つかは分かりません。
#   ノートブック 2 では、双方が最善手を打つとどうなるかを調べます。
#
# 関連ページ：[テーブル（英語）](../tables.md)、[数の検証（英語）](../verification.md)
