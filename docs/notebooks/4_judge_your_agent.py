# %% [markdown] lang="en"
# # 4. Judge your agent
#
# Wins against a weak opponent say little about an agent. Here the truth is known, so
# we can ask about every position. We write an agent, audit it, and let the audit say
# what to improve: three times, until no opponent can beat it.

# %% [markdown] lang="ja"
# # 4. 自分の AI を検証する
#
# 弱い相手に勝った回数からは、AI の実力はほとんど分かりません。
# このゲームでは正解が分かっているので、すべての局面について調べられます。
# AI を書き、検証し、結果を見て改良します。
# これを 3 回繰り返すと、誰にも負けない AI になります。

# %%
from typing import Any

from matplotlib import pyplot as plt

import marubatsu as mb

plt.style.use("marubatsu.notebook")

# %% [markdown] lang="en"
# ## An agent is a function
#
# It takes the board as text and the list of legal moves. It returns the moves that it
# may choose: one move, or several. The first agent takes the first empty cell.

# %% [markdown] lang="ja"
# ## AI は関数
#
# AI は、盤面の文字列と合法手のリストを受け取り、選ぶ可能性のある手を返します。
# 手は一つでも、複数でもかまいません。
# 最初の AI は、空いている最初のマスに打ちます。


# %%
def first(board: str, legal: list[int]) -> list[int]:
    """Take the first empty cell."""
    return legal[:1]


audits = {"first": mb.audit(first)}
verdicts = audits["first"].verdicts
print(f"right in {verdicts.classes_right} of {verdicts.classes} critical classes")
print(
    f"exploitability {verdicts.exploitability}, weakly solved: {verdicts.weakly_solved}"
)

assert (verdicts.classes_right, verdicts.exploitability) == (11, 1.0)

# %% [markdown] lang="en"
# The exam has 431 **critical classes**, in which at least one move is wrong: notebook 2
# explains them. An agent passes a class when it is right in all of its positions.
# **Exploitability** is the mean result of an opponent who knows every
# choice of the agent. 1 is the worst: that opponent wins every game, on both sides.
#
# A finished audit has much more. In Jupyter, an audit on the last line of a cell
# becomes a page with boards and plots.
#
# ## Second version: win, or block
#
# An agent should finish a line when it can, and block a line when it must.

# %% [markdown] lang="ja"
# 試験問題は、悪手のある局面の 431 グループです（ノートブック 2 で説明しています）。
# グループのどの局面でも最善手だけを選べば、そのグループは正解です。
# **exploitability** は、AI の選び方をすべて知っている相手の、
# 先手と後手を合わせた平均成績です。
# 最悪の値は 1 で、このとき相手は先手でも後手でも必ず勝ちます。
#
# 検証の結果には、ほかにも多くの情報があります。
# Jupyter では、セルの最後の行に検証の結果を書くと、
# 盤面とグラフの付いたページが表示されます。
#
# ## 第 2 版：勝つ、または防ぐ
#
# 自分の並びを完成できるときは完成させ、
# 相手の並びを防がなければならないときは防ぎます。

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


def sides(board: str) -> str:
    """Return the mark of the side to move, and that of the other side."""
    return "ox" if board.count("o") == board.count("x") else "xo"


def wins(board: str, mark: str) -> list[int]:
    """List the empty cells that complete a line of a mark."""
    return [
        cell
        for cell in range(9)
        if board[cell] == "."
        and any(
            cell in line and [board[c] for c in line].count(mark) == 2 for line in LINES
        )
    ]


def tactical(board: str, legal: list[int]) -> list[int]:
    """Win, else block, else take any cell."""
    me, you = sides(board)
    return wins(board, me) or wins(board, you) or legal


audits["tactical"] = mb.audit(tactical)
audits["tactical"].verdicts.classes_right

# %% [markdown] lang="en"
# From 11 to 363 with one idea. Where does it still fail? The audit knows the line by
# which it loses soonest.

# %% [markdown] lang="ja"
# 一つの工夫で、正解したグループが 11 から 363 に増えました。
# まだどこで間違えるのでしょうか。
# 検証の結果から、最も早く負ける手順が分かります。

# %%
(lost,) = (
    each
    for each in audits["tactical"].refutations.records()
    if each["side"] == "circle"
)

