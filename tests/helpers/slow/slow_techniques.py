"""The techniques once more, from their sources: plain recursions over positions.

Scores are halves of what the kernels use: -1, 0, +1; on 3x3, quicker victories may count more.
Cells are numbered in the order of the static order, as the kernels number them, because a table
keeps the least image of a position.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from math import inf, log, sqrt

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.engine.search.options import Algorithm, Options, Replacement

Moves = Callable[[Position], list[int]]

Proved = Callable[[Position], "bool | None"]
"""Whether a finished position has the goal; None for others."""

_WORD = (1 << 64) - 1


@dataclass
class Entry:
    """An entry of the table: bounds after so many plies, and the best move."""

    key: int
    lower: float
    upper: float
    plies: int
    move: int | None


@dataclass
class SlowTable:
    """A table: a dict, or places for one entry or two (Breuker and others, 1994)."""

    size: int | None
    replacement: Replacement
    places: dict[int, list[Entry]] = field(default_factory=dict)

    def _place(self, key: int) -> int:
        if self.size is None:
            return key
        hashed = key * 0x1E3779B97F4A7C15 & _WORD
        place = hashed >> 64 - (self.size.bit_length() - 1)
        return place // 2 if self.replacement is Replacement.TWO_TIER else place

    def get(self, key: int) -> Entry | None:
        entries = self.places.get(self._place(key), [])
        return next((entry for entry in entries if entry.key == key), None)

    def put(self, entry: Entry) -> None:
        entries = self.places.setdefault(self._place(entry.key), [])
        for number, old in enumerate(entries):
            if old.key == entry.key:
                entries[number] = entry
                return
        if not entries:
            entries.append(entry)
        elif self.replacement is Replacement.TWO_TIER:
            # The deepest first; what it displaces, or else the new one, is the second.
            entries[:] = (
                [entry, entries[0]] if entry.plies >= entries[0].plies else [entries[0], entry]
            )
        elif self.replacement is Replacement.ALWAYS or entry.plies >= entries[0].plies:
            entries[:] = [entry]


class SlowGame:
    """The operations of a game that both kinds of searches use."""

    def __init__(self, game: Game, *, by_lines: bool = False, order: Moves | None = None) -> None:
        crossed = [sum(line >> cell & 1 for line in game.lines) for cell in range(game.cells)]
        self.game, self._order = game, order
        self.cells = sorted(range(game.cells), key=lambda cell: -crossed[cell] if by_lines else 0)

    def moves(self, position: Position) -> list[int]:
        """Return the moves in the static order, or in that of an AI."""
        if self._order:
            return self._order(position)
        legal = self.game.legal_moves(position)
        return [cell for cell in self.cells if cell in legal]

    def score(self, position: Position) -> int | None:
        """Return the score of a finished position for the side to move."""
        status = self.game.status(position)
        if status is Status.PLAYING:
            return None
        return 0 if status is Status.DRAW else 1 if int(status) == position.ply % 2 else -1

    def key(self, position: Position, *, symmetry: bool) -> tuple[int, tuple[int, ...]]:
        """Return the least key of all images, and the first image of the cells that gives it."""
        return _least_key(self.game, tuple(self.cells), position, symmetry)


@cache
def _least_key(
    game: Game,
    cells: tuple[int, ...],
    position: Position,
    symmetry: bool,  # noqa: FBT001
) -> tuple[int, tuple[int, ...]]:
    maps = symmetries(game)[: None if symmetry else 1]
    mover = position.ply % 2
    found = []
    for each in maps:
        image = each.of_position(position)
        own, other = (
            sum(1 << i for i, cell in enumerate(cells) if image[side] >> cell & 1)
            for side in (mover, 1 - mover)
        )
        found.append(own | other << game.cells)
    key = min(found)
    return key, maps[found.index(key)].image


class SlowWindows(SlowGame):
    """Searches with windows; ``nodes`` counts entries into ``enter``."""

    def __init__(self, game: Game, options: Options, order: Moves | None = None) -> None:
        super().__init__(game, by_lines=options.by_lines, order=order)
        self.options = options
        # The third mark of circle is the first that wins.
        self.span: tuple[float, float] = (-2, 3) if options.shortest_victory else (-1, 1)
        self.types = dict.fromkeys(("leaves", "answered", "pv", "cut", "all", "first_cut"), 0)

    @property
    def nodes(self) -> int:
        return sum(self.types.values()) - self.types["first_cut"]

    def score(self, position: Position) -> int | None:
        score = super().score(position)
        if score and self.options.shortest_victory:
            return score * (1 + (self.game.cells - position.ply) // 2)
        return score

    def search(self, position: Position) -> float:
        """Search a position, and return its score in circle's view."""
        options, sign = self.options, 1 - 2 * (position.ply % 2)
        self.table = SlowTable(options.table_size, options.replacement)
        self.killers: dict[int, list[int]] = {}
        self.counters: dict[tuple[int, int], int] = {}
        self.history: dict[tuple[int, int], int] = {}
        left = self.game.cells - position.ply
        if self.score(position) is not None:
            return sign * self.enter(position, None, -inf, inf, left)
        guess: float = 0
        for plies in range(1, left + 1) if options.deepening else [left]:
            guess = self._at_root(position, plies, guess, sign)
            if guess:
                break
        return guess

    def _at_root(self, position: Position, plies: int, guess: float, sign: int) -> float:
        options, algorithm = self.options, self.options.algorithm
        lowest, highest = self.span
        if not options.init_window:
            lowest, highest = lowest - 1, highest + 1

        def window(alpha: float, beta: float) -> float:
            ends = (alpha, beta) if sign > 0 else (-beta, -alpha)
            return sign * self.enter(position, None, *ends, plies)

        if algorithm in (Algorithm.MTDF, Algorithm.SSS, Algorithm.DUAL):
            # Plaat and others 1996: MTD(+inf) is SSS*, MTD(-inf) is DUAL*.
            best, worst = (highest, lowest) if sign > 0 else (lowest, highest)
            starts = {Algorithm.MTDF: guess, Algorithm.SSS: best, Algorithm.DUAL: worst}
            g, lower, upper = starts[algorithm], lowest, highest
            while lower != upper:
                gamma = g + 1 if g == lower else g
                g = window(gamma - 1, gamma)
                if g < gamma:
                    upper = int(g)
                else:
                    lower = int(g)
            return g
        if algorithm is Algorithm.NULLWINDOW:
            g = window(-0.5, 0.5)
            return 0 if g == 0 else g / abs(g)
        assert algorithm in (Algorithm.MINIMAX, Algorithm.ALPHABETA, Algorithm.SCOUT)
        if not options.aspiration:
            return window(lowest, highest)
        # Marsland 1986.
        g = window(guess - 1, guess + 1)
        if guess + 1 <= g < highest:
            return max(g, window(g, highest))
        if guess - 1 >= g > lowest:
            return min(g, window(lowest, g))
        return g

    def _ordered(self, position: Position, last: int | None, first: int | None) -> list[int]:
        options, side = self.options, position.ply % 2
        ordered = self.moves(position)
        if options.history:  # Schaeffer 1989.
            ordered.sort(key=lambda move: -self.history.get((side, move), 0))
        ahead: list[int | None] = [first] if options.table_move else []
        if options.killers:  # Akl and Newborn 1977.
            ahead += self.killers.get(position.ply, [])
        if options.counter_moves and last is not None:  # Uiterwijk 1992.
            ahead.append(self.counters.get((side, last)))
        leading = [move for move in dict.fromkeys(ahead) if move in ordered]
        return [*leading, *(move for move in ordered if move not in leading)]

    def enter(
        self, position: Position, last: int | None, alpha: float, beta: float, plies: int
    ) -> float:
        return self._entered(position, last, alpha, beta, plies)[0]

    def _entered(
        self, position: Position, last: int | None, alpha: float, beta: float, plies: int
    ) -> tuple[float, int | None]:
        options, types = self.options, self.types
        score = self.score(position)
        if score is not None or plies == 0:
            types["leaves"] += 1
            return score or 0, None
        lower, upper = self.span if position.ply % 2 == 0 else (-self.span[1], -self.span[0])
        key, image = self.key(position, symmetry=options.symmetry) if options.use_table else (0, ())
        first = None
        if options.use_table and (entry := self.table.get(key)):
            if entry.move is not None:
                first = image.index(entry.move)
            if entry.plies >= plies:
                lower, upper = entry.lower, entry.upper
                known = upper if lower == upper or upper <= alpha else lower
                if lower == upper or upper <= alpha or lower >= beta:
                    types["answered"] += 1
                    return (min(max(known, alpha), beta) if options.fail_hard else known), first
                alpha, beta = max(alpha, lower), min(beta, upper)
        if options.internal_deepening and first is None and plies >= 3:
            _, first = self._entered(position, last, alpha, beta, plies - 2)
        ordered = self._ordered(position, last, first)
        best, tried = (alpha if options.fail_hard else -inf), 0
        chosen: int | None = None
        a = alpha
        if options.enhanced_cutoffs and plies > 1:  # Plaat and others 1996.
            for move in ordered:
                child, _ = self.key(position.after(move), symmetry=options.symmetry)
                there = self.table.get(child)
                if there and there.plies >= plies - 1 and -there.upper >= beta:
                    best, chosen, ordered = -there.upper, move, []
                    break
        for move in ordered:
            tried += 1
            after = position.after(move)
            if options.algorithm is Algorithm.SCOUT and tried > 1:  # Pearl 1980, Reinefeld 1983.
                value = -self.enter(after, move, -a - 1, -a, plies - 1)
                if a < value < beta:
                    value = -self.enter(after, move, -beta, -a, plies - 1)
            else:
                value = -self.enter(after, move, -beta, -a, plies - 1)
            if value > best:
                best, chosen = value, move
                if options.algorithm is not Algorithm.MINIMAX:
                    a = max(a, value)
                    if value >= beta:
                        break
        if options.fail_hard:  # Knuth and Moore 1975: F2 instead of F3.
            best = min(best, beta)
        self._remember(position, last, chosen if tried else None, plies, is_cut=best >= beta)
        types["cut" if best >= beta else "pv" if best > alpha else "all"] += 1
        types["first_cut"] += best >= beta and tried == 1
        if options.use_table:
            lower = best if best > alpha else lower
            upper = best if best < beta else upper
            stored = first if chosen is None else chosen
            kept = None if stored is None else image[stored]
            self.table.put(Entry(key, lower, upper, plies, kept))
        return best, chosen

    def _remember(
        self, position: Position, last: int | None, move: int | None, plies: int, *, is_cut: bool
    ) -> None:
        if move is None:
            return
        side, ply = position.ply % 2, position.ply
        self.history[side, move] = self.history.get((side, move), 0) + 2**plies
        if is_cut:
            killers = self.killers.setdefault(ply, [])
            if killers[:1] != [move]:
                self.killers[ply] = [move, *killers[:1]]
            if last is not None:
                self.counters[side, last] = move


