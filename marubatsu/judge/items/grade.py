"""Grades: how many replies to items name a best move, and how twins differ, as a report."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter
from pathlib import Path
from typing import Any

from marubatsu.engine.ais.statistics import paired_difference, percents, wilson
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, counted, is_iterable, quote
from marubatsu.engine.rules.numbering import Numbering, move_text, numbering_of
from marubatsu.judge.items.question import Form, Notation, label
from marubatsu.judge.items.replies import (
    AskedItem,
    NamedMove,
    ReplyToItem,
    find_move,
    in_memory,
    items_in,
    read,
    replies_in,
)
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.tables import report
from marubatsu.pipeline.tables.output import Rows
from marubatsu.pipeline.tables.report import Report, Section
from marubatsu.version import __version__


class ReplyVerdict(StrEnum):
    """What a reply is worth."""

    BEST = "best"  # a best move
    WORSE = "worse"  # a legal move that lowers the mover's score
    ILLEGAL = "illegal"  # a cell that the mover may not fill
    UNPARSABLE = "unparsable"  # no move, or several
    MISSING = "missing"  # there is no reply


SCHEMA = 1  # the version of the JSON of a grade
SHARES = ("group", "value", "items", "best", "best_percent", "best_at_least_percent",
          "best_at_most_percent", "critical", "right", "right_percent", "at_least_percent",
          "at_most_percent", "mean_loss", "illegal", "unparsable", "missing")  # fmt: skip
TWINS = ("form", "notation", "pairs", "both_right", "only_original_right", "only_twin_right",
         "neither_right", "difference_percent", "at_least_percent", "at_most_percent")  # fmt: skip
ANSWER_COLUMNS = ("id", "verdict", "move", "loss", "is_in_form", "reply_line")
FINDINGS = ("finding", "id", "reply_line")
_LISTED = 20  # rows of a table about single replies
_BOUNDS = (0.25, 0.5, 0.75, 1.0)  # of the groups of hardness

_RIGHT = ("group", "value", "items", "critical", "right", "right_percent", "at_least_percent",
          "at_most_percent")  # fmt: skip
_REPLIES = ("group", "value", "items", "best", "best_percent", "best_at_least_percent",
            "best_at_most_percent", "mean_loss", "illegal", "unparsable", "missing")  # fmt: skip


@dataclass(frozen=True)
class Grade:
    """What replies to items are worth.

    A reply is right when it names a best move in a critical position. Illegal, unparsable and
    missing replies are wrong. ``mean_loss`` is over the replies with a legal move. An original, its
    twins and its other notations are one observation of the 95 % intervals.
    """

    games: Sequence[str]
    items: int
    replies: int
    in_form: int  # replies that end with the line that the question asks for
    replies_to_no_item: int  # others than ``replies``: their id is that of no item
    shares: Rows  # a group of items
    twins: Rows  # a form of twins in a notation
    findings: Rows  # a reply to no item
    answers: Rows  # an item
    least_right: float  # the lower end of the interval for the share of right replies, 0 to 1
    fitting_numberings: Sequence[str] = ()  # in which most replies would name a legal move

    def __str__(self) -> str:
        return _report(self).text().removesuffix("\n")

    def _repr_html_(self) -> str:
        return report.page(f"Grade of replies about {', '.join(self.games)}", [_report(self)])

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object, without times."""
        tables = {name: each.records() for name, each in vars(self).items() if type(each) is Rows}
        counts = {name: each for name, each in vars(self).items() if type(each) is not Rows}
        return {"schema": SCHEMA, "version": __version__, **counts, **tables}


def _report(grade: Grade) -> Report:
    about = f"{counted(grade.items, 'item')} of {', '.join(grade.games)}"
    heading = f"grade of {counted(grade.replies, 'reply', 'replies')} to {about}"
    return Report(heading, list(_sentences(grade)), list(_sections(grade)))


