# %% [markdown] lang="en"
# # 6. Environments and leakage
#
# Two quiet faults spoil experiments with game agents. The test positions leak into the
# training: then memory looks like skill. Or the environment differs from the game: then
# the agent learns something else. This notebook measures the first and finds the
# second.

# %% [markdown] lang="ja"
# # 6. 環境とデータリーク
#
# ゲームの AI の実験には、気づきにくい落とし穴が二つあります。
# 一つは、テストの局面が訓練データに紛れ込むこと（データリーク）です。
# すると、暗記が実力に見えます。
# もう一つは、環境がゲームのルールと違うことです。
# すると、AI は別のことを学んでしまいます。
# このノートブックでは、前者を測り、後者を見つけます。

# %%
from random import Random

from matplotlib import pyplot as plt

import marubatsu as mb

plt.style.use("marubatsu.notebook")

# %% [markdown] lang="en"
# ## A random split leaks
#
# Take the 4,520 unfinished positions, shuffle them, and keep 20 % for the test. How
# many test positions have an image in the training, turned or mirrored?

# %% [markdown] lang="ja"
# ## ランダムに分けるとリークする
#
# 決着していない 4,520 個の局面をシャッフルして、20 % をテスト用に残します。
# テストの局面のうち、回転や反転で重なる局面が訓練データにあるものは、
# どれだけあるでしょうか。

# %%
positions = mb.sql(
    """
    select class, positions.score, split
    from positions
    join splits using (class)
    order by position
    """
).fetchall()
assert len(positions) == 4_520

shuffled = Random(0).sample(positions, len(positions))
train, test = shuffled[904:], shuffled[:904]
seen = {class_ for class_, _, _ in train}
leaked = sum(class_ in seen for class_, _, _ in test)
print(f"{leaked} of {len(test)} test positions have an image in the training")
assert leaked == 903

# %% [markdown] lang="en"
# Nearly all! So the test asks for what was learned.
#
# The table `splits` keeps whole classes together. Each split gets nearly the same share
# of every ply and score, and the splits never change. No position of the test split has
# an image in the training split:

# %% [markdown] lang="ja"
# ほとんどすべてです。これでは、訓練で見た局面をもう一度出題しているだけです。
#
# テーブル `splits` は、対称形のグループを分割しません。
# 三つの分割（train、validation、test）は、手数と評価値の割合がほぼ等しく、
# いつ作っても同じです。
# 回転や反転で test の局面と重なる局面は、train に一つもありません。

# %%
apart = {
    name: [row for row in positions if row[2] == name] for name in ("train", "test")
}
assert not {row[0] for row in apart["train"]} & {row[0] for row in apart["test"]}
sizes = dict(
    mb.sql(
        "select split, count(*) from splits group by split order by split"
    ).fetchall()
)
assert sizes == {"test": 62, "train": 503, "validation": 62}
sizes

# %% [markdown] lang="en"
# ## An agent that only remembers
#
# How much does that matter? Here is the laziest learner: it remembers the score of each
# class that it has seen. For any other it answers what was most frequent. It
# understands nothing.

# %% [markdown] lang="ja"
# ## 暗記するだけの AI
#
# データリークはどれほど問題なのでしょうか。最も怠け者の学習器を作ってみます。
# 見たことのあるグループなら、覚えている評価値を答えます。
# それ以外なら、最も多かった評価値を答えます。何も理解していません。


# %%
def accuracy(
    train: list[tuple[int, int, str]], test: list[tuple[int, int, str]]
) -> float:
    """Return how often memory alone names the score of a test position."""
    memory = {class_: score for class_, score, _ in train}
    scores = [score for _, score, _ in train]
    usual = max(set(scores), key=scores.count)
    return sum(memory.get(class_, usual) == score for class_, score, _ in test) / len(
        test
    )


measured = {
    "positions, at random": accuracy(train, test),
    "table splits": accuracy(apart["train"], apart["test"]),
}

figure, axes = plt.subplots(figsize=(8, 2.2))
bars = axes.barh(list(measured), measured.values(), color=["C1", "C3"])
axes.bar_label(bars, [f"{share:.1%}" for share in measured.values()], padding=4)
axes.set(
    title="Scores that memory alone gets right in the test", xlim=(0, 1.1), xticks=[]
)
axes.spines["bottom"].set_visible(False)
axes.invert_yaxis()
plt.show()

