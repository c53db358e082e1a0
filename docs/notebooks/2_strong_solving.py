# %% [markdown] lang="en"
# # 2. Scores and strong solving
#
# What is a position worth when both sides play well from there? A program of fifteen
# lines answers that for every position of tic-tac-toe. With the answers, we can say
# exactly what it means that an AI **solves** the game: in two senses, which are often
# confused.

# %% [markdown] lang="ja"
# # 2. 評価値と強解決
#
# ある局面から双方が最善手を打つと、結果はどうなるでしょうか。
# 〇×ゲームなら、15 行ほどのプログラムで、すべての局面の答えが求まります。
# その答えを使うと、AI がゲームを**解く**とはどういうことかを正確に言えます。
# 「解く」には二つの意味があり、よく混同されます。

# %%
from functools import cache

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
# ## The score of a position
#
# The **score** is from circle's view: +1 when circle wins, 0 for a draw, -1 when cross
# wins. Circle picks the move with the greatest score, cross the one with the least.
# That is all of *minimax*.

# %% [markdown] lang="ja"
# ## 局面の評価値
#
# **評価値**（score）は〇から見た値です。
# 〇の勝ちなら +1、引き分けなら 0、×の勝ちなら -1 です。
# 〇は評価値が最も大きい手を、×は最も小さい手を選びます。
# ミニマックス法とは、これだけのことです。


# %%
@cache
def score(board: str) -> int:
    """Return the result of best play from a board, in circle's view."""
    for mark, won in (("o", 1), ("x", -1)):
        if any(board[a] == board[b] == board[c] == mark for a, b, c in LINES):
            return won
    if "." not in board:
        return 0
    mover, choose = ("o", max) if board.count("o") == board.count("x") else ("x", min)
    return choose(
        score(board[:cell] + mover + board[cell + 1 :])
        for cell in range(9)
        if board[cell] == "."
    )


score("." * 9), score.cache_info().currsize

# %% [markdown] lang="en"
# The game is a draw, and on the way the function met all 5,478 positions. The tables
# know their scores, too. Both agree everywhere:

# %% [markdown] lang="ja"
# 双方が最善手を打つと引き分けです。
# この関数は、それを求める途中で 5,478 個の局面すべてを調べました。
# テーブルにも評価値が入っています。両方の評価値は、すべての局面で一致します。

# %%
tables = mb.tables("tictactoe")
known = dict(tables.positions.project("board, score").fetchall())
assert len(known) == score.cache_info().currsize == 5_478
assert all(score(board) == value for board, value in known.items())

by_ply = mb.sql(
    """
    select
        ply,
        count(*) filter (score = 1) as circle,
        count(*) filter (score = 0) as draw,
        count(*) filter (score = -1) as "cross",
    from positions
    group by ply
    order by ply
    """
).fetchnumpy()
total = {name: int(by_ply[name].sum()) for name in ("circle", "draw", "cross")}

figure, axes = plt.subplots()
floor = 0 * by_ply["ply"]
names = {"circle": "circle wins", "draw": "draw", "cross": "cross wins"}
for (name, label), colour in zip(names.items(), ("C0", "C2", "C1"), strict=True):
    height = by_ply[name]
    axes.bar(
        by_ply["ply"],
        height,
        bottom=floor,
        color=colour,
        label=f"{label}: {total[name]:,}",
    )
    floor = floor + height
axes.set(title="Positions by ply and score", xlabel="ply", xticks=range(10))
axes.legend()
plt.show()

assert total == {"circle": 2_936, "draw": 1_068, "cross": 1_474}

# %% [markdown] lang="en"
# ## One move decides
#
# Circle has begun in a corner, on an edge, or in the centre. What is each reply of
# cross worth? The blue cells lose the game, the grey ones keep the draw.

# %% [markdown] lang="ja"
# ## 一手で決まる
#
# 〇が隅、辺、中央のどれかに打ちました。×のそれぞれの応手の評価値は
# いくつでしょうか。
# 青いマスに打つと負け、灰色のマスなら引き分けです。

