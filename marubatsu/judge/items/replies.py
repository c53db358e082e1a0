"""Items and replies, as they are read from files or given in Python; the move of a reply."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from marubatsu.engine.notations.signs import half_width
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.json_games import as_object, objects
from marubatsu.judge.review.recorded_game import GamePlace, open_log, quoted_json
from marubatsu.pipeline.support.errors import UsageError

MOST_TEXT = 300  # characters of an id, or of a name in an item
MOST_PLY = 63  # no board has more cells
_TEXTS = ("id", "game", "split", "notation", "form")

Placed = Iterable[tuple[GamePlace, Mapping[str, Any]]]  # objects with their places in a file
_MOVE = re.compile(r"[a-z]{1,2}[0-9]{1,2}|[0-9]{1,3}")


@dataclass(frozen=True)
class AskedItem:
    """The parts of an item that a grade needs."""

    place: GamePlace
    id: str
    game: str
    split: str
    notation: str
    form: str
    twin_of: str | None  # id of the original; None: it is one
    ply: int
    hardness: float
    class_: int | None  # number of the original's class, where the item has it
    losses: Mapping[str, int]  # of each legal move, as a reply names it

    @property
    def position(self) -> tuple[str, int | str]:
        """What an original shares with its twins and its other notations, the game included."""
        return self.game, (self.twin_of or self.id) if self.class_ is None else self.class_

    @property
    def is_critical(self) -> bool:
        """Whether some legal move is not a best move."""
        return any(self.losses.values())


@dataclass(frozen=True)
class ReplyToItem:
    """A reply, and its place in a file."""

    place: GamePlace
    text: str | None  # None: there is no reply


def read(file: Path) -> Placed:
    """Read the objects of a file of JSON lines. Raises UsageError, which names the line."""
    return objects(open_log(file))


def in_memory(things: Iterable[object], what: str) -> Placed:
    """Yield objects from memory; an error calls the first one line 1. Raises UsageError."""
    for number, each in enumerate(things, start=1):
        place = GamePlace(what, number)
        yield place, as_object(place, each)


def items_in(placed: Placed) -> dict[str, AskedItem]:
    """Return the items among objects, by id. Raises UsageError for other objects, and for none."""
    items: dict[str, AskedItem] = {}
    for place, each in placed:
        if "moves" not in each and "reply" in each:
            raise place.fault("this is no file of items: are the two files swapped?")
        item = _item(place, each)
        if item.id in items:
            raise place.fault(f"another item {_first(item.id, items[item.id].place)}")
        items[item.id] = item
    if not items:
        raise UsageError("there are no items: expected what `marubatsu items` writes")
    return items


def replies_in(placed: Placed) -> dict[str, ReplyToItem]:
    """Return the replies among objects, by the id of their item. Raises UsageError for others."""
    replies: dict[str, ReplyToItem] = {}
    for place, each in placed:
        text = each.get("reply")
        if "reply" not in each or not isinstance(text, str | None):
            given = f'"reply" is {quoted_json(text)}'
            if "reply" not in each:
                given = f"the keys are {quote(', '.join(each))}"
            raise place.fault(
                f'{given}: expected {{"id": …, "reply": …}} with a text, or null where there is no '
                "reply"
            )
        name = _text(place, each, "id")
        if name in replies:
            raise place.fault(f"another reply {_first(name, replies[name].place)}")
        replies[name] = ReplyToItem(place, text)
    return replies


def _first(name: str, place: GamePlace) -> str:
    return f"with the id {quote(name)}: line {place.line} has the first"


def _item(place: GamePlace, values: Mapping[str, Any]) -> AskedItem:
    twin_of = None if values.get("twin_of") is None else _text(place, values, "twin_of")
    ply, hardness = values.get("ply"), values.get("hardness")
    if not isinstance(ply, int) or isinstance(ply, bool) or not 0 <= ply <= MOST_PLY:
        raise _fault(place, values, "ply", f"a number from 0 to {MOST_PLY}")
    is_number = isinstance(hardness, int | float) and not isinstance(hardness, bool)
    if hardness is None or not is_number or not 0 <= hardness <= 1:
        raise _fault(place, values, "hardness", "a number from 0 to 1")
    class_ = values.get("class")
    if class_ is not None and (type(class_) is not int or class_ < 0):
        raise _fault(place, values, "class", "a number of 0 or more, or none")
    return AskedItem(
        place=place,
        **{name: _text(place, values, name) for name in _TEXTS},
        twin_of=twin_of,
        ply=ply,
        hardness=float(hardness),
        class_=class_,
        losses=_losses(place, values),
    )


def _losses(place: GamePlace, values: Mapping[str, Any]) -> dict[str, int]:
    moves, losses = values.get("moves"), values.get("losses")
    if (
        not isinstance(moves, list)
        or not all(isinstance(move, str) and _MOVE.fullmatch(move) for move in moves)
        or not len({*moves}) == len(moves) > 0
        or len({move.isdecimal() for move in moves}) > 1
    ):
        raise _fault(place, values, "moves", "a list of different cells, all as b2 or all as 4")
    if (
        not isinstance(losses, list)
        or len(losses) != len(moves)
        or not all(type(loss) is int and 0 <= loss <= 2 for loss in losses)
        or 0 not in losses
    ):
        raise _fault(place, values, "losses", "a list with 0, 1 or 2 for each move, and one 0")
    return dict(zip(moves, losses, strict=True))


def _text(place: GamePlace, values: Mapping[str, Any], name: str) -> str:
    """Return a short text of an object, which controls nothing where it is shown."""
    text = values.get(name)
    if not isinstance(text, str) or not 0 < len(text) <= MOST_TEXT or not text.isprintable():
        raise _fault(place, values, name, f"a text of 1 to {MOST_TEXT} printable characters")
    return text


def _fault(place: GamePlace, values: Mapping[str, Any], name: str, expected: str) -> UsageError:
    return place.fault(f'"{name}" is {quoted_json(values.get(name))}: expected {expected}')


_NEAR = "[^\\W_\u3041-\u30ff\u4e00-\u9fff]"
"""What a cell is part of another word with: letters and digits, but no Japanese ones."""

_FORM = re.compile(
    r"(?P<before>.*?[.!?。](?=\W{1,9}move))??\W*move[\s*_`]*[:=](?P<cell>.*)", re.DOTALL
)
"""A line with a move, perhaps after other sentences."""

_NAME = re.compile(rf"(?<!{_NEAR})[a-z]{{1,2}}[0-9]{{1,2}}(?!{_NEAR})")
_NUMBER = re.compile(rf"(?<!{_NEAR})[0-9]{{1,3}}(?!{_NEAR})")
_NEXT = r"(?:[ \t]+|\s*[,;/|+*×]\s*|[-–.:]|[)\]]\s*[(\[]|\s+(?:or|and)\s+)[0-9]"  # noqa: RUF001
"""The second number of a pair, as in (1, 1), 1-1, [1][1] and 1 or 1, or digits of a fraction."""

_CALLED = re.compile(
    rf"\b(?:cell\b|boxed\b|(?:move|answer)[\s*_`\"']*[:=>])\W{{0,5}}([0-9]{{1,3}})(?!{_NEAR})"
)
_CHOOSING = (
    r"(?:move|answer|choice|action|cell|square)"
    r"(?: (?:that|which) (?:wins|draws|does(?:n't| not) lose))?"
    r"(?:[\s*_`\"']*[:=](?:\W{0,3}[oxyz] (?:at|on|in|to))?|(?: for [oxyz])? is)"
    "|(?:put|place|putting|placing)(?: my| an?)? (?:mark|[oxyz])|play|take|choose|pick|select|fill"
    "|use|make|go|block (?:with|at|on|by)|(?:play|tak|choos|pick|select|fill)ing|recommend|suggest"
    "|decided? (?:on|to play)|spiele|wähle|nehme|joue|choisis|prends|juego|elijo"
)
_LEADING = (
    "i'(?:ll|d|m|ve)|i (?:will|would|should|must|shall|am|have to|need to|think|believe|have)|i"
    "|we|(?:we|you) (?:should|must)|ich|je|to (?:win|block|draw)|in (?:conclusion|summary)"
    "|let(?: me| us|'s)|so|then|thus|therefore|hence|finally|now|yes|ok|okay|sure|here(?: is|'s)?"
    "|that|an?|the|my|best|only|final|optimal|correct|winning|chosen|selected|recommended"
    "|(?:next )?move"
    "|answer|choice|action|cell|square|position|number|corner|centre|center|middle|edge"
    "|(?:go|going) to|at|in|on|with|for|going|boxed|text|json"
)
_PLACE = "the|in|at|cent(?:er|re)|middle|corner|edge|top|bottom|left|right|square|cell"
_SIGNS = r"(?:_|[^\w~])*+"
_CHOICE = re.compile(
    rf"(?P<words>{_SIGNS}(?:(?:(?:{_CHOOSING}|{_LEADING})"
    rf"(?![a-z0-9]|'[a-z])|我(?:选择?|下|走)|私は|答えは?|(?:次の|最善)?手は?){_SIGNS})*+)"
    rf"(?<!\W[-−–.])(?P<cell>[a-z]{{0,2}}[0-9]{{1,3}})(?!{_NEAR}|['-]\w| or\b|{_NEXT})"  # noqa: RUF001
    rf"(?P<end>(?:_|[^\w~;:,])*$|\W+(?:(?:{_PLACE})\b\W*)++$"
    r"|\W+(?:it is|blocks|wins|because|looks best|gives (?:me )?(?:the|a) (?:win|draw)|is "
    r"(?:(?:the|my|best|only|winning|move|choice)\b\s?)++(?!for))"
    r"|\s?(?:です|に(?:する|打つ|置く|(?:し|打ち|置き)ます))\W*$)?"
)
"""A cell in a clause, and the words before it. As only these are, the clause neither rejects the
cell, nor asks about it, nor is it the opponent's."""

