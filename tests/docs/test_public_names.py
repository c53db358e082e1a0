"""The public names of the package: types for every annotation, complete docstrings."""

import builtins
import collections.abc
import inspect
import pathlib
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_type_hints

import duckdb
import pytest

import marubatsu as mb
from marubatsu import frameworks
from marubatsu.engine.search.options import Options


def test_the_package_has_few_names_and_their_types_are_there() -> None:
    assert set(mb.__all__) == {
        "Answer", "Answers", "Audit", "BoundedAnswer", "Event", "Game", "Grade", "Match", "Oracle",
        "Result", "Review", "Tables", "Walk",
        "BoundedMove", "Comparison", "Difference", "EventKind", "Finding", "GameReview",
        "Interview", "Move", "PlayerTables", "Position", "Question", "ReplyMove", "Reward",
        "Rewards", "Rows", "Sampled", "Tally", "Verdicts",
        "AgentOptions", "AuditOptions", "BoardLike", "Choose", "SearchOptions", "Status",
        "DataError", "InputError", "OutOfTimeError", "UsageError",
        "answer", "audit", "build", "conform_env", "evaluation", "grade", "items", "match",
        "oracle", "question", "review", "reward", "rewards", "search", "solve", "sql", "tables",
    }  # fmt: skip
    for name in set(mb.__all__) - {"BoardLike", "Choose"}:  # An alias keeps no docstring.
        assert getattr(mb, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'oops'"):
        _ = mb.oops


FUNCTIONS = [getattr(module, name) for module in (mb, frameworks) for name in module.__all__
             if name.islower()]  # fmt: skip
EXPORTED = {name: getattr(mb, name) for name in mb.__all__}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_every_annotation_is_an_exported_name(function: Callable[..., Any]) -> None:
    """Or a name of the standard library, of typing, or of DuckDB."""
    others = {name: getattr(home, name) for home, names in (
        (typing, ("Any", "Unpack")), (pathlib, ("Path",)),
        (collections.abc, ("Callable", "Iterable", "Mapping", "Sequence")),
    ) for name in names}  # fmt: skip
    private = {f"_{name}": value for name, value in (others | {"duckdb": duckdb}).items()}
    hints = get_type_hints(function, EXPORTED | others | private)
    assert set(inspect.signature(function).parameters) | {"return"} == set(hints)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_docstring_lists_the_errors_and_shows_an_example(function: Callable[..., Any]) -> None:
    text = inspect.getdoc(function) or ""
    assert "Raises " in text
    assert ">>> " in text or "::\n\n    " in text  # Those that need a package are not run.


def test_docstrings_name_only_errors_that_a_program_can_name() -> None:
    kinds = [kind for kind in EXPORTED.values() if inspect.isclass(kind)]
    methods = [each for kind in kinds for name, each in vars(kind).items() if name[0] != "_"]
    message = " ".join(str(each.__doc__) for each in (mb, frameworks, *FUNCTIONS, *kinds, *methods))
    named = set(re.findall(r"\b[A-Z]\w*Error\b", message))
    assert {error for error in named if not hasattr(builtins, error)} <= set(mb.__all__)


def test_the_keys_of_an_item_are_described(tmp_path: Path) -> None:
    (item, *_) = mb.items(sample=1, data=tmp_path)
    assert {key for key in item if f"``{key}``" not in (mb.items.__doc__ or "")} == set()


def classes_in(hint: object) -> Iterator[type]:
    """Yield the classes of ours that a type names."""
    if isinstance(hint, type) and hint.__module__.startswith("marubatsu."):
        yield hint
    for part in typing.get_args(hint):
        yield from classes_in(part)


def test_classes_of_fields_of_exported_classes_are_exported() -> None:
    fields = {
        (name, each)
        for name, kind in EXPORTED.items()
        if isinstance(kind, type) and is_dataclass(kind)
        for hint in get_type_hints(kind).values()
        for each in classes_in(hint)
    }
    assert {name for name, _ in fields} >= {"Answer", "Audit", "Event", "Match", "Review"}
    assert {each for _, each in fields} <= set(EXPORTED.values())


def test_the_listed_options_of_a_search_are_those_that_it_has() -> None:
    named = {field.name for field in fields(Options)} - {"algorithm", "ordering", "evaluation"}
    assert named | set(mb.AgentOptions.__annotations__) == set(mb.SearchOptions.__annotations__)
    described = inspect.getdoc(mb.SearchOptions) or ""
    for name, annotation in get_type_hints(mb.SearchOptions, include_extras=True).items():
        assert f"``{name}``\n    {annotation.__metadata__[0]}" in described


def program_of_somebody_else() -> tuple[mb.Result, mb.Verdicts, tuple[mb.Move, ...]]:
    """Name the types of answers: a strict type checker reads this; it never runs."""
    answer: mb.Answer = mb.answer(".........")
    result: mb.Result = mb.search("scout", game=mb.Game("3x3k3-misere"))
    typing.assert_type(answer.moves[0].score, int)
    typing.assert_type(mb.match("ai1", "ai2").as_circle.win, int)

    def first(board: str, legal: list[int]) -> int:
        return legal[0]

    choose: mb.Choose = first
    options: mb.SearchOptions = {"use_table": True}
    mb.search(ordering=choose, **options)
    return result, mb.audit(choose).verdicts, answer.moves