class SlowProofNumbers(SlowGame):
    """Proof numbers as their sources have them: AND and OR nodes from one side's view."""

    nodes = 0

    def search(
        self, position: Position, ask: Callable[[Position, Callable[[Position], bool | None]], bool]
    ) -> int:
        """Return the score in circle's view, by two questions about the side to move."""
        sign, done = 1 - 2 * (position.ply % 2), self.score(position)
        if done is not None:
            self.nodes = 1
            return sign * done
        for goal in (1, 0):

            def is_proved(at: Position, goal: int = goal) -> bool | None:
                score = self.score(at)
                if score is None:
                    return None
                return (score if (at.ply - position.ply) % 2 == 0 else -score) >= goal

            if ask(position, is_proved):
                return sign * goal
        return -sign

    def tree(self, position: Position, is_proved: Proved) -> bool:
        """Allis, van der Meulen and van den Herik 1994."""
        root = _Node(position, is_or=True)
        self.nodes += 1
        while root.proof and root.disproof:
            path = [root]
            while path[-1].children:
                node = path[-1]
                path.append(
                    next(c for c in node.children if c.proof == node.proof)
                    if node.is_or
                    else next(c for c in node.children if c.disproof == node.disproof)
                )
            leaf = path[-1]
            for move in self.moves(leaf.position):
                child = _Node(leaf.position.after(move), is_or=not leaf.is_or)
                self.nodes += 1
                proved = is_proved(child.position)
                if proved is not None:
                    child.proof, child.disproof = (0, inf) if proved else (inf, 0)
                leaf.children.append(child)
            for node in reversed(path):
                proofs = [child.proof for child in node.children]
                disproofs = [child.disproof for child in node.children]
                node.proof = min(proofs) if node.is_or else sum(proofs)
                node.disproof = sum(disproofs) if node.is_or else min(disproofs)
        return root.proof == 0

    def depth_first(self, position: Position, is_proved: Proved) -> bool:
        """Nagai 2002; proof and disproof numbers apart, by kind of node."""
        table: dict[int, tuple[float, float]] = {}
        base = position.ply

        def known(at: Position) -> tuple[float, float]:
            return table.get(self.key(at, symmetry=True)[0], (1, 1))

        def mid(at: Position, most_proof: float, most_disproof: float) -> None:
            self.nodes += 1
            proved = is_proved(at)
            if proved is not None:
                table[self.key(at, symmetry=True)[0]] = (0, inf) if proved else (inf, 0)
                return
            is_or = (at.ply - base) % 2 == 0
            children = [at.after(move) for move in self.moves(at)]
            while True:
                numbers = [known(child) for child in children]
                proofs, disproofs = [n[0] for n in numbers], [n[1] for n in numbers]
                proof = min(proofs) if is_or else sum(proofs)
                disproof = sum(disproofs) if is_or else min(disproofs)
                if proof >= most_proof or disproof >= most_disproof:
                    table[self.key(at, symmetry=True)[0]] = proof, disproof
                    return
                least = proofs if is_or else disproofs
                best = least.index(min(least))
                second = min(least[:best] + least[best + 1 :], default=inf)
                if is_or:
                    limits = (
                        min(most_proof, second + 1),
                        _rest(most_disproof, disproof, disproofs[best]),
                    )
                else:
                    limits = (
                        _rest(most_proof, proof, proofs[best]),
                        min(most_disproof, second + 1),
                    )
                mid(children[best], *limits)

        mid(position, inf, inf)
        return known(position)[0] == 0


