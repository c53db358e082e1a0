# %% [markdown] lang="en"
# # 5. Large games
#
# A larger board has too many positions for tables of everything. This notebook shows
# three ways to the truth all the same: solve a game class by class, look a position up
# in the solution, and search a game that is too large to solve here.
#
# Solving needs `pip install 'marubatsu[solve]'`. The first run compiles the solver,
# which takes some seconds.

# %% [markdown] lang="ja"
# # 5. 大きなゲーム
#
# 盤面が大きくなると、局面が多すぎて、すべてをテーブルにはできません。
# それでも正解を知る方法が三つあります。
# 対称形のグループごとにゲームを解く方法、解から局面の評価値を引く方法、
# ここで解くには大きすぎるゲームを探索する方法です。
# このノートブックで順に試します。
#
# ゲームを解くには `pip install 'marubatsu[solve]'` が必要です。
# 最初の実行では、ソルバーのコンパイルに数秒かかります。

# %%
from math import comb
from tempfile import TemporaryDirectory

from matplotlib import pyplot as plt

import marubatsu as mb

plt.style.use("marubatsu.notebook")

# %% [markdown] lang="en"
# ## How fast it grows
#
# Circle has as many marks as cross, or one more. How many ways are there to place them?
# That is an upper bound for the positions: it ignores that games end. On 3x3 it is
# 6,046, and 5,478 are real.

# %% [markdown] lang="ja"
# ## 局面の数はどれだけ増えるか
#
# 〇の数は、×の数と同じか、一つ多いかのどちらかです。
# では、マークの置き方は何通りあるでしょうか。
# 途中で終わる対局があることを考えていないので、これは局面の数の上限です。
# 3x3 では 6,046 通りですが、実際の局面は 5,478 個です。