figure, grid = plt.subplots(
    1, len(lost["moves"]), figsize=(9, 1.7), subplot_kw={"aspect": "equal"}
)
for ply, axes in enumerate(grid):
    axes.set(xlim=(0, 3), ylim=(3, 0), xticks=range(4), yticks=range(4))
    axes.set_title(f"{ply + 1}", fontsize=10)
    axes.grid(alpha=0.5)
    axes.tick_params(length=0, labelbottom=False, labelleft=False)
    for number, cell in enumerate(lost["moves"][: ply + 1]):
        mark, colour = ("o", "C0") if number % 2 == 0 else ("x", "C1")
        place = (cell % 3 + 0.5, cell // 3 + 0.5)
        axes.plot(*place, mark, ms=8, mew=2, mfc="none", color=colour)
plt.show()

assert lost["moves"] == [0, 1, 2, 3, 6, 4, 5, 7]

# %% [markdown] lang="en"
# At ply 6, cross has two ways to complete a line, and circle can block only one: a
# **fork**.
#
# ## Third and fourth version
#
# The third version prefers the centre, then corners. The fourth also makes forks, and
# avoids moves after which the opponent can make one.

# %% [markdown] lang="ja"
# ×が 6 手目を打つと、次に並びを完成できるマスが二つになります。
# 〇が防げるのはそのうち一つだけです。これを**ダブルリーチ**（fork）と呼びます。
#
# ## 第 3 版と第 4 版
#
# 第 3 版は、中央、隅の順に優先します。
# 第 4 版はさらに、自分のダブルリーチを作り、
# 相手にダブルリーチを作られる手を避けます。


# %%
def preferred(cells: list[int]) -> list[int]:
    """Take the centre, else the corners, of some cells."""
    return (
        [4] if 4 in cells else [cell for cell in cells if cell in (0, 2, 6, 8)] or cells
    )


def positional(board: str, legal: list[int]) -> list[int]:
    """Win, else block, else prefer the centre and the corners."""
    me, you = sides(board)
    return wins(board, me) or wins(board, you) or preferred(legal)


def forks(board: str, mark: str, cells: list[int]) -> list[int]:
    """List the cells with which a mark gets two ways to win."""
    return [
        cell
        for cell in cells
        if len(wins(board[:cell] + mark + board[cell + 1 :], mark)) >= 2
    ]


def forking(board: str, legal: list[int]) -> list[int]:
    """Win, block, make a fork, leave no fork, and prefer the centre and the corners."""
    me, you = sides(board)

    def is_safe(move: int) -> bool:
        after = board[:move] + me + board[move + 1 :]
        replies = wins(after, me) or [cell for cell in legal if cell != move]
        return not forks(after, you, replies)

    return (
        wins(board, me)
        or wins(board, you)
        or forks(board, me, legal)
        or preferred([move for move in legal if is_safe(move)] or legal)
    )


audits["positional"] = mb.audit(positional)
audits["forking"] = mb.audit(forking)

right = {name: audit.verdicts.classes_right for name, audit in audits.items()}
exploitability = {name: audit.verdicts.exploitability for name, audit in audits.items()}

figure, (left, middle) = plt.subplots(1, 2, figsize=(8, 3))
bars = left.bar(list(right), right.values(), color="C3")
left.bar_label(bars, label_type="center", color="white", weight="bold")
left.axhline(431, color="C4", ls="--")
left.set(title="Critical classes right, of 431", yticks=[])
bars = middle.bar(list(right), exploitability.values(), color="C1")
middle.bar_label(bars, fmt="{:.2f}", padding=2)
middle.set(title="Exploitability", yticks=[])
for axes in (left, middle):
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="x", labelsize=9)
plt.show()

assert right == {"first": 11, "tactical": 363, "positional": 395, "forking": 425}
assert audits["forking"].verdicts.weakly_solved
assert exploitability["forking"] == 0

# %% [markdown] lang="en"
# No opponent beats the fourth version: it solves the game **weakly**. It is still wrong
# in 6 of 431 classes, so it does not solve it **strongly**. Where in the game are the
# mistakes?

# %% [markdown] lang="ja"
# 第 4 版には誰も勝てません。つまり、ゲームを**弱解決**しています。
# しかし、431 グループのうち 6 グループで間違えるので、**強解決**はしていません。
# 間違いは、手数がいくつの局面にあるのでしょうか。

