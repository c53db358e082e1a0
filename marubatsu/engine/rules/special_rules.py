"""Rules that not all code knows: code that does not know one refuses the game by name.

Most code reads all of `DECLARED`. Compiled code, the texts of rules and the boards for comparison
read gravity, misère, torus, and some of the rest.
"""

from collections.abc import Sequence

from marubatsu.engine.rules.game import DECLARED, USUAL_SWITCHES, Game, GameError


def special_rules(game: Game) -> list[str]:
    """List the declared rules that gravity, misère and torus alone do not explain.

    >>> special_rules(Game("4x4k4-gravity-misere"))
    []
    """
    switches = {name: getattr(game, name) for name in USUAL_SWITCHES}
    usual = Game(game.columns, game.rows, game.run, **switches)
    if usual == game:  # A subclass is never equal.
        return []
    return [rule for rule in DECLARED if getattr(game, rule) != getattr(usual, rule)]


def unknown_rules(game: Game, readable: Sequence[str]) -> str:
    """Name the special rules of a game that are not among some, for an error; "" for none."""
    return ", ".join(rule for rule in special_rules(game) if rule not in readable)


def require_known(game: Game, reader: str, *readable: str) -> None:
    """Raise GameError when a game has special rules that a reader does not know."""
    unknown = unknown_rules(game, readable)
    if unknown:
        raise GameError(
            f"{reader} does not know the {unknown} of {game.name}: expected only "
            f"{', '.join([*USUAL_SWITCHES, *readable])}"
        )


def require_named(game: Game) -> None:
    """Raise GameError when the name of a game does not say its rules, so another would be read."""
    if type(game) is not Game:
        raise GameError(
            f"the name {game.notation} does not say the rules of {type(game).__name__}: a game "
            "with data of its own needs a switch of Game, which its name shows"
        )
