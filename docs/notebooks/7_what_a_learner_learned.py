# %% [markdown] lang="en"
# # 7. What a learner learned
#
# A program that learns by playing draws nearly all of its games. Has it learned the
# game? Often it has learned its opponent. We train the smallest learner there is, look
# at its results, and then ask it about every position.

# %% [markdown] lang="ja"
# # 7. 学習した AI は何を学んだか
#
# 対局しながら学習したプログラムが、ほとんどの対局を引き分けるようになりました。
# ゲームを学んだのでしょうか。実は、対戦相手の癖を覚えただけのことがよくあります。
# 最も小さな学習器を訓練し、まず成績を見て、次にすべての局面について調べます。

# %%
from collections.abc import Callable
from random import Random

import numpy as np
from matplotlib import pyplot as plt

import marubatsu as mb

plt.style.use("marubatsu.notebook")

# %% [markdown] lang="en"
# ## The game, and two perfect opponents
#
# For each board and move we need the next board, and whether the move is a best one.
# The tables know both. A **reward** says at once what a move is worth: 0 for a best
# move, -1 when it gives away half a win, -2 for a whole one. `mb.rewards` gives it for
# all 16,167 moves.

# %% [markdown] lang="ja"
# ## ゲームと、完璧な二人の相手
#
# 盤面と手の組ごとに、次の盤面と、その手が最善手かどうかが必要です。
# どちらもテーブルに入っています。
# **報酬**は、手の価値をその場で教えてくれます。
# 最善手なら 0、勝ちの半分を失う手なら -1、勝ちを丸ごと失う手なら -2 です。
# `mb.rewards` は、16,167 個の手すべての報酬を返します。

# %%
rows = mb.sql(
    """
    select before.board, move, after.board, after.status, after.score
    from moves
    join positions before using (position)
    join positions after on after.position = child
    order by before.position, move
    """
).fetchall()
boards, cells, *_ = zip(*rows, strict=True)
found = mb.rewards("tictactoe", boards, cells)
assert len(rows) == 16_167

after = {(board, move): rest for board, move, *rest in rows}
reward = dict(zip(after, found.dense.tolist(), strict=True))
legal: dict[str, list[int]] = {}
for board, move in after:
    legal.setdefault(board, []).append(move)
best = {
    board: [move for move in moves if reward[board, move] == 0]
    for board, moves in legal.items()
}


def always_the_first(board: str, random: Random) -> int:
    """Play the first best move, as most programs do."""
    return best[board][0]


def any_best_move(board: str, random: Random) -> int:
    """Play one of the best moves at random."""
    return random.choice(best[board])


def any_move(board: str, random: Random) -> int:
    """Play any move."""
    return random.choice(legal[board])


# %% [markdown] lang="en"
# ## The learner
#
# It keeps a value for each board and move, and plays the move of the greatest value;
# every tenth move it tries any. After each move it corrects the value of that move:
#
# - with the **final** reward by Q-learning: the result of the game is handed back move
#   by move;
# - with the **dense** reward by what `mb.rewards` says about the move.

# %% [markdown] lang="ja"
# ## 学習器
#
# 盤面と手の組ごとに値を一つ覚え、値が最大の手を打ちます。
# 10 手に 1 手ほどは、どの手でも試します。
# 一手打つたびに、その手の値を修正します。
#
# - **最終報酬**では、対局の結果を一手ずつ前へ伝えます（Q 学習）。
# - **密な報酬**では、`mb.rewards` がその手に付けた値を使います。


# %%
class Learner:
    """A table of values, learned from games on both sides."""

    def __init__(self, seed: int, *, is_dense: bool) -> None:
        """Start with the value 0 everywhere."""
        self.random = Random(seed)
        self.is_dense = is_dense
        self.values: dict[str, dict[int, float]] = {}

    def of(self, board: str) -> dict[int, float]:
        """Return the values of the moves on a board."""
        return self.values.setdefault(board, dict.fromkeys(legal[board], 0.0))

    def choose(self, board: str, legal_moves: list[int]) -> list[int]:
        """Return the moves of the greatest value: an AI for an audit."""
        values = self.values.get(board, {})
        top = max(values.values(), default=0.0)
        return [move for move in legal_moves if values.get(move, 0.0) == top]

    def correct(self, board: str, move: int, target: float) -> None:
        """Move the value of a move half of the way to a target."""
        values = self.of(board)
        values[move] += 0.5 * (target - values[move])

    def play(self, opponent: Callable[[str, Random], int], side: int) -> int:
        """Play a game as side 0 or 1, and learn from it; return the result."""
        board, ply, last = "." * 9, 0, None
        while True:
            if ply % 2 == side:
                if last and not self.is_dense:
                    self.correct(*last, max(self.of(board).values()))
                explores = self.random.random() < 0.1
                moves = legal[board] if explores else self.choose(board, legal[board])
                move = self.random.choice(moves)
                last = board, move
                if self.is_dense:
                    self.correct(board, move, reward[board, move])
            else:
                move = opponent(board, self.random)
            board, status, score = after[board, move]
            if status != "playing":
                result = score if side == 0 else -score
                if last and not self.is_dense:
                    self.correct(*last, result)
                return result
            ply += 1


