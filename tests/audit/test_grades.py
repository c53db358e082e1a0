"""Grades of replies: the move that a reply names, the counts, and wrong files."""

import csv
import html
import json
import re
from bisect import bisect_left
from collections import Counter
from fractions import Fraction
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.engine.ais.statistics import paired_difference, wilson
from marubatsu.judge.items.replies import find_move
from marubatsu.pipeline.support.errors import UsageError
from tests.helpers.broken.damaged import damaged, refusals
from tests.helpers.processes.commands import require_refused, run_here

NAMES = ("a1", "b2", "c3")
NUMBERS = ("0", "4", "8")

IN_FORM = {
    "move: b2": "b2", "Move: B2": "b2", "**Move: b2**": "b2", "`move: b2`.": "b2",
    "> move = b2": "b2", "move: `b2`": "b2", "a1? c3? no.\n\nmove: b2\n```\n": "b2",
    "move: a1\nmove: b2": "b2", "move: z99": "z99",
    "move: b2 or c3": None, "move: none": None, "move:": None, "b2\nmove: centre": None,
    "move: b2, b2": "b2", "**Move**: b2": "b2", "a1? c3?</think>\n\nmove: b2": "b2",
    "\uff4d\uff4f\uff56\uff45\uff1a\uff22\uff12": "b2", "move: b2です": "b2", "move: not b2": None,
    "move: a1. move: b2": None, "move: none (b2 is full)": None, "move: left of b2": None,
    "move: b2. No, wait.": None, "move: X at b2": "b2",
}  # fmt: skip
"""Replies that end as the question asks for, and the cell that they name."""

FREE = {
    "b2": "b2", "I take B2.": "b2", "b2 blocks a2 and a3": "b2", "**b2**": "b2",
    "Move: b2\nGood luck!": "b2", "My move: b2": "b2", "I take b2. So b2!": "b2", "(b2)": "b2",
    "b3 it is": "b3", "b2 or c3": None, "a3 or b3": None, "": None, "\n \n": None,
    "the centre": None, "ab2c": None, "b22x": None, "xb2": "xb2", "b_2": None,
    "move: b2\nor c3": None, "b2c3": None, "b2に打ちます。": "b2", "<think>b2": None,
    "<think>a1? c3?</think> b2": "b2",
    "I would not play b2.": None, "I can't take c9, so b2": "b2", "Why not b2? So b2.": "b2",
    "I'm playing b2": "b2", "b2 (the center)": "b2", "In conclusion, b2.": "b2", "b2, center": "b2",
    "The only move that doesn't lose is b2.": "b2", "You should play b2.": "b2", "我选择b2": "b2",
    "I recommend b2": "b2", "I've decided to play b2.": "b2", "Ich spiele b2.": "b2",
    "b2 looks best": "b2", "b2 gives me a draw": "b2", "b2 (bad)": None, "You can play b2": None,
    "b2ではなくc3": None, "<thinking>move: b2</thinking>": None,
    "<THINK>b2": None, "[THINK]a1?[/THINK]b2": "b2", "I won't put my mark on b2": None,
    '```json\n{"why": "a1 or c3 lose", "move": "b2"}\n```': "b2", '{"move": "b2 or c3"}': None,
    '{"move": "a1"} or {"move": "b2"}': None, "I cannot play b2": None,
    "{'move': 'B2', 'why': 'a3'}": "b2",
    "I don't think b2 is good": None, "I can't take c9; b02": "b2",
    "a1 is bad. move: c3": "c3", "a1? No! **Move: c3**.": "c3", "a1. move: b2 or c3": None,
    "a1 is bad, so move: c3": None, "a1 is taken.\nb2? No. I do not make this move: c3": None,
    "I would not make the move b2.": None, "Not my move: b2": None, "I won't go with b2": None,
    "anything but b2": None, "the corner is tempting, but b2 wins": "b2",
    "The best move for X is b2, because c9 is taken.": "b2", "I\u2019ll go with b2": "b2",
    "Answer: **b2**</answer>": "b2", "\\boxed{\\text{b2}}": "b2", "最善手は b2 です。": "b2",
    "a9? Wait, no. So b2.": "b2", "To win, I play b2!": "b2", "b2 is the best move": "b2",
    **dict.fromkeys(
        ("b2?", "b2 loses", "b2 is taken.", "b2 is not good", "Should I play b2?", "no b2",
         "If I play b2, O wins.", "My opponent plays b2.", "everything but b2", "the cell above b2",
         "I block b2 from O", "nicht b2", "b2以外に打つ", "~~b2~~", '{"rejected": "b2"}',
         '{"move": null, "why": "b2"}',
         "<scratchpad>b2</scratchpad>", "Worst move: b2", "I play b2. Wait, that loses.", "c9, b2",
         "The best move is b2, but it is full", "b2 is the best move for O", "O is at b2"), None
    ),
}  # fmt: skip
"""Replies of another form."""

