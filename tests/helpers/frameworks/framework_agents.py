"""One agent in the terms of each framework: its answer depends on every mark on the board.

Each of them reads the board as its framework shows it, asks `pick`, and answers in those terms.
"""

import re
import sys
from collections.abc import Callable, Iterable
from typing import Any

from marubatsu.engine.rules.game import Game

Agent = Callable[..., Any]


def pick(own: Iterable[int], other: Iterable[int], legal: Iterable[int], seed: int = 0) -> int:
    cells = sorted(legal)
    return cells[(sum(own) + 2 * sum(other) + seed) % len(cells)]


def agents(game: Game, seed: int = 0) -> dict[str, Any]:
    """Return the agent in the terms of each framework that asks functions or objects."""

    def action(marks: Iterable[tuple[int, bool]]) -> int:
        """Return the answer to marks, each a cell and whether it is the own side's."""
        owner = dict(marks)
        circle = sum(own == (len(owner) % 2 == 0) for own in owner.values())
        assert circle == (len(owner) + 1) // 2  # The agent is to move.
        open_cells = game.open_cells(sum(1 << cell for cell in owner))
        legal = [cell for cell in range(game.cells) if open_cells >> cell & 1]
        own, other = ([cell for cell in owner if owner[cell] == mine] for mine in (True, False))
        cell = pick(own, other, legal, seed)
        return cell % game.columns if game.gravity else cell

    def ours(board: str, legal: list[int]) -> int:
        me = "ox"[(len(board) - board.count(".")) % 2]
        cells = {
            mine: [at for at, mark in enumerate(board) if mark != "." and (mark == me) == mine]
            for mine in (True, False)
        }
        return pick(cells[True], cells[False], legal, seed)

    def connectx(observation: Any, configuration: Any) -> int:
        assert (configuration["columns"], configuration.rows) == (game.columns, game.rows)
        marks = enumerate(observation["board"])
        return action((cell, mark == observation.mark) for cell, mark in marks if mark)

    def aec(observed: Any) -> int:
        planes, mask = observed["observation"], observed["action_mask"]
        assert str(planes.dtype) == str(mask.dtype) == "int8"
        marks = []
        for first, second, plane in zip(*planes.nonzero(), strict=True):
            x, y = (second, first) if game.gravity else (first, second)
            marks.append((int(x + game.columns * y), plane == 0))
        move = action(marks)
        if not game.gravity:
            row, column = divmod(move, game.columns)
            move = row + game.rows * column
        assert mask[move] == 1
        return move

    def textarena(text: str) -> str:
        own = re.findall(r"Your mark is '(.)'", text)[0]
        board = text.partition("Current Board:\n\n")[2].partition("\n\n")[0]
        cells = re.findall(r"[OX.]|[0-9]+", board)[game.columns if game.gravity else 0 :]
        marks = [(cell, sign == own) for cell, sign in enumerate(cells) if sign in "OX"]
        if game.gravity:  # The last move on the first line that has one is played.
            return f"It\nis not [0], but [{action(marks)}].\n[col 0] is full."
        return f"My move is [{action(marks)}], not [0] or [1]."

    return {"": ours, "connectx": connectx, "aec": aec, "textarena": textarena,
            "openspiel": PickBot(action), "series": of_series(game, seed)}  # fmt: skip


def of_series(game: Game, seed: int) -> Agent:
    def agent(mb: Any, debug: bool = False) -> tuple[int, int]:  # noqa: FBT001, FBT002, as there
        cells: dict[bool, list[int]] = {True: [], False: []}
        for x, column in enumerate(mb.board):
            for y, mark in enumerate(column):
                assert mark == mb.board.getmark(x, y)
                if mark != mb.EMPTY:
                    cells[mark == mb.turn].append(x + game.columns * y)
        legal = [x + game.columns * y for x, y in mb.calc_legal_moves()]
        y, x = divmod(pick(cells[True], cells[False], legal, seed), game.columns)
        return x, y

    return agent


class PickBot:
    """The agent as a bot of OpenSpiel."""

    def __init__(self, action: Callable[[Iterable[tuple[int, bool]]], int]) -> None:
        self._action = action

    def step(self, state: Any) -> int:
        own = "xo"[state.current_player()]
        board = "".join(str(state).split())
        return self._action((cell, sign == own) for cell, sign in enumerate(board) if sign != ".")


def speak_gtp(game: Game) -> None:
    """Answer commands of GTP, one a line."""
    colours: dict[int, str] = {}
    for line in sys.stdin:
        command, *given = line.split()
        answer = ""
        if command == "clear_board":
            colours.clear()
        elif command == "play":
            vertex = given[1]
            cell = "abcdefghj".index(vertex[0]) + game.columns * (game.rows - int(vertex[1:]))
            colours[cell] = given[0]
        elif command == "genmove":
            own, other = (
                [cell for cell, colour in colours.items() if (colour == given[0]) == mine]
                for mine in (True, False)
            )
            open_cells = game.open_cells(sum(1 << cell for cell in colours))
            legal = [cell for cell in range(game.cells) if open_cells >> cell & 1]
            row, column = divmod(pick(own, other, legal), game.columns)
            answer = f"{'ABCDEFGHJ'[column]}{game.rows - row}"
        else:
            assert (command, given) in (
                ("boardsize", [str(game.columns)]),
                ("rectangular_boardsize", [str(game.columns), str(game.rows)]),
            )
        print(f"= {answer}\n", flush=True)