assert measured["positions, at random"] * 904 == 903
assert measured["table splits"] * 460 == 240

# %% [markdown] lang="en"
# With the leak, memory looks like perfect knowledge. Without it, we see what it is: a
# guess.
#
# ## Not all positions are equally hard
#
# A good test says how hard its positions are. `hardness` is the chance that a random
# move is wrong. `only_moves` counts the only moves that the mover has still to find.
# Are the splits equally hard?

# %% [markdown] lang="ja"
# データリークがあると、暗記が完璧な知識に見えます。
# データリークがなければ、暗記はただの当てずっぽうだと分かります。
#
# ## 局面の難しさ
#
# 良いテストは、局面の難しさも示します。
# `hardness` は、ランダムに打つと間違える確率です。
# `only_moves` は、手番側がこれから見つけなければならない「唯一の最善手」の数です。
# 三つの分割の難しさは同じでしょうか。

# %%
hardness = {
    name: [
        row[0]
        for row in mb.sql(
            "select hardness from splits where split = $name", parameters={"name": name}
        ).fetchall()
    ]
    for name in ("train", "validation", "test")
}

figure, axes = plt.subplots(figsize=(8, 3.6))
bins = [step / 10 for step in range(11)]
axes.hist(
    list(hardness.values()),
    bins,
    density=True,
    label=list(hardness),
    color=["C2", "C0", "C3"],
)
axes.set(title="Classes by hardness", xlabel="hardness", yticks=[], xticks=bins)
axes.spines["left"].set_visible(False)
axes.legend()
plt.show()

((board, chance),) = mb.sql(
    "select board, hardness from splits order by hardness desc, class limit 1"
).fetchall()
print(f"hardest: {board}, where {chance:.1%} of the moves are wrong")
assert (board, chance) == ("o........", 7 / 8)

# %% [markdown] lang="en"
# ## Is the environment right?
#
# Agents learn from an environment: a program that plays the rules. `mb.conform_env`
# plays the same games in one and by the rules of marubatsu, and names every
# difference. Any class with these six methods will do; `observations` is a seventh.

# %% [markdown] lang="ja"
# ## 環境は正しいか
#
# AI は環境から学びます。環境とは、ルールどおりにゲームを進めるプログラムです。
# `mb.conform_env` は、環境を marubatsu のルールと並べて動かし、違いをすべて挙げます。
# 次の六つのメソッドを持つクラスなら、どれでも検査できます。
# `observations` は七つ目のメソッドで、省略できます。

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


class Environment:
    """Tic-tac-toe on a list of marks."""

    lines = LINES

    def reset(self) -> None:
        """Begin a new game."""
        self.marks = ["."] * 9

    def play(self, cell: int) -> None:
        """Fill a cell; refuse a move that is not legal."""
        if cell not in self.legal_moves():
            raise ValueError(f"cell {cell} may not be filled")
        self.marks[cell] = "o" if self.turn() == "circle" else "x"

    def legal_moves(self) -> list[int]:
        """List the empty cells while the game goes on."""
        return (
            []
            if self.over()
            else [cell for cell in range(9) if self.marks[cell] == "."]
        )

    def turn(self) -> str:
        """Return the side to move."""
        return "cross" if self.marks.count(".") % 2 == 0 else "circle"

    def over(self) -> bool:
        """Return whether the game has ended."""
        return "." not in self.marks or self.rewards() != (0, 0)

    def rewards(self) -> tuple[int, int]:
        """Return circle's reward and cross's."""
        for mark, rewards in (("o", (1, -1)), ("x", (-1, 1))):
            if any(
                all(self.marks[cell] == mark for cell in line) for line in self.lines
            ):
                return rewards
        return (0, 0)

    def observations(self) -> list[tuple[int, int]]:
        """Return what the players see: the cells of circle and of cross, as bits."""
        circle, cross = (
            sum(1 << cell for cell in range(9) if self.marks[cell] == mark)
            for mark in "ox"
        )
        return [(circle, cross)]


walk = mb.conform_env(Environment, sample=100)
assert walk.agrees()
print(f"agrees in {len(walk.positions):,} positions")

# %% [markdown] lang="en"
# Now we make three environments, each with a fault. The first forgets a diagonal. The
# second and the third do what released packages do: one shows the board mirrored at its
# diagonal, the other still lists moves when the game is over.