NUMBERED = {
    "move: 4": ("4", True), "Move: **4**": ("4", True), "move: 5": ("5", True),
    "move: 04": ("4", True), "cell 4 or 0": (None, False), "cell 4 and cell 9": (None, False),
    "move: 4 of 9": (None, True), "4": ("4", False),
    "**4**.": ("4", False), "I fill cell 4.": ("4", False), "cell 4 beats cell 5": (None, False),
    "move: 4\nBye!": ("4", False), "move: 4\n8 is full": ("4", False),
    "cell 4, not cell 8": (None, False), "4 wins": (None, False),
    "There are 4 ways.": (None, False), "cell number four": (None, False),
    "cells 4": (None, False), "It is 1 of 4": (None, False), "cell #4": ("4", False),
    **dict.fromkeys(
        ("move: -4", "move: (4, 4)", "move: 4,4", "move: 4.0", "move: .4", "move: 4 4",
         "move: 4-4", "move: row 4, column 4", "move: x=4 y=4", "move: column 4"), (None, True)
    ),
    **dict.fromkeys(
        ("-4", "**-4**", "cell (4, 8)", "cell -4", "cell 4.5", "cell 4,8: cell 0", "cell [4][4]",
         "cell 4-4", "cell 4 4"), (None, False)
    ),
    "cell-4": ("4", False), "cell 4. 8 is taken": ("4", False), "- 4": ("4", False),
    "**Move**: 4": ("4", True), '{"move": 4, "sure": true}': ("4", False), "\uff14": ("4", False),
    "Never cell 4!": (None, False), '{"move": -4}': (None, False), "move: 4番": ("4", True),
    '{"move": 4.5}': (None, False), '{"move": 4.0}': (None, False),
    "cell 0 is bad. move: 4": ("4", False), "No. move: (0, 4)": (None, False),
    "Worst move: 4": (None, False), "\\boxed{4}": ("4", False), "cell 4 is full": (None, False),
    "cell 45": ("45", False), "4\n8": (None, False), "cell 4444": (None, False),
}  # fmt: skip
"""Replies to items whose cells have numbers."""


def test_a_reply_names_a_move() -> None:
    for reply, move in IN_FORM.items():
        assert find_move(reply, NAMES) == (move, True), reply
    for reply, move in FREE.items():
        assert find_move(reply, NAMES) == (move, False), reply
    for reply, found in NUMBERED.items():
        assert find_move(reply, NUMBERS) == found, reply


def item(name: str, **others: Any) -> dict[str, Any]:
    """Return an item with three moves of which the second one is best."""
    return {
        "id": name, "game": "tictactoe", "split": "test", "notation": "board", "form": "original",
        "twin_of": None, "ply": 3, "hardness": 2 / 3, "moves": list(NAMES), "losses": [1, 0, 2],
        **others,
    }  # fmt: skip


ITEMS = [
    item("p"),
    item("p:renamed", form="renamed", twin_of="p", moves=["k1", "l2", "m3"]),
    item("q", ply=4),
    item("q:renamed", form="renamed", twin_of="q", ply=4),
    item("q:image2", form="image", twin_of="q", ply=4),
    item("r", ply=5, hardness=0.0, losses=[0, 0, 0]),
    item("r:renamed", form="renamed", twin_of="r", ply=5, hardness=0, losses=[0, 0, 0]),
    item("t", notation="text", moves=list(NUMBERS)),
    item("t:image1", notation="text", moves=list(NUMBERS), form="image", twin_of="t"),
    item("lonely:image1", form="image", twin_of="elsewhere"),
]
REPLIES: dict[str, str | None] = {
    "p": "move: b2", "p:renamed": "move: m3", "q": "b2", "q:renamed": "move: l2", "q:image2": "hm",
    "r": "move: a1", "r:renamed": None, "t": "move: 8", "t:image1": "move: 4", "unknown": "b2",
    "lonely:image1": "I take b2",
}  # fmt: skip
"""As in tic-tac-toe, but with three moves each."""

