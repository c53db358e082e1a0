"""Positions in the order of their discovery, each with a number, its moves and its class.

A search tries the successors of a position in an order of its own. A successor is a pair: the
number of the position after the move, and the mover's score when that is a leaf, else None. So
negamax counts and scores leaves without entering them.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from marubatsu.engine.ais.ai import AI, Afterstate, Cached, Choice, Number
from marubatsu.engine.boards.board import DRAW, PLAYING, Board
from marubatsu.engine.rules.position import Position, Status

Edge: TypeAlias = tuple[int, int]
"""A move and the position after it; a plain tuple, because named ones slow a search by a tenth."""


class Graph:
    """Positions, numbered in the order of their discovery; the lists are indexed by number.

    Moves are cells. The graph keeps each position's moves, class and choices of AIs. It sets its
    one board to a position from saved positions.
    """

    def __init__(self, board: Board[Any], order: Literal["row", "column"] = "row") -> None:
        """Start without positions; only the graph uses ``board``; ``order`` is that of moves."""
        self.game = board.game
        self.ply: list[int] = []
        self.status: list[Status] = []
        self.class_ = _Classes(self)
        self._board, self._by_column = board, order == "column"
        self._keys: list[Hashable] = []
        self._parents: list[int] = []  # the position before it
        self._moves: list[Any] = []  # the board's move that led from there
        self._saved: dict[int, Any] = {}  # boards of roots and of positions with edges
        self._here = -1  # the position on the board
        self._numbers: dict[Hashable, int] = {}
        self._edges: dict[int, tuple[Edge, ...]] = {}
        self._roots: dict[Position, int] = {}
        self._positions: dict[int, Position] = {}
        self._choices: dict[AI, Cached[int, Choice]] = {}

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
        """Make every move and take it back; number each new position."""
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
        """Return the board, set to a position; the next call may set it to another one.

        A caller that makes moves on it must take them back.
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
        """Return the position with a number."""
        position = self._positions.get(number)
        if position is None:
            position = self._positions[number] = self.at(number).position()
        return position

    def evaluate(
        self, number: int, move: int | None, evaluate: Callable[[Afterstate], Number]
    ) -> Number:
        """Evaluate the position after a move; without a move, the position itself."""
        board = self.at(number)
        if move is None:
            board.set_up(board.position())  # Its moves are unknown, as those of any position.
            return evaluate(Afterstate(board))
        board.make(board.move_of(move))
        value = evaluate(Afterstate(board))
        board.unmake()
        return value

    def choices(self, ai: AI) -> Cached[int, Choice]:
        """Return the choices of an AI, by position."""
        if ai not in self._choices:
            chooser = ai.on(self.game)
            self._choices[ai] = Cached(lambda number: chooser.choice(self.at(number)))
        return self._choices[ai]

    def images(self, number: int) -> Sequence[Hashable]:
        """Return the keys of a position's images, in the order of the symmetries."""
        return self.at(number).images()

    def key(self, number: int) -> Hashable:
        """Return the key of a position."""
        return self._keys[number]


class _Classes(dict[int, int]):
    """The class of every position; classes are numbered in the order of their discovery."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self._graph = graph
        self._of_key: dict[Hashable, int] = {}
        self.orbit: list[int] = []  # number of members, by class

    def __missing__(self, number: int) -> int:
        class_of_key = self._of_key
        class_ = class_of_key.get(self._graph.key(number))
        if class_ is None:
            class_, before = len(self.orbit), len(class_of_key)
            for image in self._graph.images(number):
                class_of_key[image] = class_
            self.orbit.append(len(class_of_key) - before)
        self[number] = class_
        return class_


Successor: TypeAlias = tuple[Any, "Number | None"]
Second = TypeVar("Second")
Order: TypeAlias = Callable[[int, Sequence[Edge]], Sequence[Edge]]
"""A function from a position and its edges in ascending order to the edges in search order."""

LeafScore: TypeAlias = Callable[[int, int | None, int], "Number | None"]
"""A function from a position, a move and the child to the mover's score of a leaf, else None.