def _sentences(grade: Grade) -> Iterator[str]:
    if grade.findings.rows:
        unknown = grade.replies_to_no_item
        name = "reply names" if unknown == 1 else "replies name"
        first = quote(grade.findings.column("id")[0])
        yield f"{unknown:,} more {name} no item; the first id is {first}"
    if grade.fitting_numberings:
        yield (
            "most replies name no legal move as the questions ask for it; they would with "
            f"the option numbering {' or '.join(grade.fitting_numberings)}"
        )
    ends = "reply ends" if grade.in_form == 1 else "replies end"
    yield f"{grade.in_form:,} {ends} with the line that the question asks for"
    yield (
        "right means a best move in a critical position; illegal, unparsable and missing replies "
        "are wrong; at_least and at_most are a 95 % interval, in which an original, its twins and "
        "its other notations count as one"
    )


def _sections(grade: Grade) -> Iterator[Section]:
    not_wrong = (ReplyVerdict.BEST, ReplyVerdict.MISSING)
    verdicts = zip(grade.answers.rows, grade.answers.column("verdict"), strict=True)
    wrong = Rows(ANSWER_COLUMNS, [row for row, verdict in verdicts if verdict not in not_wrong])
    sizes = Counter(grade.shares.column("group"))  # A group of one value holds all items.
    several = [row for row in grade.shares.rows if sizes[row[0]] > 1 or row[0] == "all"]
    shares = Rows(SHARES, several)
    for section in (
        Section("right moves", shares.only(*_RIGHT)),
        Section("replies", shares.only(*_REPLIES)),
        Section("critical originals and their twins", grade.twins),
        Section("wrong replies", wrong.without("is_in_form"), _LISTED),
        Section("replies to no item", grade.findings.without("finding"), _LISTED),
    ):
        if section.rows.rows:
            yield section


@dataclass(frozen=True)
class Graded:
    """An item with what its reply is worth."""

    item: AskedItem
    verdict: ReplyVerdict
    named: NamedMove
    reply: ReplyToItem | None

    @property
    def is_best(self) -> bool:
        """Whether the reply names a best move."""
        return self.verdict is ReplyVerdict.BEST

    @property
    def loss(self) -> int | None:
        """How much the move lowers the mover's score; None without a legal move."""
        return self.item.losses.get(self.named.move or "")

    def row(self) -> list[Any]:
        """Return the row of the table of answers."""
        line = self.reply and self.reply.place.line
        return [self.item.id, self.verdict.value, self.named.move, self.loss,
                self.named.is_in_form, line]  # fmt: skip


def grade_answers(items: Mapping[str, AskedItem], replies: Mapping[str, ReplyToItem]) -> Grade:
    """Grade replies to items, each by its id."""
    graded = {name: _graded(item, replies.get(name)) for name, item in items.items()}
    findings = [
        ["reply to no item", name, reply.place.line]
        for name, reply in replies.items()
        if name not in items
    ]
    return Grade(
        games=sorted({item.game for item in items.values()}),
        items=len(items),
        replies=sum(each.verdict is not ReplyVerdict.MISSING for each in graded.values()),
        in_form=sum(each.named.is_in_form for each in graded.values()),
        replies_to_no_item=len(findings),
        shares=Rows(SHARES, list(_shares(list(graded.values())))),
        twins=Rows(TWINS, list(_twins(graded))),
        findings=Rows(FINDINGS, findings),
        answers=Rows(ANSWER_COLUMNS, [each.row() for each in graded.values()]),
        least_right=wilson(*_observed([g for g in graded.values() if g.item.is_critical]))[0],
    )


def _graded(item: AskedItem, reply: ReplyToItem | None) -> Graded:
    if reply is None or reply.text is None:
        return Graded(item, ReplyVerdict.MISSING, NamedMove(None, is_in_form=False), reply)
    named = find_move(reply.text, item.losses)
    if named.move is None:
        verdict = ReplyVerdict.UNPARSABLE
    elif named.move not in item.losses:
        verdict = ReplyVerdict.ILLEGAL
    else:
        verdict = ReplyVerdict.WORSE if item.losses[named.move] else ReplyVerdict.BEST
    return Graded(item, verdict, named, reply)


