"""The walk of an environment next to our rules, and a report of the differences that it meets.

A position is reached by lines of one length only, its number of marks. So the difference with the
fewest marks has the shortest line of the walk.
"""

import json
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from random import Random
from typing import NamedTuple, TypeVar

from marubatsu.engine.rules.board_text import draw, to_text
from marubatsu.engine.rules.bounds import arrangements
from marubatsu.engine.rules.game import Game, game_of
from marubatsu.engine.rules.numbering import line_text
from marubatsu.engine.rules.position import EMPTY, Position, Status, bits
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.judge.agents.agent_process import signal_name
from marubatsu.judge.bridges.actions import action_of
from marubatsu.judge.bridges.environments import (
    Environment,
    Seen,
    WalkedEnvironment,
    expected,
    find_environment,
    is_less,
    look,
    reward_text,
)
from marubatsu.pipeline.support.errors import harmless, whole
from marubatsu.pipeline.support.importing import no_exit

KINDS = {
    "errors": "A legal move and every question are answered without an exception.",
    "legal moves": "While the game goes on, the legal moves are those of our rules.",
    "turn": "While the game goes on, the side to move is the same as by our rules.",
    "end": "The game ends where it ends by our rules.",
    "winner": "The result, a winner or a draw, is the same as by our rules.",
    "rewards": "1 for the winner and -1 for the loser, else 0.",
    "observation": "What the players see is the board.",
    "legal moves at the end": "A finished game has no legal move.",
    "illegal move": "It changes nothing, or the mover loses the game.",
    "move outside the board": "It changes nothing, or the mover loses the game.",
    "move after the end": "It changes nothing.",
}
"""Each kind, and what must hold."""

REQUIRED = ("errors", "legal moves", "turn", "end", "winner", "rewards")
"""A walk that did not examine each of these does not pass."""

_PATIENCE = 10  # seconds for a move that may crash
_LONGEST = 200  # characters of an answer that are shown

Value = TypeVar("Value")


@dataclass
class Difference:
    """One kind of difference: how often it was looked for and found, and the shortest line."""

    kind: str
    examined: int = 0
    differing: int = 0
    line: tuple[int, ...] = ()  # the cells played, an illegal one last; of equal length, the first
    expected: str = ""
    found: str = ""

    @property
    def agrees(self) -> bool | None:
        """Whether nothing differs; None when nothing was examined."""
        return self.differing == 0 if self.examined else None

    def note(
        self, line: tuple[int, ...], right: Value, answer: Value, show: Callable[[Value], str] = str
    ) -> None:
        """Compare one answer with ours."""
        self.examined += 1
        if right == answer:
            return
        self.differing += 1
        if self.differing == 1 or (len(line), line) < (len(self.line), self.line):
            self.line, self.expected, self.found = line, show(right), show(answer)[:_LONGEST]


def cells_text(game: Game, cells: Iterable[int], none: str) -> str:
    """Write cells as `line_text` does, those outside the board as numbers, and no cell as ``none``.

    >>> cells_text(Game("connect4"), [38, -1], "none")
    'd1 -1'
    """
    texts = (line_text(game, [cell]) if 0 <= cell < game.cells else str(cell) for cell in cells)
    return " ".join(texts) or none


class Line(NamedTuple):
    """The cells played from the empty board, and what an earlier line has shown of them."""

    moves: tuple[int, ...]
    new_from: int  # the first ply at which this line shows something new


def every_move(game: Game) -> Iterator[Line]:
    """Yield lines that together play every move of every position once."""
    seen: set[Position] = set()
    waiting: list[tuple[tuple[int, ...], Position]] = [((), EMPTY)]
    while waiting:
        moves, position = waiting.pop()
        new_from = len(moves)
        while position not in seen:
            seen.add(position)
            first, *others = game.legal_moves(position) or (None,)
            if first is None:
                break
            waiting += [((*moves, cell), position.after(cell)) for cell in others]
            moves, position = (*moves, first), position.after(first)
        yield Line(moves, new_from)