def trained(
    opponent: Callable[[str, Random], int], *, is_dense: bool, games: int, seed: int = 0
) -> Learner:
    """Return a learner after some games, half of them on each side."""
    learner = Learner(seed, is_dense=is_dense)
    for number in range(games):
        learner.play(opponent, number % 2)
    return learner


def drawn(learner: Learner, opponent: Callable[[str, Random], int]) -> float:
    """Return the share of 2,000 games that it draws when it tries nothing any more."""
    random = Random(1)
    count = 0
    for number in range(2_000):
        board, status, score, ply = "." * 9, "playing", 0, 0
        while status == "playing":
            if ply % 2 == number % 2:
                move = random.choice(learner.choose(board, legal[board]))
            else:
                move = opponent(board, random)
            board, status, score = after[board, move]
            ply += 1
        count += score == 0
    return count / 2_000


# %% [markdown] lang="en"
# ## It draws all of its games
#
# 20,000 games against perfect play, and it never loses one again. Most reports stop
# here.

# %% [markdown] lang="ja"
# ## すべての対局を引き分ける
#
# 完璧な相手と 20,000 局打つと、もう一局も負けません。
# たいていの報告は、ここで終わります。

# %%
memory = trained(always_the_first, is_dense=False, games=20_000)
share = drawn(memory, always_the_first)
print(f"draws {share:.1%} of its games")
assert share == 1

# %% [markdown] lang="en"
# ## The audit
#
# Now we ask about every position.

# %% [markdown] lang="ja"
# ## 検証
#
# 今度は、すべての局面について調べます。

# %%
audit = mb.audit(memory.choose)
print(audit.verdicts.classes_right, "of", audit.verdicts.classes, "critical classes")
print("loses points a game to a best opponent:", audit.verdicts.exploitability)
print("draws against any best move:", f"{drawn(memory, any_best_move):.1%}")
assert audit.verdicts.classes == 431
assert audit.verdicts.classes_right < 10

# %% [markdown] lang="en"
# It is right almost nowhere. The opponent always took the *same* best move, so the
# games were always the same few games, and the learner knows these by heart. Another
# perfect opponent, who takes *any* best move, beats it at once.
#
# Two changes help: an opponent with random best moves, and the dense reward.

# %% [markdown] lang="ja"
# 正しい局面は、ほとんどありません。
# 相手はいつも「同じ」最善手を打つので、同じ数局が繰り返されるだけでした。
# 学習器は、それを暗記したのです。
# 最善手のうち「どれか」を打つ別の完璧な相手には、すぐに負けます。
#
# 改善の方法は二つあります。最善手をランダムに選ぶ相手と、密な報酬です。

# %%
learners = {
    "same best move, final": memory,
    "same best move, dense": trained(always_the_first, is_dense=True, games=20_000),
    "any best move, final": trained(any_best_move, is_dense=False, games=20_000),
    "any best move, dense": trained(any_best_move, is_dense=True, games=20_000),
    "any move, dense": trained(any_move, is_dense=True, games=20_000),
}
audits = {name: mb.audit(learner.choose) for name, learner in learners.items()}
measured = {
    name: (
        drawn(learners[name], any_best_move),
        each.verdicts.classes_right / 431,
        each.verdicts.exploitability,
    )
    for name, each in audits.items()
}

figure, plots = plt.subplots(1, 3, figsize=(10, 3.0), sharey=True)
titles = ("drawn, any best move", "critical classes right", "exploitability")
for axes, title, values in zip(
    plots, titles, zip(*measured.values(), strict=True), strict=True
):
    bars = axes.barh(list(measured), values, color=["C3", "C1", "C0", "C2", "C4"])
    axes.bar_label(bars, [f"{value:.3f}" for value in values], padding=4)
    axes.set(title=title, xlim=(0, 1.35), xticks=[])
plots[0].invert_yaxis()
plt.show()

drawn_shares, right_shares, exploited = zip(*measured.values(), strict=True)
assert max(drawn_shares[:2]) < 0.4
assert min(drawn_shares[2:4]) > 0.99 > drawn_shares[4]
assert max(right_shares[:2]) < min(right_shares[2:4]) < 0.25 < right_shares[4]
assert min(exploited[:4]) > 0.7 > exploited[4]

# %% [markdown] lang="en"
# Against any best move, a learner comes to draw nearly every game with perfect play. It
# still fails most of the exam: it never sees what a weaker opponent does, so it cannot
# punish mistakes, and a best opponent wins by leaving the perfect lines. The last
# learner played against any move: it knows more than the others together, though it
# loses more games to perfect play. So results against one opponent rank learners the
# wrong way round.
#
# Where do they fail? The curves show the share of critical positions that a learner
# gets right, by their hardness.