def _bucket(item: AskedItem) -> str:
    """Name the group of hardness of an item.

    >>> from types import SimpleNamespace as Of
    >>> [_bucket(Of(hardness=hardness)) for hardness in (0, 0.25, 0.6)]
    ['0', 'to 0.25', 'to 0.75']
    """
    if item.hardness == 0:
        return "0"
    return f"to {next(bound for bound in _BOUNDS if item.hardness <= bound):g}"


_GROUPS: Mapping[str, Callable[[AskedItem], Any]] = {
    **{name: attrgetter(name) for name in ("game", "split", "notation", "form", "ply")},
    "hardness": _bucket,
}


def _shares(graded: Sequence[Graded]) -> Iterator[list[Any]]:
    yield ["all", "all", *_share(graded)]
    for group, value_of in _GROUPS.items():
        of: dict[Any, list[Graded]] = {}
        for each in graded:
            of.setdefault(value_of(each.item), []).append(each)
        for value, members in sorted(of.items()):
            yield [group, str(value), *_share(members)]


def _share(graded: Sequence[Graded]) -> list[Any]:
    critical = [each for each in graded if each.item.is_critical]
    losses = [each.loss for each in graded if each.loss is not None]
    verdicts = Counter(each.verdict for each in graded)
    return [
        *_counted(graded),
        *_counted(critical),
        round(sum(losses) / len(losses), 4) if losses else None,
        verdicts[ReplyVerdict.ILLEGAL],
        verdicts[ReplyVerdict.UNPARSABLE],
        verdicts[ReplyVerdict.MISSING],
    ]


def _counted(graded: Sequence[Graded]) -> list[Any]:
    best, (right, positions) = sum(each.is_best for each in graded), _observed(graded)
    return [len(graded), best, *percents(right, positions)]


def _observed(graded: Collection[Graded]) -> tuple[float, int]:
    """Return the number of positions, and of right ones if each had the share of all items.

    Replies about one position are alike, so its items count as one observation.
    """
    positions = len({each.item.position for each in graded})
    right = sum(each.is_best for each in graded)
    return right * positions / max(1, len(graded)), positions


def _twins(graded: Mapping[str, Graded]) -> Iterator[list[Any]]:
    """Yield how twins differ from their originals, by form and notation, where there are any."""
    pairs: dict[tuple[str, str], list[tuple[bool, bool]]] = {}
    for twin in graded.values():
        original = graded.get(twin.item.twin_of or "")
        if original and twin.item.is_critical:
            kind = twin.item.form, twin.item.notation
            pairs.setdefault(kind, []).append((original.is_best, twin.is_best))
    for kind in sorted(pairs, key=_rank):
        yield [*kind, *_paired(pairs[kind])]


def _rank(kind: tuple[str, str]) -> tuple[int, str, str]:
    """Return what sorts the kinds of twins: ours in their order, then others."""
    form, notation = kind
    forms = [each.value for each in Form]
    return forms.index(form) if form in forms else len(forms), form, notation


def _paired(pairs: Iterable[tuple[bool, bool]]) -> list[Any]:
    """Count pairs of original and twin, and return how much more often the original is right."""
    counts = Counter(pairs)
    cells = [counts[each] for each in ((True, True), (True, False), (False, True), (False, False))]
    return [sum(cells), *cells, *(round(100 * share, 2) for share in paired_difference(*cells))]