def random_games(game: Game, count: int, seed: int) -> Iterator[Line]:
    """Yield games of uniformly random play, from the first position to the last."""
    random = Random(seed)  # noqa: S311, chance need not be unguessable
    for _ in range(count):
        moves, position = list[int](), EMPTY
        while legal := game.legal_moves(position):
            moves.append(random.choice(legal))
            position = position.after(moves[-1])
        yield Line(tuple(moves), 0)


FILLED, OUTSIDE, AT_THE_END = ILLEGAL = (
    "illegal move", "move outside the board", "move after the end",
)  # fmt: skip
"""The kinds of difference that illegal moves show."""


def illegal_moves(game: Game, position: Position) -> dict[str, list[int]]:
    """List the illegal moves to try in a position, by the kind of difference that they may show.

    A cell is given for an action: with gravity the top cell of a full column for that column. Moves
    outside the board are -1 and the number of cells. At the end, moves are to free cells.
    """
    free = list(bits(game.open_cells(position.occupied)))
    if game.status(position) is not Status.PLAYING:
        return {AT_THE_END: free}
    actions = {action_of(game, cell) for cell in free}
    filled = {action_of(game, cell): cell for cell in reversed(list(bits(position.occupied)))}
    return {
        FILLED: sorted(cell for action, cell in filled.items() if action not in actions),
        OUTSIDE: [-1, game.cells],
    }


def answer_to(
    environment: Environment, moves: tuple[int, ...], position: Position, cell: int
) -> tuple[str, bool]:
    """Play an illegal move after a line, and tell what it did and whether that is in order.

    In order is a move that changes nothing, with or without an exception, and one that ends the
    game with less for the mover than for the opponent. At the end it may only change nothing.
    """
    raised = ""
    try:
        with no_exit():
            environment.reset()
            for move in moves:
                environment.play(move)
            before = look(environment)
        try:
            with no_exit():
                environment.play(cell)
        except Exception as error:  # noqa: BLE001, an environment may raise anything
            raised = f"raises {type(error).__name__}"
        with no_exit():
            after = look(environment)
    except Exception as error:  # noqa: BLE001, as above
        return error_line(error), False
    if not (changes := before.changes(after)):
        return raised or "changes nothing", True
    if after.over and not before.over and not raised:
        mover, opponent = after.rewards[position.turn], after.rewards[position.turn.other]
        rewards = f"{reward_text(mover)} for the mover, {reward_text(opponent)} for the opponent"
        return f"ends the game: {rewards}", is_less(mover, opponent)
    return f"{raised} and changes {changes}" if raised else f"changes {changes}", False