# %% [markdown] lang="ja"
# 最善手のどれかを打つ相手から学ぶと、完璧な相手との対局をほとんど引き分けます。
# それでも試験の大半に失敗します。
# 弱い相手の手を一度も見ていないので、間違いを咎められないのです。
# 最強の相手は、完璧な手順をわざと外れて勝ちます。
# 最後の学習器は、どんな手でも打つ相手から学びました。
# 完璧な相手に負けることは増えましたが、
# ほかの学習器を全部合わせたより多くを知っています。
# 一人の相手との成績だけで比べると、順位が逆になってしまうのです。
#
# どこで失敗するのでしょうか。難しさごとに、正しく打てる局面の割合を描きます。

# %%
hardness = dict(
    mb.sql(
        """
        select positions.board, hardness
        from positions
        join splits using (class)
        where critical
        """
    ).fetchall()
)
bins = np.array([step / 8 for step in range(9)])
figure, axes = plt.subplots(figsize=(8, 3.2))
for name, color in (
    ("same best move, final", "C3"),
    ("any best move, dense", "C2"),
    ("any move, dense", "C4"),
):
    wrong = {row["board"] for row in audits[name].blunders.records()}
    values = np.array(list(hardness.values()))
    right = np.array([board not in wrong for board in hardness])
    at = np.minimum(np.digitize(values, bins) - 1, 7)
    totals = np.bincount(at, minlength=8)
    shares = np.bincount(at, right, minlength=8)[totals > 0] / totals[totals > 0]
    axes.plot((bins[:-1] + 1 / 16)[totals > 0], shares, "o-", label=name, color=color)
axes.set(title="Critical positions right", xlabel="hardness", ylim=(0, 1))
axes.legend()
plt.show()

# %% [markdown] lang="en"
# ## How many games does a reward save?
#
# Against perfect play, both rewards teach the same best moves. The dense one does so
# immediately; the final one has to be handed back from the end of the game. Six
# learners with each reward play against any best move, and after every 250 games we
# count the critical classes that they get right. The bands are 95 % intervals of the
# mean.

# %% [markdown] lang="ja"
# ## 報酬で対局数はどれだけ減るか
#
# 完璧な相手に対しては、どちらの報酬も、同じ最善手を教えます。
# 密な報酬はその場で教えますが、最終報酬は対局の終わりから少しずつ伝わります。
# それぞれの報酬で 6 個の学習器が、最善手のどれかを打つ相手と対局します。
# 250 局ごとに、正しく打てるグループを数えます。
# 帯は、平均の 95 % 信頼区間です。

# %%
class_of = dict(mb.sql("select board, class from positions where critical").fetchall())


def classes_right(learner: Learner) -> int:
    """Return in how many critical classes every choice is a best move."""
    wrong = {
        class_
        for board, class_ in class_of.items()
        if not set(learner.choose(board, legal[board])) <= set(best[board])
    }
    return len({*class_of.values()} - wrong)


assert classes_right(memory) == audit.verdicts.classes_right

SEEDS, STEPS, STEP = 6, 24, 250
T = 2.571  # 95 % of Student's distribution with 5 degrees of freedom
curves: dict[str, list[list[int]]] = {"final": [], "dense": []}
for name, lines in curves.items():
    for seed in range(SEEDS):
        learner = Learner(seed, is_dense=name == "dense")
        counts = [classes_right(learner)]
        for number in range(STEPS * STEP):
            learner.play(any_best_move, number % 2)
            if (number + 1) % STEP == 0:
                counts.append(classes_right(learner))
        lines.append(counts)

figure, axes = plt.subplots(figsize=(8, 3.4))
games = np.arange(STEPS + 1) * STEP
for name, color in (("final", "C0"), ("dense", "C2")):
    counts = np.array(curves[name])
    mean = counts.mean(0)
    half = T * counts.std(0, ddof=1) / SEEDS**0.5
    axes.plot(games, mean, label=f"{name} reward", color=color)
    axes.fill_between(games, mean - half, mean + half, alpha=0.25, color=color)
axes.set(title="Critical classes right", xlabel="games")
axes.legend()
plt.show()

# %% [markdown] lang="en"
# And how many games until a learner has 20 of the classes right?

# %% [markdown] lang="ja"
# では、20 グループを正しく打てるようになるまで、何局かかるでしょうか。


# %%
def games_until(counts: list[int], enough: int) -> int:
    """Return the games after which a learner has enough classes right."""
    return next(number * STEP for number, count in enumerate(counts) if count >= enough)


needed = {
    name: np.array([games_until(counts, 20) for counts in lines])
    for name, lines in curves.items()
}
for name, each in needed.items():
    half = T * each.std(ddof=1) / SEEDS**0.5
    print(f"{name}: {each.mean():,.0f} games, {each.mean() - half:,.0f} to "
          f"{each.mean() + half:,.0f} with 95 % confidence")  # fmt: skip
assert (needed["dense"] < needed["final"]).all()

# %% [markdown] lang="en"
# So: let the opponent vary, reward each move, and never trust results against one
# opponent. An audit takes less than a second.

# %% [markdown] lang="ja"
# まとめます。相手の手に変化を付け、一手ごとに報酬を与えましょう。
# そして、一人の相手との成績を信用してはいけません。検証は 1 秒もかかりません。