REPLY_ROWS = [{"id": name, "reply": reply} for name, reply in REPLIES.items()]

VERDICTS = {
    "p": ("best", "b2", 0, True), "p:renamed": ("worse", "m3", 2, True),
    "q": ("best", "b2", 0, False), "q:renamed": ("illegal", "l2", None, True),
    "q:image2": ("unparsable", None, None, False), "r": ("best", "a1", 0, True),
    "r:renamed": ("missing", None, None, False), "t": ("worse", "8", 2, True),
    "t:image1": ("best", "4", 0, True), "lonely:image1": ("best", "b2", 0, False),
}  # fmt: skip


def test_a_grade_counts_what_replies_are_worth() -> None:
    found = mb.grade(ITEMS, REPLIES)
    assert (found.items, found.replies, found.in_form, found.games) == (10, 9, 6, ["tictactoe"])
    columns = ("id", "verdict", "move", "loss", "is_in_form")
    assert {row[0]: tuple(row[1:]) for row in found.answers.only(*columns).rows} == VERDICTS
    assert found.findings.rows == [["reply to no item", "unknown", 10]]
    assert found.replies_to_no_item == found.to_json()["replies_to_no_item"] == 1
    message = "1 more reply names no item; the first id is 'unknown'"
    assert f"{message}\n6 replies end with the line" in str(found)
    assert "\nright means a best move in a critical position; illegal" in str(found)
    assert message in html.unescape(found._repr_html_())
    assert "no item" not in str(mb.grade(ITEMS, {}))
    whole = found.shares.records()[0]
    assert {name: whole[name] for name in ("items", "best", "critical", "right")} == {
        "items": 10, "best": 5, "critical": 8, "right": 4,
    }  # fmt: skip
    assert (whole["illegal"], whole["unparsable"], whole["missing"]) == (1, 1, 1)
    assert whole["mean_loss"] == round(4 / 7, 4)
    assert (whole["best_percent"], whole["right_percent"]) == (50.0, 50.0)


def test_replies_name_moves_in_a_numbering() -> None:
    """A reply to questions of one's own: b2 is cell 4, counted from 1 it is 5."""
    replies = {"p": "move: 5", "p:renamed": "move: 9", "q": "move: 7", "t": "9", "r": "move: 0",
               "t:image1": "I choose cell 5."}  # fmt: skip
    items = [each for each in ITEMS if each["id"] in replies]
    found = mb.grade(items, replies, numbering="cells-from-1")
    verdicts = {row[0]: tuple(row[1:]) for row in found.answers.only("id", "verdict", "loss").rows}
    assert {name: verdicts[name] for name in replies} == {
        "p": ("best", 0), "p:renamed": ("worse", 2), "q": ("worse", 1), "t": ("worse", 2),
        "r": ("illegal", None), "t:image1": ("best", 0),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("numbering", "changed", "message"),
    [
        ("row-column", {}, "numbering='row-column': expected one whose moves are a number or a na"),
        ("columns", {}, "the numbering columns is for games with gravity"),
        ("cells-from-2", {}, "is no numbering: did you mean"),
        ("cells-from-1", {"game": "chess"}, "line 1 .*'chess' is not the name of a game"),
        ("cells-from-1", {"form": "upside down"}, "'upside down' is not a valid Form"),
        ("cells-from-1", {"moves": ["k1", "l2", "m3"]}, "'k1' is no cell of tictactoe in this it"),
    ],
)
def test_not_every_numbering_grades(numbering: str, changed: dict[str, Any], message: str) -> None:
    with pytest.raises((mb.InputError, mb.UsageError), match=message):
        mb.grade([{**ITEMS[0], **changed}], {}, numbering=numbering)


def test_every_group_holds_its_items() -> None:
    groups = ("all", "game", "split", "notation", "form", "ply", "hardness")
    names = ("items", "best", "critical", "right")
    expected: Counter[Any] = Counter()
    for each in ITEMS:
        is_best, is_critical = VERDICTS[each["id"]][0] == "best", any(each["losses"])
        worth = zip(names, (1, is_best, is_critical, is_best and is_critical), strict=True)
        labels = {**each, "all": "all", "hardness": "to 0.75" if each["hardness"] else "0"}
        for name, value in worth:
            expected.update({(group, str(labels[group]), name): value for group in groups})
    rows = mb.grade(ITEMS, REPLIES).shares.records()
    found = {(row["group"], row["value"], name): row[name] for row in rows for name in names}
    assert found == expected


