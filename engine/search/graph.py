"""Positions as they are met on a board: each gets a number, its moves and its class."""

from collections.abc import Callable, Hashable
from typing import Any, Literal

from marubatsu.engine.ais.afterstate import Afterstate
from marubatsu.engine.ais.ai import AI, Choice, Number
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.position import Position, Status

Edge = tuple[int, int]  # move, position after it


class Graph:
    """Positions by number, in the order in which they are met; lists are indexed by it.

    Moves are cells. What is found out about a position is kept: its moves, its class, what an AI
    chooses there. The board is put where it is needed, from saved positions.
    """

    def __init__(self, board: Board[Any], order: Literal["row", "column"] = "row") -> None:
        """Start with no position, on a board that nobody else uses; ``order`` is that of moves."""
        self.game = board.game
        self.ply: list[int] = []
        self.status: list[Status] = []
        self.class_ = _Classes(self)
        self._board, self._by_column = board, order == "column"
        self._keys: list[Hashable] = []
        self._parents: list[int] = []  # the position before it
        self._moves: list[Any] = []  # the board's move that led from there
        self._saved: dict[int, Any] = {}  # the positions that were looked around from
        self._here = -1  # the position that the board shows
        self._numbers: dict[Hashable, int] = {}
        self._edges: dict[int, tuple[Edge, ...]] = {}
        self._roots: dict[Position, int] = {}
        self._choices: dict[AI, Choices] = {}

    def number(self, position: Position) -> int:
        """Return the number of a position."""
        number = self._roots.get(position)
        if number is None:
            board = self._board
            board.set_up(position)
            self._here = -1
            key = board.key()
            number = self._numbers.setdefault(key, len(self._keys))
            if number == len(self._keys):
                self._keys.append(key)
                self._parents.append(-1)
                self._moves.append(None)
                self._saved[number] = board.save()
                self.ply.append(board.ply)
                self.status.append(board.status)
            self._roots[position] = number
        return number

    def edges(self, number: int) -> tuple[Edge, ...]:
        """Return the legal moves of a position, ascending, each with the position after it."""
        edges = self._edges.get(number)
        if edges is None:
            edges = self._edges[number] = self._look_around(number)
        return edges

    def _look_around(self, number: int) -> tuple[Edge, ...]:
        """Make every move and take it back; number what has not been met before."""
        board = self.at(number)
        make, unmake, key_of, cell_of = board.make, board.unmake, board.key, board.cell_of
        numbers, keys, plies, statuses = self._numbers, self._keys, self.ply, self.status
        parents, moves = self._parents, self._moves
        if number not in self._saved:
            self._saved[number] = board.save()
        ply = plies[number] + 1
        edges = []
        for move in board.legal_moves():
            make(move)
            key = key_of()
            child = numbers.get(key)
            if child is None:
                child = numbers[key] = len(keys)
                keys.append(key)
                parents.append(number)
                moves.append(move)
                plies.append(ply)
                statuses.append(board.status)
            edges.append((cell_of(move), child))
            unmake()
        if self._by_column:
            columns = self.game.columns
            edges.sort(key=lambda edge: (edge[0] % columns, edge[0]))
        return tuple(edges)

    def at(self, number: int) -> Board[Any]:
        """Return the board, showing a position, until it is needed for another one.

        Whoever makes moves on it takes them back.
        """
        board = self._board
        if number != self._here:
            saved = self._saved.get(number)
            if saved is None:
                board.restore(self._saved[self._parents[number]])
                board.make(self._moves[number])
            else:
                board.restore(saved)
            self._here = number
        return board

    def position(self, number: int) -> Position:
        """Return the position of a number."""
        return self.at(number).position()

    def evaluate(
        self, number: int, move: int | None, evaluate: Callable[[Afterstate], Number]
    ) -> Number:
        """Evaluate the position after a move, or a position itself without its last move."""
        board = self.at(number)
        if move is None:
            board.set_up(board.position())
            return evaluate(Afterstate(board))
        board.make(board.move_of(move))
        value = evaluate(Afterstate(board))
        board.unmake()
        return value

    def choices(self, ai: AI) -> "Choices":
        """Return what an AI chooses, by position."""
        if ai not in self._choices:
            self._choices[ai] = Choices(self, ai)
        return self._choices[ai]

    def image_of_move(self, number: int, move: int) -> int:
        """Return where a move goes on the member of the position's class that was met first."""
        symmetry = self.class_.symmetry(number)
        board = self._board
        return board.cell_of(board.image_of_move(board.move_of(move), symmetry))

    def key(self, number: int) -> Hashable:
        """Return the key of a position."""
        return self._keys[number]


class _Classes(dict[int, int]):
    """The number of the class of every position, in the order in which classes are met."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self._graph = graph
        self._of_key: dict[Hashable, int] = {}
        self._first: list[Hashable] = []  # member met first, by class
        self.orbit: list[int] = []  # members, by class

    def __missing__(self, number: int) -> int:
        key, known = self._graph.key(number), self._of_key
        class_ = known.get(key)
        if class_ is None:
            class_, before = len(self._first), len(known)
            for image in self._graph.at(number).images():
                known[image] = class_
            self._first.append(key)
            self.orbit.append(len(known) - before)
        self[number] = class_
        return class_

    def symmetry(self, number: int) -> int:
        """Return the first symmetry that takes a position to the member of its class met first."""
        return self._graph.at(number).images().index(self._first[self[number]])


class Choices(dict[int, Choice]):
    """What one AI chooses in every position, worked out when first needed."""

    def __init__(self, graph: Graph, ai: AI) -> None:
        """Start with none."""
        super().__init__()
        self._graph, self._chooser = graph, ai.on(graph.game)

    def __missing__(self, number: int) -> Choice:
        """Ask the AI."""
        choice = self[number] = self._chooser.choice(self._graph.at(number))
        return choice
