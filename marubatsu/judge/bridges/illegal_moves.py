"""Illegal moves, and what an environment does with them."""

import json
import os
import resource
import signal

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Status, bits
from marubatsu.judge.bridges.actions import action_of
from marubatsu.judge.bridges.environment import (
    Environment,
    Seen,
    is_less,
    look,
    reward_text,
)

FILLED, OUTSIDE, AT_THE_END = ILLEGAL = (
    "illegal move", "move outside the board", "move after the end",
)  # fmt: skip
"""The kinds of difference that illegal moves show."""


def illegal_moves(game: Game, position: Position) -> dict[str, list[int]]:
    """List the illegal moves to try in a position, by the kind of difference that they may show.

    A cell stands for an action: with gravity the top cell of a full column for that column. Beside
    the board are -1 and the number of cells. On a finished board a mark could fill free cells.
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
        environment.reset()
        for move in moves:
            environment.play(move)
        before = look(environment)
        try:
            environment.play(cell)
        except Exception as error:  # noqa: BLE001, an environment may raise anything
            raised = f"raises {type(error).__name__}"
        after = look(environment)
    except Exception as error:  # noqa: BLE001, as above
        return error_line(error), False
    if not (changes := _changes(before, after)):
        return raised or "changes nothing", True
    if after.over and not before.over and not raised:
        mover, opponent = after.rewards[position.turn], after.rewards[position.turn.other]
        rewards = f"{reward_text(mover)} for the mover, {reward_text(opponent)} for the opponent"
        return f"ends the game: {rewards}", is_less(mover, opponent)
    return f"{raised} and changes {changes}" if raised else f"changes {changes}", False


def answer_apart(
    environment: Environment, moves: tuple[int, ...], position: Position, cell: int
) -> tuple[str, bool]:
    """Do the same in a copy of this process, which a fault of compiled code may end."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # A crash leaves no file.
            answer = answer_to(environment, moves, position, cell)
            os.write(writer, json.dumps(answer).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        told = stream.read()
    _, status = os.waitpid(child, 0)
    if not told:
        number = -os.waitstatus_to_exitcode(status)
        return f"ends the process: {signal.Signals(number).name}", False
    answer, is_right = json.loads(told)
    return answer, is_right


def _changes(before: Seen, after: Seen) -> str:
    """Return the names of the answers that changed; at the end nobody moves."""
    ignored = {"legal", "turn"} if before.over else set[str]()
    return ", ".join(name for name in before.changes(after) if name not in ignored)


def error_line(error: Exception) -> str:
    """Tell what an environment raised, in one line."""
    first, *_ = str(error).splitlines() or [""]
    return f"raises {type(error).__name__}: {first}".rstrip(": ")