def grade(
    items: Iterable[Mapping[str, Any]] | str | Path,
    replies: Mapping[str, str | None] | str | Path,
    *,
    numbering: str | None = None,
) -> Grade:
    """Grade replies to items; a notebook shows the grade as a page.

    ``replies`` maps the id of each item to a text, or to None without a reply. Both may also be
    names of files, as in ``marubatsu grade``. Replies to questions of your own may name moves in
    another ``numbering``, one of docs/numberings.md. A reply with an unknown id counts only in
    ``replies_to_no_item``.

    The grade has ``shares`` (`Rows`: all items, then groups of them, with percents and their 95 %
    intervals), ``twins``, ``answers`` (an item each) and ``findings``. ``best`` counts replies with
    a best move, ``right`` those of them in critical positions, and ``mean_loss`` is how much the
    moves lower the mover's score. ``least_right`` is the lower end of the interval for the share of
    right replies, 0 to 1.

    Raises UsageError, which names the line, for what is not an item or a reply.

    >>> from marubatsu import items
    >>> asked = items(sample=10)
    >>> found = grade(asked, {item["id"]: f"move: {item['best_moves'][0]}" for item in asked})
    >>> found.shares.only("items", "best", "critical", "right").rows[0]
    [10, 10, 6, 6]
    """
    if not (is_iterable(items) or isinstance(items, Path)):
        raise UsageError(f"{quote(items)} is no list of items: expected what `items` returns")
    if not isinstance(replies, Mapping | str | Path):
        raise UsageError(f"{quote(replies)} is no dict: expected a reply by the id of each item")
    placed = (
        read(Path(items)) if isinstance(items, str | Path) else in_memory(items, "the given items")
    )
    asked = items_in(placed)
    if numbering is not None:
        asked = {name: renumbered(item, numbering) for name, item in asked.items()}
    if isinstance(replies, str | Path):
        texts = replies_in(read(Path(replies)))
        if not texts:
            raise UsageError(
                f'{quote(str(replies))} holds no replies: expected {{"id": ID, "reply": TEXT}} for '
                "each item"
            )
    else:
        pairs = ({"id": name, "reply": text} for name, text in replies.items())
        texts = replies_in(in_memory(pairs, "the given replies"))
    if texts and asked.keys().isdisjoint(texts):
        raise UsageError(
            f"no reply has the id of an item: the first reply has {quote(next(iter(texts)))}, the "
            f"first item {quote(next(iter(asked)))}"
        )
    graded = grade_answers(asked, texts)
    if numbering is None and 2 * _unread(graded) > graded.replies:
        return replace(graded, fitting_numberings=_fitting(asked, texts, graded.replies))
    return graded


def _unread(graded: Grade) -> int:
    whole = graded.shares.records()[0]
    return int(whole["illegal"] + whole["unparsable"])


def _fitting(
    asked: Mapping[str, AskedItem], texts: Mapping[str, ReplyToItem], replies: int
) -> list[str]:
    """List the numberings in which most replies name a legal move; none for unknown items."""
    fitting = []
    for numbering in Numbering:
        try:
            items = {name: renumbered(item, numbering) for name, item in asked.items()}
        except (UsageError, InputError):
            continue
        if 2 * _unread(grade_answers(items, texts)) <= replies:
            fitting.append(numbering.value)
    return fitting


def renumbered(item: AskedItem, numbering: str) -> AskedItem:
    """Return an item with its moves as a numbering writes them.

    Raises InputError for no numbering of its game, OptionError for one whose moves are pairs, and
    UsageError, which names the line, for an item of another game or form.
    """
    numbering_ = numbering_of(numbering)
    try:
        game, form, notation = Game(item.game), Form(item.form), Notation(item.notation)
    except ValueError as error:
        raise item.place.fault(f"the item has no known game, form and notation: {error}") from None
    texts = [move_text(game, cell, numbering_) for cell in range(game.cells)]
    if "," in texts[0]:
        raise OptionError("numbering", numbering, "expected one whose moves are a number or a name")
    labels = [label(game, notation, form.naming, cell) for cell in range(game.cells)]
    cells = dict(zip(labels, texts, strict=True))
    unknown = next((move for move in item.losses if move not in cells), None)
    if unknown is not None:
        raise item.place.fault(f"{quote(unknown)} is no cell of {game.name} in this item")
    return replace(item, losses={cells[move]: loss for move, loss in item.losses.items()})