# %% [markdown] lang="ja"
# 次に、間違いを一つずつ含む環境を三つ作ります。
# 一つ目は、斜めの並びを一つ忘れています。
# 二つ目と三つ目は、公開されているパッケージと同じ動作をします。
# 二つ目は盤面を対角線で反転して見せ、三つ目は対局が終わっても合法手を返します。


# %%
class ForgetsADiagonal(Environment):
    """Knows seven of the eight lines."""

    lines = LINES[:-1]


class SeesColumns(Environment):
    """Shows the cells column by column, where others read them row by row."""

    def observations(self) -> list[tuple[int, int]]:
        """Swap rows and columns."""
        circle, cross = (
            sum(
                1 << (cell % 3 * 3 + cell // 3)
                for cell in range(9)
                if self.marks[cell] == mark
            )
            for mark in "ox"
        )
        return [(circle, cross)]


class NeverTired(Environment):
    """Lists the empty cells also when the game is over."""

    def legal_moves(self) -> list[int]:
        """List the empty cells."""
        return [cell for cell in range(9) if self.marks[cell] == "."]

    def play(self, cell: int) -> None:
        """Refuse moves after the end nevertheless."""
        if self.over():
            raise ValueError("the game is over")
        super().play(cell)


walks = {"Environment": walk} | {
    each.__name__: mb.conform_env(each, sample=100)
    for each in (ForgetsADiagonal, SeesColumns, NeverTired)
}
kinds = list(walk.differences)

figure, axes = plt.subplots(figsize=(8, 4.2))
for row, kind in enumerate(kinds):
    for column, found in enumerate(walks.values()):
        agrees = found.differences[kind].agrees
        mark, colour = {True: ("o", "C3"), False: ("X", "C1"), None: ("_", "C2")}[
            agrees
        ]
        axes.plot(column, row, mark, color=colour, ms=12, mec=colour)
axes.set_xticks(range(len(walks)), list(walks))
axes.set_yticks(range(len(kinds)), kinds)
axes.set(title="What agrees (green) and what differs (orange)", xlim=(-0.5, 3.5))
axes.invert_yaxis()
axes.spines[:].set_visible(False)
axes.tick_params(length=0)
plt.show()

for name, found in walks.items():
    for kind, difference in found.differences.items():
        if difference.differing:
            line = " ".join(map(str, difference.line))
            print(f"{name}, {kind}, after {line}:")
            print(f"    expected {difference.expected}, found {difference.found}")

differing = {
    name: [kind for kind, each in found.differences.items() if each.differing]
    for name, found in walks.items()
}
assert differing["Environment"] == []
assert "end" in differing["ForgetsADiagonal"]
assert differing["SeesColumns"] == ["observation"]
assert differing["NeverTired"] == ["legal moves at the end"]

# %% [markdown] lang="en"
# Each difference comes with the shortest line to it, so you can repeat it by hand. The
# page [environments](../environments.md) lists what differs in PettingZoo, OpenSpiel,
# pgx and Kaggle, and `marubatsu conform-env pettingzoo:tictactoe_v3` repeats that.
#
# What you have seen:
#
# - A random split of positions leaks nearly everything. A split of classes leaks
#   no image of a board.
# - Memory alone then falls from nearly perfect to a guess.
# - An environment can be checked in every position before anybody learns from it.
#
# To read on: [learning and hardness](../learning.md), [publishing](../publishing.md).

# %% [markdown] lang="ja"
# それぞれの違いには、そこに至る最短の手順が付くので、手で再現できます。
# PettingZoo、OpenSpiel、pgx、Kaggle の環境がルールと違う点は、
# [環境のページ（英語）](../environments.md)にあります。
# `marubatsu conform-env pettingzoo:tictactoe_v3` を実行すると、自分で確かめられます。
#
# ここで分かったこと：
#
# - 局面をランダムに分けると、ほとんどすべてがリークします。
#   グループごとに分けると、回転や反転ではリークしません。
# - データリークがなければ、暗記だけの正解率は、ほぼ完璧から当てずっぽうに落ちます。
# - 環境は、AI が学ぶ前に、すべての局面で検査できます。
#
# 関連ページ：[学習用の分割と難しさ（英語）](../learning.md)、
# [データの公開（英語）](../publishing.md)