def _rest(most: float, total: float, own: float) -> float:
    return inf if most == inf else most - total + own


@dataclass
class _Node:
    position: Position
    is_or: bool
    proof: float = 1
    disproof: float = 1
    children: "list[_Node]" = field(default_factory=list)


class SlowUct(SlowGame):
    """Kocsis and Szepesvári 2006, with the bounds of Cazenave and Saffidine 2010."""

    nodes = 1

    def search(self, position: Position, seed: int) -> int:
        """Return the score in circle's view."""
        sign, done = 1 - 2 * (position.ply % 2), self.score(position)
        if done is not None:
            return sign * done
        words = _xorshift(seed)
        root = _Played(position)
        while root.pessimistic < root.optimistic:
            path = [root]
            while True:
                node = path[-1]
                is_new = not node.children
                if is_new:
                    for move in self.moves(node.position):
                        child = _Played(node.position.after(move))
                        score = self.score(child.position)
                        if score is not None:
                            child.pessimistic = child.optimistic = score
                        node.children.append(child)
                        self.nodes += 1
                chosen = node.choice()
                if chosen is None:
                    break
                path.append(chosen)
                if chosen.pessimistic == chosen.optimistic or is_new or not chosen.visits:
                    break
            last = path[-1]
            if last.pessimistic == last.optimistic:
                value = last.pessimistic
            else:
                at = last.position
                while (over := self.score(at)) is None:
                    moves = self.moves(at)
                    at = at.after(moves[next(words) % len(moves)])
                    self.nodes += 1
                value = over if (at.ply - last.position.ply) % 2 == 0 else -over
            for node in reversed(path):  # ``value`` is for the side to move at the node.
                node.visits += 1
                node.won += (1 - value) / 2
                value = -value
                if node.children:
                    node.pessimistic = max(-child.optimistic for child in node.children)
                    node.optimistic = max(-child.pessimistic for child in node.children)
        return sign * root.pessimistic


@dataclass
class _Played:
    position: Position
    visits: int = 0
    won: float = 0  # by the side that moved last: 1 a win, 1/2 a draw
    pessimistic: int = -1  # for the side to move
    optimistic: int = 1
    children: "list[_Played]" = field(default_factory=list)

    def choice(self) -> "_Played | None":
        """Return the child with the greatest bound among those that can be better than known."""
        hopeful = [child for child in self.children if -child.pessimistic > self.pessimistic]
        untried = [child for child in hopeful if not child.visits]
        if untried or not hopeful:
            return untried[0] if untried else None
        rounded = round(log(max(self.visits, 1)) * 2**20) / 2**20
        return max(hopeful, key=lambda c: c.won / c.visits + sqrt(2 * rounded / c.visits))


def _xorshift(seed: int) -> Iterator[int]:
    """Yield 31 bits at a time: Marsaglia 2003, the generator with shifts 13, 7, 17."""
    word = (seed * 0x1E3779B97F4A7C15 + 0x3F58476D1CE4E5B9 | 1) & _WORD
    while True:
        word ^= word << 13 & _WORD
        word ^= word >> 7
        word ^= word << 17 & _WORD
        yield word >> 33
