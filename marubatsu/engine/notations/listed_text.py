"""Lists in a text, as JSON, Python and NumPy write them."""

import json
import re
from itertools import pairwise

_CALL = re.compile(r"[\w.]*\(\s*+(?=\[)")  # as in np.array(
_CALL_END = re.compile(r"(?:,\s*+dtype=[^()]*)?\)$")
_PIECE = re.compile(
    r"\s*+(?:(?P<open>[\[(])|(?P<close>[\])])|(?P<comma>,)|\x22(?P<text>[^\x22]*)\x22"
    r"|'(?P<quoted>[^']*)'|(?P<bare>[^\s,\[\]()\x22']++)(?![\[(\x22']))\s*+"
)
_NUMBER = re.compile("[+-]?[0-9]{1,9}")


def list_in(text: str) -> list[object] | None:
    r"""Return the list that a text writes; None where it writes none.

    Its parts are lists, texts, None and whole numbers. The brackets around the whole may be
    missing, and commas.

    >>> list_in('[["X", null], [1, -1]]'), list_in("[['o' 'x']\n [' ' 'x']]")
    ([['X', None], [1, -1]], [['o', 'x'], [' ', 'x']])
    >>> list_in("array([0., 1, 2], dtype=int8)"), list_in("(1, 2), (0, 0)"), list_in("o.x")
    (['0.', 1, 2], [[1, 2], [0, 0]], None)
    """
    if not set("[('\"") & set(text):
        return None
    text = text.strip()
    call = _CALL.match(text)
    text = _CALL_END.sub("", text[call.end() :]) if call else text
    pieces: list[re.Match[str]] = []
    while piece := _PIECE.match(text, pieces[-1].end() if pieces else 0):
        pieces.append(piece)
    kinds = [piece.lastgroup for piece in pieces]
    if sum(len(piece[0]) for piece in pieces) < len(text):
        return None
    written = [_as_json(piece) for piece in pieces]
    for at, (kind, after) in enumerate(pairwise(kinds)):
        if kind not in ("open", "comma") and after not in ("close", "comma"):
            written[at] += ","
    try:
        whole: list[object] = json.loads(f"[{''.join(written)}]")
    except (ValueError, RecursionError):
        return None
    return whole[0] if len(whole) == 1 and isinstance(whole[0], list) else whole


def _as_json(piece: re.Match[str]) -> str:
    kind = piece.lastgroup or ""
    if kind in ("open", "close", "comma"):
        return {"open": "[", "close": "]", "comma": ","}[kind]
    value = piece[kind]
    if kind == "bare" and value in ("None", "null"):
        return "null"
    is_number = kind == "bare" and _NUMBER.fullmatch(value)
    return str(int(value)) if is_number else json.dumps(value)
