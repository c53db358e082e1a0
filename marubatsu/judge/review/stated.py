"""A recorded game from what its log states: moves, players, a game and results."""

from collections.abc import Sequence

from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.judge.review.recorded import (
    MOST_MOVES,
    GamePlace,
    LogOptions,
    RecordedGame,
    Token,
    encodable,
    quoted_json,
)
from marubatsu.judge.review.results import SIDES, first_mark, result_of

MOST_NAME = 100  # characters
_WORDS = {"circle": "first", "cross": "second", "draw": "draw"}


def recorded(
    place: GamePlace,
    moves: Sequence[Token],
    options: LogOptions,
    *,
    players: Sequence[object] = (None, None),
    labels: tuple[str, ...] = (),
    mark: str | None = None,
    game: object = None,
    results: Sequence[object] = (),
    numbering: Numbering | None = None,
) -> RecordedGame:
    """Return a game whose parts a log states. Raises UsageError for parts that make no sense.

    ``labels`` are what the log calls the two players, ``mark`` is that of the player who begins.
    Of several ``results``, those that say nothing do not count; others should agree.
    """
    if len(moves) > MOST_MOVES:
        raise place.fault(f"a game of {len(moves):,} moves: expected at most {MOST_MOVES:,}")
    if len(players) != 2:
        raise place.fault(f"a game of {len(players)} players: expected two, who begins first")
    if game is not None and not isinstance(game, str):
        raise place.fault(f"the game is {quoted_json(game)}: expected its name, as in tictactoe")
    names = (_name(place, players[0]), _name(place, players[1]))
    stated: list[str] = []
    results = [result for result in results if result is not None]
    if results:
        mark = mark or first_mark(moves)
        if mark and options.first and mark != options.first:
            raise place.fault(f"{mark} moves first, and the option first says {options.first}")
        for each in results:
            result = result_of(place, each, options, players=names, labels=labels, mark=mark)
            if result is not None and result not in stated:
                stated.append(result)
    contradiction = None
    if len(stated) > 1:
        words = " and ".join(
            each if each == "draw" else f"{_WORDS[each]} player wins" for each in stated
        )
        contradiction = f"the log says {words}"
    return RecordedGame(
        place,
        game,
        (names[0] or SIDES[0], names[1] or SIDES[1]),
        moves,
        stated[0] if len(stated) == 1 else None,
        contradiction,
        numbering,
    )


def _name(place: GamePlace, player: object) -> str | None:
    """Return the name of a player; half a surrogate pair in it is escaped."""
    if player is None:
        return None
    if not isinstance(player, str):
        raise place.fault(f"a player is {quoted_json(player)}: expected a name")
    if len(player) > MOST_NAME:
        raise place.fault(
            f"the name {quote(player)} has {len(player):,} characters: expected at most {MOST_NAME}"
        )
    return encodable(player.strip()) or None
