"""Hints at what an AI means otherwise than it is asked: who begins, its values.

Each hint sees the AI's answers and becomes a finding after the interview.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.rules.board_text import exchange_marks, to_text
from marubatsu.engine.rules.masks import Bools, Ints
from marubatsu.engine.rules.position import Side
from marubatsu.judge.agents.agent import Agent, BoardQuestion, RefusedError, SpentError
from marubatsu.judge.agents.faults import COSTLY
from marubatsu.judge.audit.interview import Choices, Finding
from marubatsu.judge.oracle.answer import Answers

_COMPARED = 200  # critical positions at most that are asked about with exchanged marks
_FEWER = 5  # of so many of these, one is asked about with marks in capitals
_REMEMBERED = 10_000  # critical positions from which these are drawn
_SURE = 3  # standard errors by which answers with exchanged marks must be better
_LEAST_WINS = 10  # positions with a win at once, below which it means nothing to take none


class ExchangedMarks:
    """Whether an AI is right far more often, and mostly, on boards with other marks.

    On a board with as many marks of each, no evaluation knows that they are exchanged.
    """

    def __init__(self, *, is_evaluation: bool) -> None:
        self._is_evaluation = is_evaluation
        self._judged: list[tuple[Answers, Ints, Bools]] = []  # critical positions, and if right

    def add(self, truth: Answers, choices: Choices) -> None:
        """Remember in which critical positions the AI is right."""
        if sum(len(places) for _, places, _ in self._judged) < _REMEMBERED:
            is_right = truth.sums(choices.is_candidate & ~truth.is_best) == 0
            shows_marks = not self._is_evaluation or truth.ply % 2 == Side.CROSS
            critical = np.flatnonzero(truth.critical & choices.answered & shows_marks)
            self._judged.append((truth, critical, is_right[critical]))

    def findings(self, agent: Agent, asked: int, times: int, seed: int) -> Iterator[Finding]:
        """Ask an AI with mistakes about some critical positions with the marks exchanged.

        It is asked as many ``times`` about each as before, in all at most a tenth of what it was
        ``asked``. A seed draws them. If it is no better then, it is asked about some of them with
        marks in capitals, too.
        """
        places = [
            (truth, place, is_right)
            for truth, critical, right in self._judged
            for place, is_right in zip(critical.tolist(), right.tolist(), strict=True)
        ]
        if all(is_right for *_, is_right in places):
            return
        most = min(_COMPARED, asked // (10 * times))
        order = np.sort(np.random.default_rng(seed).permutation(len(places))[:most])
        drawn = [places[number] for number in order.tolist()]
        other = "o" if agent.is_exchanged else "x"
        begins, first = f"when {other} begins", f"try the option first={other!r}"
        found = _better_so(agent, drawn, times, exchange_marks, "exchanged marks", begins, first)
        if not found and not self._is_evaluation:
            few, kind, cure = drawn[::_FEWER], "capital marks", "use board.upper()"
            capitals, both = "with O and X for o and x", f"{cure}, and {first}"
            found = max(
                _better_so(agent, few, times, str.upper, kind, capitals, cure),
                _better_so(agent, few, times, _other_capitals, kind, f"{capitals}, {begins}", both),
                key=lambda findings: [each.count for each in findings],
            )
        yield from found


def _other_capitals(board: str) -> str:
    return exchange_marks(board).upper()


def _better_so(
    agent: Agent,
    drawn: Sequence[tuple[Answers, int, bool]],
    times: int,
    spelled: Callable[[str], str],
    kind: str,
    how: str,
    cure: str,
) -> list[Finding]:
    """Ask about drawn positions, spelled otherwise; return the finding that the AI is better so.

    What fails then is no finding.
    """
    only: dict[bool, list[str]] = {True: [], False: []}  # boards, by whether it is right then
    before = 0
    for truth, place, was_right in drawn:
        moves, board = truth.moves_of(place), to_text(truth.game, truth[place])
        question = BoardQuestion(spelled(board), truth.move[moves].tolist())
        try:
            answers = [each.answer for each in agent.answers([question] * times)]
        except (RefusedError, SpentError):
            return []
        if any(isinstance(each, Fault) and each.kind in COSTLY for each in answers):
            return []
        best = set(truth.best_moves(place))
        is_right = all(isinstance(a, Reply) and best.issuperset(a.moves) for a in answers)
        before += was_right
        if is_right != was_right:
            only[is_right].append(board)
    better, worse = len(only[True]), len(only[False])
    after = before + better - worse
    if after - before <= _SURE * (better + worse) ** 0.5 or 2 * after <= len(drawn):
        return []
    detail = (
        f"right in {before} of {len(drawn)} critical positions as it is asked, in {after} {how}: "
        f"{cure}"
    )
    return [Finding(kind, better, only[True][0], detail)]


class AvoidedWins:
    """Positions in which some moves win at once and others are worse, and what an AI takes there.

    In misère games, where no move wins at once, some lose at once and others are better. Values in
    the view of circle are negated where cross just moved, so each side counts on its own, too.
    """

    def __init__(self, *, misere: bool) -> None:
        self._misere = misere
        self._positions: Counter[str] = Counter()  # by the side
        self._avoided: Counter[str] = Counter()
        self._first: dict[str, str] = {}  # board

    def add(self, truth: Answers, choices: Choices) -> None:
        """Count positions that an AI was asked about."""
        mover = 1 - 2 * (truth.ply[truth.parent] % 2)
        has_result = truth.move_score == (-mover if self._misere else mover)
        at_once = has_result & (truth.move_distance == 0)
        can_end = (truth.sums(at_once) > 0) & (truth.sums(~has_result) > 0) & choices.answered
        is_taken = choices.is_candidate & (~has_result if self._misere else at_once)
        avoids = truth.sums(is_taken) == 0
        is_crosses = truth.ply % 2 == Side.CROSS
        for who, is_asked in (("", True), (" as circle", ~is_crosses), (" as cross", is_crosses)):
            counted = can_end & is_asked
            if counted.any():
                board = to_text(truth.game, truth[int(counted.argmax())])
                self._first.setdefault(who, board)
            self._positions[who] += int(counted.sum())
            self._avoided[who] += int((counted & avoids).sum())

    def findings(self) -> Iterator[Finding]:
        """Return the finding that the AI never wins at once, or always loses so, if it does."""
        kind, does, where = "avoids wins", "never wins at once", "where another move is worse"
        if self._misere:
            kind, does = "takes losses", "always loses at once"
            where = "or later where another move is better"
        for who, count in self._positions.items():
            if count >= _LEAST_WINS and self._avoided[who] == count:
                view = "in the view of one side, where the other just moved"
                detail = (
                    f"it {does}{who} {where}, in {count:,} positions: a value must be high where "
                    "the player who just moved does well: negate values "
                    f"{view if who else 'for the side to move'}; where x begins on your boards, "
                    "try the option first='x'"
                )
                yield Finding(kind, count, self._first[who], detail)
                return
