"""How the command line words what the pipeline says: cures as commands, options as typed."""

import os
import re
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from marubatsu.pipeline.support.errors import UsageError

if TYPE_CHECKING:
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.support.cures import Cure


_WORDS_FOR_COMMANDS = {
    "make": "run `marubatsu build {game}`",
    "make solution": "run `marubatsu solve {game}`",
    "make answers": "run `marubatsu book {game}`",
    "make proofs": "run `marubatsu prove {game}`",
    "make techniques": "run `marubatsu compare {game}`",
    "match saved": "run `marubatsu build {game}`",
    "remake": "run `marubatsu build {game}` to make it again",
    "remake solution": "run `marubatsu solve {game}` to make it again",
    "remake saved": "run `marubatsu build {game}` for matches, `marubatsu ais --remove NAME` for "
    "an AI",
    "remake answers": "run `marubatsu book {game} --remove`, and search again",
    "remake proofs": "run `marubatsu prove {game} --remove`, and prove it again",
    "remake techniques": "run `marubatsu compare {game} --remove`, and compare again",
    "renew techniques": "run `marubatsu compare {game}` to count again",
    "remake compact": "remove the file, and run `marubatsu solve {game}`",
    "expand solution": "run `marubatsu solve {game} --expand` to write the complete one",
    "resume solution": "run `marubatsu solve {game}` to go on",
    "replace saved": "put the right file back, or run `marubatsu ais --remove {ai} --game {game}`",
    "check": "run `marubatsu check {game}`",
    "verify": "`marubatsu verify` compares it again",
    "publish": "get the named files again, or publish the folder again with `marubatsu publish`",
    "not wait": "try again when it has ended, or leave out --no-wait",
    "data": "change --data or MARUBATSU_DATA",
    "known games": "`marubatsu games` lists those that are",
    "other folder": "name another folder by --data",
    "more memory": "raise --memory",
    "more time": "raise --timeout",
    "read boards": "`marubatsu show -` reads boards, one a line, without other columns",
    "search": "without data, `best`, `show`, `play`, `match`, `audit` and `explore` search",
}

_TYPED = {"interface": "as", "matches": "no-matches"}  # Python keeps the word as for itself.
_NAMED = re.compile(r"\bthe option (\w+)(?:='([\w-]+)')?")


def as_command(cure: "Cure") -> str:
    """Word a cure for users of the command line."""
    game = cure.game and game_words(cure.game, cure.root)
    return cure.words(_WORDS_FOR_COMMANDS).format(game=game, ai=cure.ai)


def game_words(game: "Game", root: Path) -> str:
    """Return a game as commands take it, with the folder of its data unless that is the default."""
    from marubatsu.pipeline.support.resources import data_root

    with suppress(UsageError):  # MARUBATSU_DATA cannot be a folder.
        if os.path.realpath(root) == os.path.realpath(data_root(None, os.environ)):
            return game.name
    return f"{game.name} --data {shlex.quote(str(root))}"


def typed(option: str) -> str:
    """Return an option as commands take it, by the name of the parameter of public functions.

    >>> typed("allow_read"), typed("interface")
    ('--allow-read', '--as')
    """
    return "--" + _TYPED.get(option, option).replace("_", "-")


def as_typed(sentence: str) -> str:
    """Return a sentence in which options have the names that users type.

    >>> as_typed("raise the option max_depth")
    'raise --max-depth'
    >>> as_typed("ask it by the option interface='connectx'")
    'ask it by --as connectx'
    """
    return _NAMED.sub(
        lambda option: " ".join(filter(None, (typed(option[1]), option[2]))), sentence
    )
