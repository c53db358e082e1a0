"""Positions to test laws on: all of a small game, or those of a random game on a larger board."""

from functools import cache
from random import Random

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Status
from tests.helpers.slow import slow_rules

LARGER_BOARDS = (
    "4x3k3", "4x4k4", "5x4k4-gravity", "4x4k3-misere", "7x6k4-gravity", "5x5k5-gravity-misere",
    "6x5k4", "9x7k4", "7x9k5-gravity", "63x1k3", "1x63k7-gravity", "31x2k2",
    "4x4k4-torus", "5x6k4-misere-torus",
)  # fmt: skip


@cache
def reachable(game: Game) -> frozenset[Position]:
    """Walk to every position of a game with the slow rules."""
    found = {EMPTY}
    waiting = [EMPTY]
    while waiting:
        position = waiting.pop()
        for move in slow_rules.legal_moves(game, position):
            child = after(position, move)
            if child not in found:
                found.add(child)
                waiting.append(child)
    return frozenset(found)


def played(game: Game, random: Random) -> list[Position]:
    """Return the positions of one random game, moved by the slow rules."""
    positions = [EMPTY]
    while moves := slow_rules.legal_moves(game, positions[-1]):
        positions.append(after(positions[-1], random.choice(moves)))
    return positions


def boards_of_play(game: Game, count: int, plies: range, random: Random) -> list[str]:
    """Return boards of random play, at plies that are drawn again until play comes that far."""
    boards: list[str] = []
    while len(boards) < count:
        position, ply = EMPTY, random.choice(plies)
        while position.ply < ply and (legal := game.legal_moves(position)):
            position = position.after(random.choice(legal))
        if position.ply == ply:
            boards.append(to_text(game, position))
    return boards


def late(game: Game, random: Random, left: int) -> Position:
    """Return an unfinished position of random play with so many empty cells."""
    ply = game.cells - left
    while len(positions := played(game, random)) < ply + 2:
        pass
    return positions[ply]


def drawn(game: Game, ply: int, random: Random) -> tuple[int, ...]:
    """Draw the moves of random play up to a ply, where no further mark wins at once."""
    while True:
        position, moves = EMPTY, list[int]()
        while len(moves) < ply and (legal := game.legal_moves(position)):
            moves.append(random.choice(legal))
            position = position.after(moves[-1])
        children = map(position.after, game.legal_moves(position))
        endings = {game.status(child) for child in children}
        if endings and endings <= {Status.PLAYING, Status.DRAW}:
            return tuple(moves)


def after(position: Position, move: int) -> Position:
    """Return the position after a move: circle's when the board has an even number of marks."""
    circle, cross = position
    if (circle.bit_count() + cross.bit_count()) % 2 == 0:
        return Position(circle | 1 << move, cross)
    return Position(circle, cross | 1 << move)