# %%
figure, grid = plt.subplots(1, 3, figsize=(8, 3.1), subplot_kw={"aspect": "equal"})
colours = {1: "C0", 0: "C2", -1: "C1"}
for axes, (title, board) in zip(
    grid,
    {"corner": "o........", "edge": ".o.......", "centre": "....o...."}.items(),
    strict=True,
):
    axes.set(xlim=(0, 3), ylim=(3, 0), xticks=range(4), yticks=range(4))
    axes.set_title(f"circle takes the {title}", fontsize=10)
    axes.grid(alpha=0.5)
    axes.tick_params(length=0, labelbottom=False, labelleft=False)
    first = board.index("o")
    axes.plot(
        first % 3 + 0.5, first // 3 + 0.5, "o", ms=24, mew=3, mfc="none", color="C0"
    )
    for move in mb.answer(board).moves:
        column, row = move.move % 3, move.move // 3
        axes.add_patch(
            plt.Rectangle((column, row), 1, 1, color=colours[move.score], lw=0)
        )
        axes.text(column + 0.5, row + 0.5, f"{move.score:+}" if move.score else "0",
                  ha="center", va="center", color="white", weight="bold")  # fmt: skip
plt.show()

assert mb.answer("o........").best_moves == (4,)
assert mb.answer(".o.......").best_moves == (0, 2, 4, 7)
assert mb.answer("....o....").best_moves == (0, 2, 6, 8)

# %% [markdown] lang="en"
# After a corner, seven of eight replies lose. After the centre, every reply on an edge
# loses.
#
# ## Positions that test an AI
#
# Where every move is equally good, an AI cannot go wrong. A position is **critical**
# when at least one legal move is not a best move. Only critical positions test an AI.

# %% [markdown] lang="ja"
# 隅に打たれたときは、8 通りの応手のうち 7 通りが負けになります。
# 中央に打たれたときは、どの辺に打っても負けます。
#
# ## AI を試す局面
#
# どの手の評価値も同じなら、AI は間違えようがありません。
# 最善手でない合法手が一つでもある局面を、
# **悪手のある局面**（critical position）と呼びます。
# AI を試せるのはこの局面だけです。

# %%
critical = mb.sql(
    """
    select
        ply,
        count(*) as unfinished,
        count(*) filter (critical) as critical,
    from positions
    where status = 'playing'
    group by ply
    order by ply
    """
).fetchnumpy()

figure, axes = plt.subplots(figsize=(8, 3.4))
axes.bar(
    critical["ply"],
    critical["unfinished"],
    color="C2",
    alpha=0.5,
    label="unfinished: 4,520",
)
axes.bar(critical["ply"], critical["critical"], color="C4", label="critical: 3,191")
axes.set(title="Unfinished and critical positions", xlabel="ply", xticks=range(9))
axes.legend()
plt.show()

assert (critical["unfinished"].sum(), critical["critical"].sum()) == (4_520, 3_191)
assert len(tables.classes.filter("critical")) == 431

# %% [markdown] lang="en"
# Up to turning and mirroring, these are 431 **classes**: a short exam.
#
# ## Weak and strong
#
# - An AI solves the game **weakly** when it never loses from the empty board, on either
#   side, whatever the opponent plays.
# - It solves the game **strongly** when it plays only best moves in *every* position.
#   That includes positions that its own moves never reach.
#
# `ai1` to `ai14s` are the AIs of the tutorial series that this project rebuilds. Here
# is the exam, written in SQL. An AI fails in a class when it may choose a move with a
# loss in any of its positions. The view `ai_reached` holds what an AI can reach from
# the empty board, and so shows which AIs lose.

# %% [markdown] lang="ja"
# 回転や反転で重なる局面を一つと数えると、431 **グループ**になります。
# 試験問題としては少ない数です。
#
# ## 弱解決と強解決
#
# - **弱解決**：空の盤面から始めれば、〇でも×でも、相手がどう打っても負けません。
# - **強解決**：**どの局面でも**最善手だけを選びます。
#   AI 自身の打ち方では現れない局面も含みます。
#
# `ai1` から `ai14s` は、このプロジェクトのもとになった連載の AI です。
# 試験は SQL で書けます。
# グループのどれか一つの局面でも、損をする手を選ぶ可能性があれば、
# そのグループは不正解とします。
# ビュー `ai_reached` には、AI が空の盤面から到達しうる局面が入っています。
# これを使うと、負けることのある AI が分かります。