_CHOOSES = re.compile(rf"\b(?:{_CHOOSING})")
_NO_CHOICE = re.compile(r".*(?:\?|\b(?:if|when|after|once|unless)\b)")
_TAKEN_BACK = re.compile(
    r"[,.]\s*but\b|\b(?:no(?=\W*$|[,.:;!])|wait|oops|hmm|actually|sorry|wrong)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?。;])(?!\w)|\n")
_CLAUSE_END = re.compile(r"(?<=,)(?=\W{0,9}(?:so|i|let)\b)")
_CLOSING = re.compile(r"</\w+>|<\|\w+\|>")  # tags
_KEYED = re.compile(r"""["']move["']\s*:\s*("[^"]*"|'[^']*'|[0-9]+(?![\w.]))""")
_ZEROS = re.compile("(?<![0-9.])0+(?=[0-9])")  # before a number

_THOUGHTS = re.compile(r"\A.*[<[]/think(?:ing)?[]>]|[<[]think(?:ing)?[]>].*", re.DOTALL)
"""What comes before a reply, and what is no reply because it was cut off."""


class NamedMove(NamedTuple):
    """The move that a reply names."""

    move: str | None  # as the item writes it; None: not exactly one
    is_in_form: bool  # whether the reply ends as the question asks for


def find_move(reply: str, moves: Collection[str]) -> NamedMove:
    r"""Find the move in a reply to a question with some legal moves.

    The last line with a letter or digit, or its last sentence, may be ``move: CELL``. It must name
    one cell, and so must the only value of ``"move"`` in JSON. Otherwise the whole reply counts: it
    must name exactly one legal move, or no legal move and exactly one other cell, and a sentence
    must choose that, as in ``I play b2``. A number counts as a cell behind ``cell`` or ``move:``,
    or when the reply has no other word; -1 and a pair such as (1, 1) name none. What is inside
    ``<think>``, and what a later word such as ``wait`` takes back, does not count. Letters may be
    small or large.

    >>> find_move("b2 blocks a1.\n**Move: b2**", ["b2", "c3"])
    NamedMove(move='b2', is_in_form=True)
    >>> find_move("I block with B2, because a1 is taken.", ["b2", "c3"])
    NamedMove(move='b2', is_in_form=False)
    >>> find_move("Either b2 or c3", ["b2", "c3"])
    NamedMove(move=None, is_in_form=False)
    """
    reply = half_width(reply).lower().replace("\u2019", "'")
    reply = _ZEROS.sub("", _THOUGHTS.sub("", reply))
    is_numbered = next(iter(moves)).isdecimal()
    lines = [line for line in reply.splitlines() if any(map(str.isalnum, line))]
    formal = _FORM.fullmatch(lines[-1]) if lines else None
    keyed = [] if formal else _KEYED.findall(reply)
    if len(keyed) == 1:
        return find_move(f"move: {keyed[0]}", moves)._replace(is_in_form=False)
    is_alone = len(lines) == 1 and re.fullmatch(r"\W*[0-9]{1,3}\W*", lines[0])
    alone = formal["cell"] if formal else lines[0] if is_numbered and is_alone else None
    text = reply if alone is None else f"move: {alone}"
    pattern = _NAME if not is_numbered else _CALLED if alone is None else _NUMBER
    found = pattern.findall(text)
    named = {*found}
    cells = named if formal else named.intersection(moves) or named
    is_pair = pattern is _NUMBER and len(found) > 1  # also row 1, column 1
    is_clear = len(cells) == 1 and not is_pair and cells <= _chosen(text)
    is_in_form = bool(formal and not formal["before"])
    return NamedMove(cells.pop() if is_clear else None, is_in_form=is_in_form)


def _chosen(text: str) -> set[str]:
    """Return the cells that the sentences of a text choose, behind what takes others back."""
    sentences = _SENTENCE_END.split(_CLOSING.sub("", _TAKEN_BACK.split(text)[-1]))
    clauses = (
        _CHOICE.match(clause)
        for sentence in sentences
        if not _NO_CHOICE.match(sentence)
        for clause in _CLAUSE_END.split(sentence)
    )
    return {
        each["cell"]
        for each in clauses
        if each and (each["end"] is not None or _CHOOSES.search(each["words"]))
    }