def answer_apart(
    environment: Environment, moves: tuple[int, ...], position: Position, cell: int
) -> tuple[str, bool]:
    """Do the same in a copy of this process, which a fault of compiled code, or an alarm, ends."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # A crash leaves no file.
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
            answer = answer_to(environment, moves, position, cell)
            os.write(writer, json.dumps(answer).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        message = stream.read()
    _, status = os.waitpid(child, 0)
    if not message:
        code = os.waitstatus_to_exitcode(status)
        if code == -signal.SIGALRM:
            return f"takes more than {_PATIENCE:g} s", False
        by = signal_name(-code) if code < 0 else f"exit code {code}"
        return f"ends the process: {by}", False
    answer, is_right = json.loads(message)
    return answer, is_right


def error_line(error: Exception) -> str:
    """Describe what an environment raised, in one line."""
    first, *_ = str(error).splitlines() or [""]
    return f"raises {type(error).__name__}: {first}".rstrip(": ")


class Walk:
    """An environment next to our rules, and the differences so far."""

    def __init__(self, game: Game, environment: Environment, *, every_illegal_move: bool) -> None:
        """Begin a walk that tries every illegal move, or one of each kind in each position."""
        self.game = game
        self.differences = {kind: Difference(kind) for kind in KINDS}
        self.answers: Counter[tuple[str, str]] = Counter()
        """How often illegal moves, and moves after the end, were answered in which way."""
        self.positions: set[Position] = set()
        self._environment = environment
        self._may_crash = getattr(environment, "may_crash", False)
        self._lines = 0
        self._every_illegal_move = every_illegal_move
        self._left: set[Position] = set()  # positions from which the environment cannot go on
        self._images = symmetries(game)  # those that turn every board into what was observed

    def agrees(self, accepted: Container[str] = ()) -> bool:
        """Return whether all that must be examined was, and only accepted kinds differ."""
        return all(
            (difference.examined or kind not in REQUIRED)
            and (not difference.differing or kind in accepted)
            for kind, difference in self.differences.items()
        )

    @property
    def observed_as(self) -> str | None:
        """The name of the symmetry under which every observation is the board."""
        return next((image.name for image in self._images), None)

    def follow(self, line: Line) -> None:
        """Play a line, compare what is new in it, and try illegal moves in new positions."""
        self._lines += 1
        places = list(accumulate(line.moves, Position.after, initial=EMPTY))
        if not self._left.isdisjoint(places[: line.new_from]):
            return
        for ply in self._play(line, places):
            if places[ply] not in self.positions:
                self.positions.add(places[ply])
                self._try_illegal_moves(line.moves[:ply], places[ply])

    def _play(self, line: Line, places: list[Position]) -> list[int]:
        """Play a line as far as the environment follows; return the plies that were compared."""
        done = list[int]()
        for ply, position in enumerate(places):
            moves = line.moves[:ply]
            try:
                with no_exit():
                    if ply:
                        self._environment.play(moves[-1])
                    else:
                        self._environment.reset()
                    seen = look(self._environment) if ply >= line.new_from else None
            except Exception as error:  # noqa: BLE001, an environment may raise anything
                self.differences["errors"].note(moves, "no exception", error_line(error))
                self._left.add(position)
                break
            if seen is not None:
                self._compare(moves, position, seen)
                done.append(ply)
            if position in self._left:
                break
        return done

    def _compare(self, moves: tuple[int, ...], position: Position, seen: Seen) -> None:
        right, differences = expected(self.game, position), self.differences
        differences["errors"].note(moves, "no exception", "no exception")
        words = {True: "over", False: "goes on"}
        differences["end"].note(moves, right.over, seen.over, words.__getitem__)
        for observed in seen.observations:
            differences["observation"].note(moves, position, observed, self._board)
            self._images = tuple(s for s in self._images if s.of_position(position) == observed)
        if right.over != seen.over:
            self._left.add(position)
            return
        if right.over:
            differences["winner"].note(moves, right.winner, seen.winner, str)
            differences["legal moves at the end"].note(moves, right.legal, seen.legal, self._cells)
        else:
            differences["turn"].note(moves, right.turn, seen.turn)
            differences["legal moves"].note(moves, right.legal, seen.legal, self._cells)
        differences["rewards"].note(moves, right.rewards, seen.rewards, _rewards)

    def _try_illegal_moves(self, moves: tuple[int, ...], position: Position) -> None:
        if position in self._left:
            return
        for kind, cells in illegal_moves(self.game, position).items():
            answer_by = answer_to
            if kind == OUTSIDE and self._may_crash:
                if self._lines > 1:  # Another process takes its time: one line is enough.
                    continue
                answer_by = answer_apart
            right = "no change" if kind == AT_THE_END else "no change, or a loss for the mover"
            one = len(self.positions) % max(len(cells), 1)
            for cell in cells if self._every_illegal_move else cells[one : one + 1]:
                answer, is_right = answer_by(self._environment, moves, position, cell)
                self.answers[kind, answer] += 1
                self.differences[kind].note((*moves, cell), right, right if is_right else answer)

    def _cells(self, cells: tuple[int, ...]) -> str:
        return cells_text(self.game, cells, "none")

    def _board(self, position: Position) -> str:
        circle, cross = position
        if circle & cross or (circle | cross) & ~self.game.full:
            return f"masks {circle} and {cross}"
        return to_text(self.game, position)


def _rewards(rewards: tuple[float | None, float | None]) -> str:
    return f"circle {reward_text(rewards[0])}, cross {reward_text(rewards[1])}"


COLUMNS = ("compared", "agrees", "examined", "differences", "line", "expected", "found")

MOST_POSITIONS = 10_000  # of a game that is walked completely, unless a sample is wanted
GAMES = 100  # random ones of a larger game, by default


def walk_environment(
    walked: WalkedEnvironment, games: int | None, seed: int, progress: Callable[[float], None]
) -> Walk:
    """Walk every move of every position, or random games; the environment prints to standard error.

    Without a number of games, the size of the game decides.
    """
    game = walked.game
    most = sum(arrangements(game))
    if games is None and most > MOST_POSITIONS:
        games = GAMES
    walk_ = Walk(game, walked.environment, every_illegal_move=games is None)
    lines = every_move(game) if games is None else random_games(game, games, seed)
    with redirect_stdout(sys.stderr):
        for number, line in enumerate(lines):
            walk_.follow(line)
            progress(len(walk_.positions) / most if games is None else number / games)
    return walk_


def conform_env(
    environment: object, game: Game | str | None = None, *, sample: int | None = None, seed: int = 0
) -> Walk:
    """Walk an environment alongside our rules; return the differences of each kind.

    ``environment`` is an object or a class of ``game`` (tictactoe) with the methods that
    docs/environments.md lists, or a name as in ``marubatsu conform-env``. The walk takes every move
    of a small game, and 100 random games of a larger one; ``sample`` is another number of games,
    which ``seed`` draws.

    The walk's ``agrees`` returns whether nothing differs but the kinds in its argument.
    ``differences`` maps the name of each kind to a `Difference`: how often the walk ``examined``
    it, how often it was ``differing``, and the shortest ``line`` of cells to one.

    Raises InputError for a name of no game, UsageError if this is not an environment or the sample
    makes no sense, DataError when the environment fails.

    >>> class First:  # Whoever marks a cell first has won.
    ...     def reset(self): self.marks = 0
    ...     def play(self, cell): self.marks += 1
    ...     def legal_moves(self): return [] if self.marks else [0, 1]
    ...     def turn(self): return "cross" if self.marks else "circle"
    ...     def over(self): return self.marks > 0
    ...     def rewards(self): return (1, -1) if self.marks else (0, 0)
    >>> walk = conform_env(First, "2x1k1")
    >>> walk.agrees(), [kind for kind, found in walk.differences.items() if found.differing]
    (False, ['move outside the board'])
    """
    games = None if sample is None else whole("sample", sample, least=1)
    walked = find_environment(environment, None if game is None else game_of(game))
    return walk_environment(walked, games, whole("seed", seed), lambda share: None)


def rows(walk: Walk) -> list[tuple[object, ...]]:
    """Return a row for each kind; line, expected and found are those of the shortest line."""
    listed: list[tuple[object, ...]] = []
    for each in walk.differences.values():
        first = (cells_text(walk.game, each.line, "no move"), each.expected, each.found)
        cells = first if each.differing else (None, None, None)
        listed.append((each.kind, each.agrees, each.examined, each.differing, *cells))
    return listed


def summary(walked: WalkedEnvironment, walk: Walk, accepted: Container[str] = ()) -> str:
    """Describe each difference with its board, the answers to illegal moves, and the verdict."""
    parts = [_difference(walk, each) for each in walk.differences.values() if each.differing]
    answers = sorted(walk.answers.items())
    parts += [f"{kind}: {answer} ({count:,} times)\n" for (kind, answer), count in answers]
    release = f" of {walked.release}" if walked.release else ""
    verdict = "agrees with" if walk.agrees(accepted) else "differs from"
    waived = [each.kind for each in walk.differences.values()
              if each.differing and each.kind in accepted]  # fmt: skip
    but = f", but for: {', '.join(waived)}" if waived else ""
    positions = f"{len(walk.positions):,} positions"
    parts.append(f"{walked.name}{release} {verdict} {walk.game.name} in {positions}{but}\n")
    return harmless("\n".join(parts))


def _difference(walk: Walk, difference: Difference) -> str:
    game, line = walk.game, difference.line
    text = (
        f"{difference.kind}: {KINDS[difference.kind]}\nafter {cells_text(game, line, 'no move')}: "
        f"expected {difference.expected}, found {difference.found}\n"
    )
    if difference.kind == "observation" and walk.observed_as:
        text += f"every observation is the board under one symmetry: {walk.observed_as}\n"
    board = reduce(Position.after, line[:-1] if difference.kind in ILLEGAL else line, EMPTY)
    return f"{text}\n{draw(game, board)}\n"
