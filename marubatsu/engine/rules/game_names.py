"""Names of games as people write them: case, blanks, hyphens and underscores do not count.

A name is a board with rules, as in ``4x4k4-gravity``, or what people call a game, as in
``Connect Four``. `engine.rules.game` reads the plain spelling.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

ALIASES = {"tictactoe": "3x3k3", "connect4": "7x6k4-gravity"}
"""The full name of each game that has an alias."""

_CALLED: Mapping[str, Sequence[str]] = {
    "3x3k3": (
        "tictactoe", "ticktacktoe", "noughtsandcrosses", "noughts&crosses", "xsandos",
        "tresenraya", "三目並べ", "oxゲーム",
        "まるばつ", "まるばつゲーム", "マルバツ", "マルバツゲーム",
    ),
    "7x6k4-gravity": (
        "connect4", "connectfour", "4inarow", "fourinarow", "viergewinnt", "puissance4",
    ),
    "3x3k3-misere": ("reversetictactoe", "miseretictactoe"),
}  # fmt: skip
"""What people call a game, without separators, by its full name."""

_FULL_NAMES = {name: full for full, names in _CALLED.items() for name in names}
_SIGNS = str.maketrans({"×": "x", "〇": "o", "○": "o", "◯": "o", "è": "e"})  # noqa: RUF001
_DASHES = re.compile("[‐–—−]")  # noqa: RUF001, as editors write a hyphen
_BLANKS = re.compile(r"[\s_]+")
_OF_FRAMEWORKS = re.compile(
    r"(?:open_?spiel[_:/-]|(?:pgx|pettingzoo)[:/])|[_-]v[0-9]{1,2}(?:-blind)?(?:-raw|-train)?|\(\)$"
)
_BOARD = r"([0-9]{1,9}) ?x ?([0-9]{1,9})(?: ?k ?([0-9]{1,9}))?"


def plain_name(text: str, switches: Sequence[str]) -> str:
    """Return the plain spelling of a name, or the text where it is none.

    What frameworks add does not count either, as in ``open_spiel_tic_tac_toe``,
    ``tictactoe_v3`` and ``tic_tac_toe()``.

    >>> rules = ("gravity", "misere")
    >>> [plain_name(text, rules) for text in ("Connect-Four", "4 X 4 K4_Gravity", "TicTacToe-v0")]
    ['7x6k4-gravity', '4x4k4-gravity', '3x3k3']
    """
    small = _DASHES.sub("-", unicodedata.normalize("NFKC", text).lower().translate(_SIGNS))
    name = _BLANKS.sub(" ", _OF_FRAMEWORKS.sub("", small)).strip()
    rule = "|".join(sorted(switches, key=len, reverse=True))  # one may begin with another
    board = re.fullmatch(rf"{_BOARD}((?:[ -]*(?:{rule}))*)", name)
    if board:
        columns, rows, run, rules = board.groups()
        size = f"{columns}x{rows}" + (f"k{run}" if run else "")
        return "-".join([size, *re.findall(rule, rules)])
    words = re.split("[ -]+", name)
    full = _FULL_NAMES.get("".join(word for word in words if word not in switches))
    return "-".join([full, *(word for word in words if word in switches)]) if full else text