def test_the_items_of_a_position_are_one_observation() -> None:
    """An original in two notations, with a twin, and an item without a class."""
    items = [item("p", **{"class": 7}), item("n", notation="text", **{"class": 7}),
             item("p:renamed", form="renamed", twin_of="p", **{"class": 7}), item("q")]  # fmt: skip
    found = mb.grade(items, {"p": "b2", "n": "b2", "p:renamed": "b2"})
    whole = found.shares.records()[0]
    assert [whole[name] for name in ("items", "best", "best_percent")] == [4, 3, 75.0]
    at_least, at_most = (round(100 * share, 2) for share in wilson(1.5, 2))
    assert (whole["best_at_least_percent"], whole["best_at_most_percent"]) == (at_least, at_most)
    assert found.least_right == wilson(1.5, 2)[0]
    (alone,) = (row for row in found.shares.records() if row["value"] == "text")
    assert alone["best_at_least_percent"] == round(100 * wilson(1, 1)[0], 2)


def test_twins_are_compared_with_their_originals() -> None:
    """Of critical positions, where the original is an item too."""
    rows = mb.grade(ITEMS, REPLIES).twins.records()
    counts = ("pairs", "both_right", "only_original_right", "only_twin_right", "neither_right")
    assert {(row["form"], row["notation"]): [row[name] for name in counts] for row in rows} == {
        ("image", "board"): [1, 0, 1, 0, 0],
        ("image", "text"): [1, 0, 0, 1, 0],
        ("renamed", "board"): [2, 0, 2, 0, 0],
    }
    assert [row["difference_percent"] for row in rows] == [100.0, -100.0, 100.0]
    forms = ["image", "swapped", "renamed", "mirrored"]  # the last is none of ours
    twins = [item(f"p:{form}", form=form, twin_of="p") for form in sorted(forms)]
    assert mb.grade([item("p"), *twins], {}).twins.column("form") == forms


def wilson_slowly(right: int, total: int) -> tuple[float, float]:
    """Return the shares that are 1.959964 standard deviations from what was seen, by bisection."""

    def is_near(share: Fraction) -> bool:
        apart = (Fraction(right, total) - share) ** 2
        return apart * total <= Fraction(1.959964) ** 2 * share * (1 - share)

    fine, seen = 10**15, right * 10**15 // total
    low = bisect_left(range(seen), True, key=lambda at: is_near(Fraction(at, fine)))
    high = bisect_left(range(seen, fine), True, key=lambda at: not is_near(Fraction(at + 1, fine)))
    return low / fine, (seen + high) / fine


@pytest.mark.parametrize(("right", "total"), [(1, 2), (7, 10), (98, 100), (1, 5000), (100, 100)])
def test_the_interval_of_a_share_is_wilsons(right: int, total: int) -> None:
    assert wilson(right, total) == pytest.approx(wilson_slowly(right, total), rel=1e-9)
    assert (wilson(0, 0), wilson(100, 100)[1]) == ((0.0, 1.0), 1.0)


@pytest.mark.parametrize("pairs", [(1, 1, 7, 12), (36, 12, 2, 0), (5, 0, 0, 5), (0, 3, 0, 0)])
def test_the_interval_of_a_difference_is_newcombes(pairs: tuple[int, int, int, int]) -> None:
    """By the formula of the article, with Wilson's bounds found in another way."""
    both, one, other, neither = pairs
    total = sum(pairs)
    first, second = both + one, both + other
    (low, high), (other_low, other_high) = (wilson_slowly(x, total) for x in (first, second))
    product: float = both * neither - one * other
    product = product - total / 2 if product > total / 2 else min(product, 0)
    root = sqrt(first * (total - first) * second * (total - second))
    phi = product / root if root else 0
    down, up = first / total - low, other_high - second / total
    down2, up2 = high - first / total, second / total - other_low
    found = paired_difference(*pairs)
    assert found == pytest.approx(
        (
            (one - other) / total,
            (one - other) / total - sqrt(down**2 - 2 * phi * down * up + up**2),
            min(1, (one - other) / total + sqrt(down2**2 - 2 * phi * down2 * up2 + up2**2)),
        ),
        abs=1e-9,
    )


