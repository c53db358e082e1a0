"""Items: their answers follow from their text alone, twins are twins, and no split leaks."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.rules.symmetry import class_members
from marubatsu.judge.items.item_set import choice_of, items_of
from marubatsu.judge.items.question import Form, Notation, question_text
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.stage import STAGES
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.schemas import CLASSES, POSITIONS
from marubatsu.pipeline.tables.schemas import SPLITS as SPLITS_TABLE
from tests.helpers.data.played import after
from tests.helpers.data.questions import read
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import run_here
from tests.helpers.slow.slow_rules import legal_moves
from tests.helpers.slow.slow_solution import values_of

SMALL = ("3x2k2", "3x2k3-torus", "3x3k3-gravity-misere", "2x2k2-misere")
NOTATIONS = {**dict.fromkeys(SMALL, "all"), "tictactoe": "board"}
LEAKY = ("3x3k3-gravity", "tictactoe")


@pytest.fixture(scope="session")
def data(shared: Shared) -> Path:
    """Return a folder with the tables that items need, and no others."""

    def make(folder: Path) -> None:
        needed = (POSITIONS, CLASSES, SPLITS_TABLE)
        for name in {*NOTATIONS, *LEAKY, "2x2k2"}:
            data_set = DataSet(folder, Game(name))
            build(data_set, [stage for stage in STAGES if stage.table in needed])

    return shared.make("items", make)


@cache
def made(
    data: Path, name: str, split: str = "all", notation: str = "all", *,
    twins: bool = True, sample: int | None = None, seed: int = 0,
) -> tuple[SimpleNamespace, ...]:  # fmt: skip
    choice = choice_of(split, notation, sample, seed, twins=twins)
    items = items_of(DataSet(data, Game(name)), choice)
    return tuple(SimpleNamespace(**item) for item in items)


@pytest.mark.parametrize("name", NOTATIONS)
def test_the_answer_of_every_item_follows_from_its_text(name: str, data: Path) -> None:
    """By induction over all positions, from what a second reader finds in the question."""
    game, items = Game(name), made(data, name, notation=NOTATIONS[name])
    values = values_of(game)

    @cache
    def losses(position: Position) -> dict[int, int]:
        best, _ = values[position]
        children = {move: after(position, move) for move in legal_moves(game, position)}
        return {move: best + values[child][0] for move, child in children.items()}

    for item in items:
        question = read(item.question)
        assert question.game == game
        here = question.position
        assert question.mover == question.marks[here.ply % 2]
        names = {cell: each for each, cell in question.names.items()}
        expected = {names[move]: loss for move, loss in losses(here).items()}
        assert dict(zip(item.moves, item.losses, strict=True)) == expected
        assert item.best_moves == [move for move, loss in expected.items() if loss == 0]
        assert (item.score_mover, item.distance) == values[here]
        assert item.hardness == sum(map(bool, expected.values())) / len(expected)
        assert (item.ply, item.board) == (here.ply, to_text(game, here))
        assert ("number of the cell" in item.question) == (item.notation == Notation.TEXT)
    unfinished = {class_of(game, to_text(game, each)) for each in values if losses(each)}
    originals = [item for item in items if item.form == Form.ORIGINAL]
    assert {class_of(game, item.board) for item in originals} == unfinished
    assert len(originals) == len(unfinished) * len({item.notation for item in items})
    assert len({item.id for item in items}) == len(items)


@cache
def class_of(game: Game, board: str) -> frozenset[Position]:
    """Return the class of a board, with either side to move."""
    marks = (sum(1 << cell for cell, sign in enumerate(board) if sign == mark) for mark in "ox")
    return frozenset(class_members(game, Position(*marks)))


@pytest.mark.parametrize("name", NOTATIONS)
def test_twins_show_the_same_item_in_another_form(name: str, data: Path) -> None:
    game, items = Game(name), made(data, name, notation=NOTATIONS[name])
    by_id = {item.id: item for item in items}
    forms: Counter[Form] = Counter()
    for item in items:
        forms[item.form] += 1
        if item.form == Form.ORIGINAL:
            assert item.twin_of is None
            continue
        original = by_id[item.twin_of or ""]
        assert original.form == Form.ORIGINAL
        same = ("split", "notation", "class", "ply", "hardness", "only_moves", "score_mover",
                "distance")  # fmt: skip
        assert [getattr(item, each) for each in same] == [getattr(original, each) for each in same]
        assert sorted(item.losses) == sorted(original.losses)
        ours, theirs = read(item.question), read(original.question)
        assert class_of(game, item.board) == class_of(game, original.board)
        if item.form == Form.IMAGE:
            assert ours.shown != theirs.shown
            assert (ours.marks, ours.names) == (theirs.marks, theirs.names)
        else:
            assert ours.position == theirs.position
            assert item.question != original.question
        if item.form == Form.SWAPPED:
            assert ours.shown == theirs.shown.translate(str.maketrans("ox", "xo"))
            assert (ours.marks, ours.names) == (theirs.marks[::-1], theirs.names)
        if item.form == Form.RENAMED:
            assert {*ours.marks}.isdisjoint(theirs.marks)
            assert all(theirs.names.get(each) != cell for each, cell in ours.names.items())
    assert forms[Form.RENAMED] == forms[Form.ORIGINAL] >= forms[Form.SWAPPED] > 0
    turned = {item.twin_of for item in items if item.form == Form.IMAGE}
    assert turned == {
        item.id
        for item in items
        if item.form == Form.ORIGINAL and len(class_of(game, item.board)) > 1
    }


@pytest.mark.parametrize("name", LEAKY)
def test_no_question_shows_a_board_of_another_split(name: str, data: Path) -> None:
    """Neither as a position, nor as a board with either side to move."""
    game = Game(name)
    items = made(data, name, notation="board")
    split_of = {
        class_of(game, item.board): item.split for item in items if item.form == Form.ORIGINAL
    }
    assert {*split_of.values()} == {"train", "validation", "test"}
    for item in items:
        question = read(item.question)
        assert split_of[class_of(game, to_text(game, question.position))] == item.split
        looks = question.shown.translate(str.maketrans("yz", "ox"))
        assert split_of.get(class_of(game, looks), item.split) == item.split


def test_a_twin_with_exchanged_marks_is_left_out_only_where_it_would_leak(data: Path) -> None:
    """With as many marks of each, the board may be a position of another split."""
    items = made(data, "tictactoe", notation="board")
    game = Game("tictactoe")
    split_of = {class_of(game, item.board): item.split for item in items}
    swapped = {item.twin_of for item in items if item.form == Form.SWAPPED}
    for item in items:
        if item.form == Form.ORIGINAL:
            other = class_of(game, item.board.translate(str.maketrans("ox", "xo")))
            assert (item.id in swapped) == (split_of.get(other, item.split) == item.split)


@pytest.mark.parametrize("name", ["1x12k3-gravity", "30x2k2", "6x5k4-torus-misere"])
def test_questions_about_larger_boards_say_what_they_show(name: str) -> None:
    """Random positions, without tables: rows of two digits, columns of two letters."""
    game, random = Game(name), Random(name)
    here, line = EMPTY, list[int]()
    while moves := legal_moves(game, here):
        if len(line) % 4 == 0:
            for notation in Notation:
                for form in Form:
                    question = read(question_text(game, notation, form.naming, here, line))
                    assert (question.game, question.position) == (game, here)
                    assert question.marks == form.naming.marks
                    assert question.mover == question.marks[len(line) % 2]
        line.append(random.choice(moves))
        here = after(here, line[-1])
    assert len(line) > 1


def test_the_same_seed_gives_the_same_items(data: Path) -> None:
    items = made(data, "tictactoe", notation="board")
    assert made.__wrapped__(data, "tictactoe", notation="board") == items
    known = {item.id: item for item in items}

    def sampled(size: int, seed: int) -> tuple[SimpleNamespace, ...]:
        return made(data, "tictactoe", notation="board", sample=size, seed=seed)

    assert all(known[item.id] == item for item in sampled(60, 0))
    assert {item.form for item in sampled(627, 1) if item.id not in known} == {Form.IMAGE}
    first, other = ({getattr(item, "class") for item in sampled(60, seed)} for seed in (0, 1))
    assert first != other
    assert sampled(10_000, 0) == items


def test_classes_are_looked_up_in_batches(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("marubatsu.judge.items.item_set._BATCH", 7)
    assert made.__wrapped__(data, "3x2k2") == made(data, "3x2k2")


@pytest.mark.parametrize("size", [1, 60, 300])
def test_a_sample_has_its_share_of_each_ply(size: int, data: Path) -> None:
    whole, sampled = (
        Counter(item.ply for item in made(data, "tictactoe", notation="text", twins=False,
                                          sample=sample))
        for sample in (None, size)
    )  # fmt: skip
    assert (sampled.total(), whole.total()) == (size, 627)
    for ply, count in whole.items():
        assert abs(sampled[ply] - count * size / 627) < 1


def test_the_command_writes_what_python_returns(data: Path, tmp_path: Path) -> None:
    import marubatsu as mb

    file = tmp_path / "items.jsonl"
    options = ["--split", "train", "--notation", "moves", "--twins", "--sample", "5", "--seed", "2"]
    done = run_here("items", "3x2k2", *options, "--output", str(file), data=data)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    written = [json.loads(line) for line in file.read_text().splitlines()]
    assert written == mb.items(
        "3x2k2", split="train", notation="moves", twins=True, sample=5, seed=2, data=data
    )
    assert run_here("items", "3x2k2", *options, data=data).stdout == file.read_text()
    assert [list(item) for item in written] == [list(vars(made(data, "2x2k2")[0]))] * len(written)


def test_missing_splits_are_built_when_that_is_quick(tmp_path: Path) -> None:
    import marubatsu as mb

    assert mb.answer("....", "2x2k2", data=tmp_path).score == 1  # builds the other tables
    (item, *_) = mb.items("2x2k2", split="train", data=tmp_path)
    assert item["question"].startswith("Two players, O and X, take turns on a board of 2 columns")
    with pytest.raises(DataError, match=r"too large for the table of splits; .*docs/learning\.md"):
        mb.items("connect4", data=tmp_path)
