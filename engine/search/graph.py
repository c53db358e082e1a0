"""Positions as they are met on a board: each gets a number, its moves and its class."""

from collections.abc import Callable, Hashable
from typing import Any, Literal

from marubatsu.engine.ais.afterstate import After
from marubatsu.engine.ais.ai import AI, Choice, Value
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.game import Status

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
        self._roots: dict[tuple[int, int], int] = {}
        self._choices: dict[AI, Choices] = {}

    def number(self, circle: int, cross: int) -> int:
        """Return the number of a position given by its masks."""
        number = self._roots.get((circle, cross))
        if number is None:
            board = self._board
            board.set_up(circle, cross)
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
            self._roots[circle, cross] = number
        return number

    def edges(self, node: int) -> tuple[Edge, ...]:
        """Return the legal moves of a position, ascending, each with the position after it."""
        edges = self._edges.get(node)
        if edges is None:
            edges = self._edges[node] = self._look_around(node)
        return edges

    def _look_around(self, node: int) -> tuple[Edge, ...]:
        """Make every move and take it back; number what has not been met before."""
        board = self.at(node)
        make, unmake, key_of, cell_of = board.make, board.unmake, board.key, board.cell_of
        numbers, keys, plies, statuses = self._numbers, self._keys, self.ply, self.status
        parents, moves = self._parents, self._moves
        if node not in self._saved:
            self._saved[node] = board.save()
        ply = plies[node] + 1
        edges = []
        for move in board.legal_moves():
            make(move)
            key = key_of()
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(keys)
                keys.append(key)
                parents.append(node)
                moves.append(move)
                plies.append(ply)
                statuses.append(board.status)
            edges.append((cell_of(move), number))
            unmake()
        if self._by_column:
            columns = self.game.columns
            edges.sort(key=lambda edge: (edge[0] % columns, edge[0]))
        return tuple(edges)

    def at(self, node: int) -> Board[Any]:
        """Return the board, showing a position, until it is needed for another one.

        Whoever makes moves on it takes them back.
        """
        board = self._board
        if node != self._here:
            saved = self._saved.get(node)
            if saved is None:
                board.restore(self._saved[self._parents[node]])
                board.make(self._moves[node])
            else:
                board.restore(saved)
            self._here = node
        return board

    def masks(self, node: int) -> tuple[int, int]:
        """Return the masks of a position."""
        return self.at(node).masks()

    def evaluate(self, node: int, move: int | None, evaluate: Callable[[After], Value]) -> Value:
        """Evaluate the position after a move, or a position itself without its last move."""
        board = self.at(node)
        if move is None:
            board.set_up(*board.masks())
            return evaluate(After(board))
        board.make(board.move_of(move))
        value = evaluate(After(board))
        board.unmake()
        return value

    def choices(self, ai: AI) -> "Choices":
        """Return what an AI chooses, by position."""
        if ai not in self._choices:
            self._choices[ai] = Choices(self, ai)
        return self._choices[ai]

    def image_of_move(self, node: int, move: int) -> int:
        """Return where a move goes on the member of the position's class that was met first."""
        symmetry = self.class_.symmetry(node)
        board = self._board
        return board.cell_of(board.image_of_move(board.move_of(move), symmetry))

    def key(self, node: int) -> Hashable:
        """Return the key of a position."""
        return self._keys[node]


class _Classes(dict[int, int]):
    """The number of the class of every position, in the order in which classes are met."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self._graph = graph
        self._of_key: dict[Hashable, int] = {}
        self._first: list[Hashable] = []  # member met first, by class
        self.orbit: list[int] = []  # members, by class

    def __missing__(self, node: int) -> int:
        key, known = self._graph.key(node), self._of_key
        number = known.get(key)
        if number is None:
            number, before = len(self._first), len(known)
            for image in self._graph.at(node).images():
                known[image] = number
            self._first.append(key)
            self.orbit.append(len(known) - before)
        self[node] = number
        return number

    def symmetry(self, node: int) -> int:
        """Return the first symmetry that takes a position to the member of its class met first."""
        return self._graph.at(node).images().index(self._first[self[node]])


class Choices(dict[int, Choice]):
    """What one AI chooses in every position, worked out when first needed."""

    def __init__(self, graph: Graph, ai: AI) -> None:
        """Start with none."""
        super().__init__()
        self._graph, self._chooser = graph, ai.on(graph.game)

    def __missing__(self, node: int) -> Choice:
        """Ask the AI."""
        choice = self[node] = self._chooser.choice(self._graph.at(node))
        return choice