def test_the_interval_of_a_difference_is_a_published_one() -> None:
    """M. W. Fagerland, S. Lydersen, P. Laake (Statistics in Medicine 33, 2014), first example."""
    assert [round(each, 3) for each in paired_difference(1, 1, 7, 12)] == [-0.286, -0.507, -0.026]


def files(folder: Path, items: Any = ITEMS, replies: Any = REPLY_ROWS) -> list[str]:
    """Write items and replies, as objects or as bytes; return the names of the files."""
    paths = [str(folder / name) for name in ("items.jsonl", "replies.jsonl")]
    for path, content in zip(paths, (items, replies), strict=True):
        is_raw = isinstance(content, bytes)
        lines = content if is_raw else "".join(json.dumps(each) + "\n" for each in content).encode()
        Path(path).write_bytes(lines)
    return paths


def test_the_command_writes_every_format(tmp_path: Path) -> None:
    paths = files(tmp_path)
    found = mb.grade(*paths)
    assert found == mb.grade(ITEMS, REPLIES)

    def run(*options: str) -> str:
        done = run_here("grade", *paths, *options, data=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert run() == f"{found}\n"
    assert json.loads(run("--format", "json")) == json.loads(json.dumps(found.to_json()))
    rows = list(csv.DictReader(run("--format", "csv").splitlines()))
    assert [row["items"] for row in rows] == [str(items) for items in found.shares.column("items")]


def test_a_threshold_holds_for_the_lower_end_of_the_interval(tmp_path: Path) -> None:
    paths = files(tmp_path)
    least = mb.grade(*paths).least_right
    assert least == wilson(2, 4)[0]  # 4 of 8, which are of 4 positions
    for share, code in ((least, 0), (least + 0.001, 1)):
        done = run_here("grade", *paths, "--fail-under", f"{share}", data=tmp_path)
        assert done.returncode == code
        message = "with 95 % confidence, they are right in at least 15.00 % of the critical items"
        assert (message in done.stderr) == bool(code)
    done = run_here("grade", *paths, "--fail-under", "2", data=tmp_path)
    require_refused(done, "--fail-under 2: expected a share above 0, at most 1, as in 0.95\n")


WRONG_ITEMS: dict[str, tuple[object, str]] = {
    "nothing": (b"", "there are no items"),
    "no JSON": (b'{"id": "p"', "line 1 of '{}': no JSON"),
    "twice": ([ITEMS[0], ITEMS[0]], "line 2 of '{}': another item with the id 'p': line 1 has"),
    "replies": ([{"id": "p", "reply": "b2"}], "line 1 of '{}': this is no file of items: are"),
    "no id": ([{}], "line 1 of '{}': \"ply\" is 'None': expected a number from 0 to 63"),
    "id": ([item("")], "line 1 of '{}': \"id\" is '': expected a text of 1 to 300"),
    "twin": ([item("p", twin_of=[])], "line 1 of '{}': \"twin_of\" is a list"),
    "form": ([ITEMS[0], item("q", form=None)], "line 2 of '{}': \"form\" is 'None'"),
    "ply": ([item("p", ply=True)], "line 1 of '{}': \"ply\" is 'True'"),
    "class": ([item("p", **{"class": "7"})], "line 1 of '{}': \"class\" is '7': expected a number"),
    "hardness": ([item("p", hardness=2)], "line 1 of '{}': \"hardness\" is '2'"),
    "no moves": ([item("p", moves=[])], "line 1 of '{}': \"moves\" is a list: expected"),
    "same moves": ([item("p", moves=["b2"] * 3)], "line 1 of '{}': \"moves\" is a list"),
    "mixed": ([item("p", moves=["b2", "4", "5"])], "line 1 of '{}': \"moves\" is a list"),
    "no cell": ([item("p", moves=["b2", "c3", "[0-9]"])], "line 1 of '{}': \"moves\" is a list"),
    "losses": ([item("p", losses=[0, 1])], "line 1 of '{}': \"losses\" is a list: expected"),
    "great": ([item("p", losses=[0, 1, 3])], "line 1 of '{}': \"losses\" is a list"),
    "no best": ([item("p", losses=[1, 1, 1])], "line 1 of '{}': \"losses\" is a list"),
}  # fmt: skip
WRONG_REPLIES: dict[str, tuple[object, str]] = {
    "no reply": ([{"id": "p", "text": ""}], "the keys are 'id, text': expected {{\"id\": …, "),
    "a number": ([{"id": "p", "reply": 4}], "line 1 of '{}': \"reply\" is '4': expected"),
    "no id": ([{"reply": "b2"}], "line 1 of '{}': \"id\" is 'None': expected a text"),
    "twice": ([{"id": "p", "reply": "b2"}] * 2, "line 2 of '{}': another reply with the id 'p'"),
    "a half": (b'{"id": "p", "reply": "b2"}\n{"id', "line 2 of '{}': no JSON"),
    "nothing": (b"", "holds no replies: expected"),
    "of others": ([{"id": "x", "reply": "b2"}], "the first reply has 'x', the first item 'p'"),
}  # fmt: skip


@pytest.mark.parametrize(("wrong", "cases"), [("items", WRONG_ITEMS), ("replies", WRONG_REPLIES)])
def test_a_wrong_file_is_one_sentence_with_its_line(
    wrong: str, cases: dict[str, tuple[object, str]], tmp_path: Path
) -> None:
    for name, (content, message) in cases.items():
        paths = files(tmp_path, **{wrong: content})
        with pytest.raises(UsageError) as raised:
            mb.grade(*paths)
        assert message.format(tmp_path / f"{wrong}.jsonl") in str(raised.value), name
        assert "\n" not in str(raised.value)


def test_damaged_files_are_graded_or_refused(tmp_path: Path) -> None:
    random, paths = Random("grades"), [Path(each) for each in files(tmp_path)]
    whole = [path.read_bytes() for path in paths]

    def grade() -> None:
        for path, before in zip(paths, whole, strict=True):
            path.write_bytes(damaged(before, random, least=0))
        found = mb.grade(*paths)
        assert len(found.answers.rows) == found.items > 0

    refusals(grade, 40, rf"{tmp_path}/\w+.jsonl")


def test_a_text_controls_neither_terminal_nor_page() -> None:
    odd_items = [item("<b>", game="<i>")]
    found = mb.grade(odd_items, {"<b>": "\x1b[2J", "</p>": "\ud800\u202e"})
    for shown in (str(found), found._repr_html_()):
        assert all(sign.isprintable() or sign == "\n" for sign in shown)
        assert "unparsable" in shown
    assert not {"<b>", "<i>"} & {*re.findall("<.>", found._repr_html_())}
    for name in ("\x1b[2J", "\ud800", "\u202e", "a\nb"):
        for items, replies in (([item(name)], {}), (odd_items, {name: "b2"})):
            with pytest.raises(UsageError, match="expected a text of 1 to 300 printable"):
                mb.grade(items, replies)
    with pytest.raises(
        UsageError, match="line 2 of 'the given items': expected an object, got '7'"
    ):
        mb.grade([item("p"), 7], {})  # type: ignore[list-item]


def test_a_long_reply_is_read_in_one_pass() -> None:
    """Texts on which a careless pattern would look back at every place again."""
    for part in ("move", "move:", ". ", "? move", "cell ", "a1", " " * 9, "!" * 9, "4", "\n",
                 "move:\n", "not ", "<think>", "</think>", ", so "):  # fmt: skip
        for moves in (NAMES, NUMBERS):
            found = find_move(f"a1 x cell 4 {part * 100_000}", moves)
            assert found.move in (None, "a1", "4")


def test_replies_in_another_numbering_lead_to_it() -> None:
    items = [item(f"i{number}", moves=["b2", "c3", "a1"]) for number in range(3)]
    grades = {
        reply: mb.grade(items, dict.fromkeys(["i0", "i1", "i2"], reply))
        for reply in ("move: 4", "move: 5", "move: b2", "hm", "move: a2")
    }
    fitting = {reply: list(found.fitting_numberings) for reply, found in grades.items()}
    assert "cells" not in fitting["move: 5"]
    assert "cells-from-1" in fitting["move: 5"]
    assert "cells" in fitting["move: 4"]
    assert (fitting["move: b2"], fitting["hm"]) == ([], [])
    detail = "they would with the option numbering cells or cells-by-column"
    assert detail in str(grades["move: 4"])
    assert grades["move: 4"].to_json()["fitting_numberings"] == fitting["move: 4"]
