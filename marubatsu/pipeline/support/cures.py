"""What a user can do about an error.

Code names a cure by its kind, and `Cure` words it: here for callers of the public functions. While
the command line runs, `errors.cure_words` lets `marubatsu.cli.output` word cures as commands.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from marubatsu.pipeline.support import errors

if TYPE_CHECKING:
    from marubatsu.engine.rules.game import Game

_WORDS_FOR_PYTHON = {
    "make": "call marubatsu.build({call})",
    "make solution": "call marubatsu.solve({call})",
    "make answers": "the command `marubatsu book` makes them",
    "make proofs": "the command `marubatsu prove` makes them",
    "make techniques": "the command `marubatsu compare` makes them",
    "match saved": "audit an AI again with save, which computes their matches",
    "remake": "call marubatsu.build({call}) to make it again",
    "remake solution": "call marubatsu.solve({call}) to make it again",
    "remake saved": "remove the folder {folder}, and audit the AIs again",
    "remake answers": "remove the folder {folder}, and search again",
    "remake proofs": "remove the folder {folder}, and prove the value again",
    "remake techniques": "remove the folder {folder}, and compare again",
    "remake compact": "remove the file, and call marubatsu.solve({call})",
    "expand solution": "the command `marubatsu solve --expand` writes the complete one",
    "resume solution": "call marubatsu.solve({call}) to go on",
    "replace saved": "put the right file back, or audit the AI again with save={ai!r}",
    "remove saved": "the command `marubatsu ais --remove {ai}` removes that",
    "check": "the command `marubatsu check` lists what is wrong",
    "verify": "the command `marubatsu verify` compares it again",
    "publish": "get the named files again, or publish into another folder",
    "not wait": "try again when it has ended",
    "data": "change data, or the variable MARUBATSU_DATA",
    "known games": "the command `marubatsu games` lists those that are",
    "other folder": "name another folder as data",
    "move away": "move away what is in its place",
    "more memory": "raise memory",
    "more threads": "raise the limit of the system (ulimit -u)",
    "more time": "raise timeout",
    "read boards": "marubatsu.answer reads a board",
    "search": "without data, the functions answer, oracle, match and audit search",
}


CureKind: TypeAlias = Literal[
    "make", "get", "match", "remake", "renew", "expand", "resume", "replace", "remove", "check",
    "verify", "publish", "not wait", "data", "known games", "other folder", "move away",
    "more memory", "more threads", "more time", "read boards", "search",
]  # fmt: skip


class Cure(NamedTuple):
    """What a user can do about an error; ``str`` words it, as a part of a sentence.

    A key of the tables of words is a kind, and the part where the words depend on it. ``get`` is
    `make` with its alternatives; a part without words for ``renew`` uses those of `remake`. The
    other fields are what a cure may need: the game, the folder of the data sets, the part of the
    data set, the name of an AI.
    """

    kind: CureKind
    game: "Game | None" = None
    root: Path = Path()
    part: str = ""
    ai: str = ""

    def __str__(self) -> str:
        """Word the cure for its reader: a program's author, or a user of commands."""
        if self.kind == "get":
            return _alternatives(self)
        return _reason(self) or (errors.cure_words or as_call)(self)

    def words(self, table: Mapping[str, str]) -> str:
        """Look up the words of the kind and the part."""
        part = self.part.removesuffix(".partial")
        kinds = (self.kind, "remake") if self.kind == "renew" else (self.kind,)
        keys = (f"{kind} {part}".strip() for kind in kinds)
        return next((table[key] for key in keys if key in table), "") or table[self.kind]


def as_call(cure: Cure) -> str:
    """Word a cure for callers of the public functions."""
    name = cure.game.name if cure.game else ""
    call, folder = f"{name!r}, data={str(cure.root)!r}", cure.root / name / cure.part
    return cure.words(_WORDS_FOR_PYTHON).format(call=call, folder=folder, ai=cure.ai)


def _alternatives(cure: Cure) -> str:
    """Say how to get data that is missing; a game too large for tables may also be searched."""
    from marubatsu.engine.kernels.exact_layout import require_searchable
    from marubatsu.engine.rules.size import is_large

    assert cure.game
    make = cure._replace(kind="make")
    reason = _reason(make)
    ways = [reason or f"{make} or {Cure('other folder')}"]
    if cure.part == "solution" and is_large(cure.game):
        refusal = _refusal(require_searchable, cure.game)
        if not refusal:
            ways.append(str(Cure("search")))
        elif reason:
            ways.append(refusal)
    return "; ".join(ways)


def _reason(cure: Cure) -> str:
    """Say why no usual machine can make the solution of a game; "" for all other cures."""
    if (cure.kind, cure.part) != ("make", "solution") or cure.game is None:
        return ""
    from marubatsu.engine.large.index import require_index
    from marubatsu.engine.rules.bounds import MAX_CLASSES
    from marubatsu.engine.rules.size import is_large
    from marubatsu.engine.rules.symmetry import most_members

    game = cure.game
    if refusal := _refusal(require_index, game):
        return refusal
    too_large = is_large(game, MAX_CLASSES * most_members(game))
    return too_large * f"{game.name} is too large to be solved on one machine: use a smaller game"


def _refusal(require: Callable[["Game"], None], game: "Game") -> str:
    from marubatsu.engine.rules.game import GameError

    try:
        require(game)
    except GameError as error:
        return str(error)
    return ""