# %%
def placements(cells: int) -> int:
    """Count the ways to place marks on some cells, circle and cross in turn."""
    return sum(
        comb(cells, marks) * comb(marks, marks // 2) for marks in range(cells + 1)
    )


boards = {
    "3x3": 9,
    "4x3": 12,
    "4x4": 16,
    "5x4": 20,
    "5x5": 25,
    "6x5": 30,
    "6x6": 36,
    "7x6": 42,
}
counts = {name: placements(cells) for name, cells in boards.items()}

figure, axes = plt.subplots()
bars = axes.bar(list(counts), [float(count) for count in counts.values()])
axes.bar_label(
    bars, [f"{count:.1e}" for count in counts.values()], fontsize=9, padding=2
)
axes.set(title="Ways to place the marks", yscale="log", yticks=[1e3, 1e9, 1e15, 1e21])
plt.show()

assert counts["3x3"] == 6_046
assert counts["4x4"] == 10_165_779

# %% [markdown] lang="en"
# ## Solve 4x4 with four in a row
#
# `mb.solve` finds the score and the distance of every class, and writes them as a
# **solution**. 4x4k4 has 9,722,011 positions in 1,217,977 classes. `distance` counts
# the plies to the end.

# %% [markdown] lang="ja"
# ## 4x4 の四目並べを解く
#
# `mb.solve` は、すべての対称形のグループの評価値と残り手数（distance）を求め、
# **解**（solution）として書き出します。残り手数は、決着までの手数です。
# 4x4k4 には 9,722,011 個の局面があり、対称形のグループは 1,217,977 個です。

# %%
solved = mb.solve("4x4k4")
print(solved.answer("." * 16).summary)

by_ply = mb.sql(
    """
    select
        ply,
        sum(positions) filter (score_mover = 1) as won,
        sum(positions) filter (score_mover = 0) as drawn,
        sum(positions) filter (score_mover = -1) as lost,
    from value_counts
    group by ply
    order by ply
    """,
    "4x4k4",
).fetchall()
counted = mb.sql(
    "select sum(classes), sum(positions) from value_counts", "4x4k4"
).fetchall()
assert counted == [(1_217_977, 9_722_011)]

plies = [ply for ply, *_ in by_ply]
rows = [[number or 0 for number in numbers] for _, *numbers in by_ply]
shares = [[100 * row[place] / sum(row) for row in rows] for place in range(3)]

figure, axes = plt.subplots()
labels = ("side to move wins", "draw", "side to move loses")
axes.stackplot(plies, *shares, labels=labels, colors=["C3", "C2", "C1"], lw=0)
axes.set(
    title="4x4k4: positions by ply and result, in percent", xlabel="ply", xlim=(0, 16)
)
axes.set(ylim=(0, 100), xticks=range(0, 17, 2))
figure.legend(loc="outside lower center", ncols=3)
plt.show()

# %% [markdown] lang="en"
# The first six plies are nearly all draws: 4x4 has only ten lines of four cells, and
# one mark of the opponent blocks a line for good. Mistakes become possible later.
#
# ## Marks that fall
#
# With **gravity**, a mark falls to the lowest empty cell of its column, as in Connect
# Four. 5x4k4 with gravity has 3,945,711 positions. What is the first move worth, column
# by column?

# %% [markdown] lang="ja"
# 最初の 6 手では、ほとんどすべての局面が引き分けです。
# 4x4 には四つのマスの並びが 10 個しかなく、
# 相手のマークが一つでもあれば、その並びはもう完成できないからです。
# 間違いが起こりうるのは、もっと後です。
#
# ## 落ちるマーク
#
# **重力**（gravity）があると、コネクトフォーのように、
# マークは列の一番下の空きマスに落ちます。
# 重力のある 5x4k4 には 3,945,711 個の局面があります。
# 初手の評価値を、列ごとに見ましょう。

# %%
falling = mb.solve("5x4k4-gravity")
opening = falling.answer("." * 20)
print(opening.summary)

values = {move.move % 5: move.score for move in opening.moves}
colours = {1: "C0", 0: "C2", -1: "C1"}
words = {1: "circle\nwins", 0: "draw", -1: "cross\nwins"}

figure, axes = plt.subplots(figsize=(6, 2.4), subplot_kw={"aspect": "equal"})
for column, score in values.items():
    axes.add_patch(plt.Rectangle((column, 0), 1, 1, color=colours[score], lw=0))
    axes.text(
        column + 0.5,
        0.5,
        words[score],
        ha="center",
        va="center",
        color="white",
        weight="bold",
    )
axes.set(
    title="5x4k4-gravity: circle's first move", xlim=(0, 5), ylim=(0, 1.001), yticks=[]
)
axes.set_xticks([column + 0.5 for column in range(5)], list("abcde"))
axes.spines[:].set_visible(False)
axes.tick_params(length=0)
plt.show()

assert opening.best_moves == (16, 17, 18)
((positions,),) = mb.sql(
    "select sum(positions) from value_counts", "5x4k4-gravity"
).fetchall()
assert positions == 3_945_711

# %% [markdown] lang="en"
# If circle begins at the edge, it loses 19 plies later. Are wins mostly quick? The
# table `value_counts` counts the positions of each distance.

# %% [markdown] lang="ja"
# 〇が端の列に打つと、その 19 手後に負けます。
# 勝負はたいてい早くつくのでしょうか。
# テーブル `value_counts` で、残り手数ごとの局面の数が分かります。

# %%
distances = mb.sql(
    """
    select distance, sum(positions)::bigint as positions
    from value_counts
    where score_mover != 0 and distance > 0
    group by distance
    order by distance
    """,
    "5x4k4-gravity",
).fetchnumpy()

figure, axes = plt.subplots(figsize=(8, 3.4))
axes.bar(distances["distance"], distances["positions"], color="C4")
axes.set(
    title="Decided positions by the plies to the end", xlabel="distance", yscale="log"
)
axes.set(xticks=range(1, 20, 2))
plt.show()

# %% [markdown] lang="en"
# ## Two ways to the same truth
#
# The solver works backwards through all classes. A search works forwards from one
# position. In a folder without data, marubatsu searches: both say the same.

# %% [markdown] lang="ja"
# ## 同じ答えを求める二つの方法
#
# ソルバーは、すべてのグループを最後の手数から逆にたどります。
# 探索は、一つの局面から先へ進みます。
# データのないフォルダーでは、marubatsu は探索で評価値を求めます。
# どちらの方法でも答えは同じです。

# %%
moves = "c1 c2 c3 b1 d1 a1"
with TemporaryDirectory() as empty:
    searched = mb.answer(moves, "5x4k4-gravity", data=empty)
looked_up = falling.answer(moves)
assert searched.moves == looked_up.moves
assert (searched.score, searched.distance) == (looked_up.score, looked_up.distance)
print(looked_up)

# %% [markdown] lang="en"
# ## A game too large to solve here
#
# Connect Four has 4,531,985,219,092 positions. Its solution would take about 518 GB:
# see [7x6 as a plan](../seven-by-six.md). A search answers late positions quickly. For
# earlier ones you say how long it may take. When the time is up, you get **bounds**:
# what is proved so far, never a guess.
#
# The bounds are shortest-victory scores: above 0 circle wins, below 0 cross wins. A
# value near 0 means a late win.

# %% [markdown] lang="ja"
# ## ここで解くには大きすぎるゲーム
#
# コネクトフォーには 4,531,985,219,092 個の局面があり、
# 解を保存するには約 518 GB が必要です（[計画](../seven-by-six.md)）。
# それでも、終盤の局面なら、評価値は探索ですぐに求まります。
# それより前の局面では、探索の制限時間を指定します。
# 時間が来ると、**範囲**（bounds）が返ります。
# これは推測ではなく、その時点までに証明できた範囲です。
#
# 範囲は `score_sv` で表されます。
# 0 より大きければ〇の勝ち、小さければ×の勝ちです。0 に近いほど遅い勝ちを表します。

# %%
early = "d1 d2 d3 d4 d5 d6 c1 e1 c2 c3"
seconds, bounds = 0.0, {}
while not isinstance(
    found := mb.oracle("connect4", time=seconds).within(early), mb.Answer
):
    bounds[f"{seconds:g} s"] = (found.at_least, found.at_most)
    seconds = 2 * seconds or 0.1
print(found.summary)
assert (found.score, found.score_sv) == (-1, -2)
assert all(low <= found.score_sv <= high for low, high in bounds.values())

figure, axes = plt.subplots(figsize=(8, 1.2 + 0.4 * len(bounds)))
for place, pair in enumerate(bounds.values()):
    axes.plot(pair, (place, place), "|-", color="C0", lw=5, ms=14, mew=3)
axes.axvline(found.score_sv, color="C4", ls="--")
axes.set_yticks(range(len(bounds)), list(bounds))
axes.set(
    title=f"What is proved when the time is up (truth: {found.score_sv})",
    xlabel="score_sv",
)
axes.margins(y=0.15)
axes.invert_yaxis()
plt.show()

# %% [markdown] lang="en"
# What you have seen:
#
# - A million classes take a second. The largest game solved here has 56 billion of
#   them.
# - A solution answers every position at once, and SQL counts in it.
# - Without a solution, a search answers: exactly, or with proved bounds.
#
# To read on: [large games](../large-games.md), [what is solved here](../solved.md).

# %% [markdown] lang="ja"
# ここで分かったこと：
#
# - 100 万グループのゲームは 1 秒ほどで解けます。
#   ここで解いた最大のゲームには約 560 億グループあります。
# - 解があれば、どの局面の評価値もすぐに分かります。SQL で集計することもできます。
# - 解がなければ、探索で評価値を求めます。正確な値か、証明された範囲が得られます。
#
# 関連ページ：[大きなゲーム（英語）](../large-games.md)、
# [ここで解いたゲーム（英語）](../solved.md)