Without a move the child is the position itself.
"""


class Successors(Protocol):
    """The successors of every unfinished position."""

    def __getitem__(self, number: int) -> Sequence[Successor]:
        """Return the successors of a position."""


CachedSuccessors: TypeAlias = Cached[int, Sequence[Successor]]
"""Successors that are made once for each position."""


def fixed_successors(graph: Graph, order: Order, leaf_score: LeafScore) -> CachedSuccessors:
    """Return the successors in an order."""

    def make(number: int) -> Sequence[Successor]:
        edges = order(number, graph.edges(number))
        return [(child, leaf_score(number, move, child)) for move, child in edges]

    return Cached(make)


def preferred_successors(
    successors: Successors, leader: Callable[[int], int | None]
) -> CachedSuccessors:
    """Return successors with the child that ``leader`` returns, if any, swapped to the head."""

    def make(number: int) -> Sequence[Successor]:
        given, first = successors[number], leader(number)
        if first is None or first == given[0][0]:
            return given
        return swapped_to_head(given, first)

    return Cached(make)


class DrawnSuccessors:
    """Successors whose first move is drawn at every visit from the candidates of an AI."""

    def __init__(
        self, graph: Graph, successors: CachedSuccessors, choices: Mapping[int, Choice], seed: int
    ) -> None:
        """Take successors by ascending move, and the choices of the AI."""
        self._successors, self._choices, self._seed = successors, choices, seed
        self._places: Cached[int, dict[int, int]] = Cached(
            lambda number: {move: at for at, (move, _) in enumerate(graph.edges(number))}
        )
        self.start_again()

    def start_again(self) -> None:
        """Restart the random numbers of the seed."""
        self._random = Random(self._seed)  # noqa: S311, chance need not be unguessable

    def __getitem__(self, number: int) -> Sequence[Successor]:
        place = self._places[number][self._random.choice(self._choices[number].candidates)]
        drawn = list(self._successors[number])
        drawn[0], drawn[place] = drawn[place], drawn[0]
        return drawn


def swapped_to_head(pairs: Sequence[tuple[int, Second]], first: int) -> list[tuple[int, Second]]:
    """Return the pairs with the one that starts with ``first`` and the head swapped."""
    swapped = list(pairs)
    place = next(i for i, pair in enumerate(pairs) if pair[0] == first)
    swapped[0], swapped[place] = swapped[place], swapped[0]
    return swapped


def ascending(number: int, edges: Sequence[Edge]) -> Sequence[Edge]:
    """Keep the order of the legal moves."""
    return edges


def by_ai_score(choices: Mapping[int, Choice]) -> Order:
    """Order all moves by AI score, descending; equal scores keep their order."""

    def order(number: int, edges: Sequence[Edge]) -> Sequence[Edge]:
        choice = choices[number]
        rank = dict(zip(choice.legal, choice.ranks(), strict=True))
        return sorted(edges, key=lambda edge: -rank[edge[0]])

    return order


def result_scores(graph: Graph, *, shortest_victory: bool) -> LeafScore:
    """Score finished positions by their result; no other position is a leaf."""
    game, statuses, plies = graph.game, graph.status, graph.ply

    def score_mover(number: int, move: int | None, child: int) -> Number | None:
        status = statuses[child]
        if status is PLAYING:
            return None
        if status is DRAW:
            return 0
        ply = plies[child]
        size = game.size_of_win(ply) if shortest_victory else 1
        return size if (status is Status.CIRCLE) == (ply % 2 == 1) else -size

    return score_mover


def evaluated_scores(
    graph: Graph, evaluate: Callable[[Afterstate], Number], horizon: int
) -> LeafScore:
    """Score finished positions, and those with ``horizon`` marks, by an evaluation."""
    statuses, plies = graph.status, graph.ply

    def score_mover(number: int, move: int | None, child: int) -> Number | None:
        if statuses[child] is PLAYING and plies[child] < horizon:
            return None
        return graph.evaluate(number, move, evaluate)

    return score_mover