# %%
exam = dict(
    mb.sql(
        """
        select
            ai_moves.ai,
            431 - count(distinct class) filter (is_candidate and loss > 0),
        from ai_moves
        join moves using (position, move)
        join positions using (position)
        where critical and regexp_matches(ai_moves.ai, '^ai[0-9]+s?$')
        group by ai_moves.ai
        order by 2, 1
        """
    ).fetchall()
)
loses = {
    ai
    for (ai,) in mb.sql(
        """
        select distinct ai
        from ai_reached
        join positions using (position)
        where status not in (side, 'draw', 'playing')
        """
    ).fetchall()
}

figure, axes = plt.subplots(figsize=(8, 5))
axes.barh(
    list(exam), exam.values(), color=["C2" if ai in loses else "C3" for ai in exam]
)
axes.axvline(431, color="C4", ls="--", label="431: solved strongly")
axes.set(
    title="Critical classes in which an AI is right (green: solves the game weakly)"
)
axes.tick_params(axis="y", labelsize=9)
plt.show()

assert exam["ai14s"] == 424
assert exam["ai1"] == 11
assert exam.keys() - loses == {"ai12s", "ai13s", "ai14s"}

# %% [markdown] lang="en"
# `ai14s` never loses, and still misses 7 of the 431 classes. So it solves the game
# weakly, and not strongly. Somebody who only lets it play would never notice: notebook
# 4 shows how to judge your own agent.
#
# ## How fast a win is
#
# A score says who wins, not when. `score_sv`, the shortest-victory score, also counts
# the plies: of two moves that win, the quicker one is better. Here four moves win, and
# only one wins at once:

# %% [markdown] lang="ja"
# `ai14s` は決して負けませんが、431 グループのうち 7 グループで間違えます。
# つまり、弱解決はしていますが、強解決はしていません。
# 対局させるだけでは、このことに気づけません。
# 自分の AI の検証は、ノートブック 4 で行います。
#
# ## 勝つまでの速さ
#
# 評価値はどちらが勝つかを表しますが、いつ勝つかは表しません。
# `score_sv`（最短勝利の評価値）は手数も考慮し、早く勝つ手ほど高く評価します。
# 次の局面には勝てる手が四つありますが、すぐに勝てる手は一つだけです。

# %%
found = mb.answer("....o.oxx")
print(found.board, found.summary)
for move in found.moves:
    print(
        f"cell {move.move}: {move.outcome} {move.distance} plies on, loss {move.loss}"
    )

assert (found.best_moves, found.best_moves_sv) == ((0, 2, 3, 5), (2,))

# %% [markdown] lang="en"
# ## Do not believe it: prove it
#
# A score follows from the scores of the next positions. One query derives every score
# again and returns the positions where something else is stored. It returns none.

# %% [markdown] lang="ja"
# ## うのみにせず、証明する
#
# 評価値は、一手先の局面の評価値で決まります。
# 次の問い合わせは、すべての評価値を計算し直し、
# 保存されている値と異なる局面を返します。そのような局面は一つもありません。

# %%
counterexamples = mb.sql(
    """
    select positions.board
    from positions
    join moves using (position)
    join positions as next on next.position = moves.child
    group by positions.board, positions.turn, positions.score
    having positions.score != case positions.turn
        when 'circle' then max(next.score) else min(next.score) end
    """
).fetchall()
assert counterexamples == []
len(counterexamples)

# %% [markdown] lang="en"
# What you have seen:
#
# - Tic-tac-toe is a draw, but most positions on the way are won for somebody.
# - 431 classes decide whether an AI knows the game.
# - *Weakly* is about games, *strongly* about all positions.
#
# To read on: [tables](../tables.md), [audits](../audits.md#the-verdicts),
# [SQL](../sql.md).

# %% [markdown] lang="ja"
# ここで分かったこと：
#
# - 双方が最善手を打つと引き分けですが、途中の局面の多くでは、どちらかが勝てます。
# - AI がゲームを理解しているかどうかは、431 グループの局面で分かります。
# - 弱解決は対局についての、強解決はすべての局面についての性質です。
#
# 関連ページ：[テーブル（英語）](../tables.md)、
# [AI の検証（英語）](../audits.md#the-verdicts)、
# [SQL（英語）](../sql.md)