# %%
figure, axes = plt.subplots(figsize=(8, 3.6))
for (name, audit), colour in zip(audits.items(), ("C2", "C1", "C5", "C3"), strict=True):
    rows = audit.by_ply.records()
    shares = [100 * row["wrong"] / row["critical"] for row in rows]
    axes.plot([row["ply"] for row in rows], shares, "o-", color=colour, label=name)
axes.set(
    title="Critical positions with a possible mistake, in percent",
    xlabel="ply",
    ylim=(-4, 104),
)
axes.legend(loc="upper right", ncols=2)
plt.show()

# %% [markdown] lang="en"
# `tactical` is wrong in every critical position of ply 1 and 2, because it may take any
# cell there. The same holds for every agent that gives each move some chance. For such
# agents, look at the mean chance of a best move, and at the mean loss:

# %% [markdown] lang="ja"
# `tactical` は、手数 1 と 2 の悪手のある局面すべてで間違えます。
# そこでは、どのマスにも打つ可能性があるからです。
# すべての手に 0 でない確率を割り当てる AI では、いつもこうなります。
# そのような AI では、最善手を選ぶ確率の平均と、損失の平均を見ます。


# %%
def hesitant(board: str, legal: list[int]) -> dict[int, float]:
    """Choose as `forking` does nine times of ten, else any cell."""
    good = forking(board, legal)
    return {
        move: 0.1 / len(legal) + (0.9 / len(good) if move in good else 0)
        for move in legal
    }


graded = mb.audit(hesitant).verdicts
print(f"right in {graded.classes_right} classes")
print(f"best moves: {graded.best_move_percent:.1f} %, loss: {graded.expected_loss:.3f}")

assert graded.classes_right == 0

# %% [markdown] lang="en"
# ## Agents of other frameworks
#
# An agent for Kaggle's ConnectX takes an observation and a configuration, and returns a
# column. It is judged as it is, on any game with gravity. No framework needs to be
# installed.

# %% [markdown] lang="ja"
# ## ほかのフレームワークの AI
#
# Kaggle の ConnectX の AI は、observation と configuration を受け取り、
# 列の番号を返します。
# このような AI は、重力のあるどのゲームでも、そのままの形で検証できます。
# フレームワークをインストールする必要はありません。


# %%
def connectx_agent(observation: Any, configuration: Any) -> int:
    """Take the first column that is not full."""
    return observation.board.index(0)


def same_agent(board: str, legal: list[int]) -> int:
    """Do the same in our terms: a move is the cell that gets filled."""
    return min(legal, key=lambda cell: cell % 4)


theirs = mb.audit(connectx_agent, "4x3k3-gravity", interface="connectx")
ours = mb.audit(same_agent, "4x3k3-gravity")
assert theirs.verdicts == ours.verdicts
assert (theirs.verdicts.positions_right, theirs.verdicts.positions) == (1018, 2359)
theirs.verdicts.positions_right, theirs.verdicts.positions

# %% [markdown] lang="en"
# A fault of an agent is a finding, not a crash of the audit:

# %% [markdown] lang="ja"
# AI が誤動作しても、検証は止まりません。
# 見つかった問題（finding）として記録されます。

# %%
faulty = mb.audit(lambda board, legal: 4)
for finding in faulty.interview.findings:
    print(f"{finding.kind}, {finding.count:,} times; first: {finding.detail}")

assert [finding.kind for finding in faulty.interview.findings] == ["illegal move"]

# %% [markdown] lang="en"
# What you have seen:
#
# - An audit asks about every position. It names each mistake, and the shortest way to
#   lose.
# - The last agent is wrong in 6 of 431 classes and still never loses. So wins do not
#   show whether an agent knows the game.
# - Your agent can be a function, a program, or an agent for another framework.
#
# To read on: [audits](../audits.md), [reviews of recorded games](../reviews.md),
# [frameworks](../frameworks.md).

# %% [markdown] lang="ja"
# ここで分かったこと：
#
# - 検証では、すべての局面について調べます。
#   間違いの一つ一つと、最も早く負ける手順が分かります。
# - 最後の AI は 431 グループのうち 6 グループで間違えますが、決して負けません。
#   つまり、AI がゲームを理解しているかどうかは、勝敗では分かりません。
# - AI は、関数でも、プログラムでも、ほかのフレームワークの AI でもかまいません。
#
# 関連ページ：[AI の検証（英語）](../audits.md)、[対局の検証（英語）](../reviews.md)、
# [フレームワーク（英語）](../frameworks.md)
