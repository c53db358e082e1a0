"""Hostile command lines: each does its work, or says in a sentence why not."""

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.data_set import DataSet
from tests.attacks.arguments import (
    AMOUNTS,
    BOARDS,
    GAMES,
    KINDS,
    NAMES,
    NUMBERS,
    ODD,
    PATHS,
    STATEMENTS,
)
from tests.attacks.tally import ATTEMPTS, Refused, Tally
from tests.helpers.data.data_sets import SMALLEST, build_smallest, copied, verified
from tests.helpers.data.shared import Shared, states
from tests.helpers.processes.commands import every_command, run_here

WRITES = {"build", "solve", "tree", "ais", "audit", "book", "compare", "items", "prove"}
"""Commands that may write to the data."""

PARAMETERS: dict[str, list[Any]] = {
    name: command.params
    for name, command in every_command().items()
    if name not in ("explore", "mcp")
} | {"nothing": [], "Tree": [], "../tree": []}
"""Those of each command; no command serves, or runs long."""


def options(parameters: list[Any]) -> dict[str, Any]:
    """Return the options among the parameters, by each of their names."""
    found = [each for each in parameters if each.param_type_name == "option"]
    return {name: each for each in found for name in each.opts}


EVERY_OPTION = options([each for parameters in PARAMETERS.values() for each in parameters])


def value(parameter: Any, random: Random) -> str:
    """Return a value of a parameter's kind, seldom of another."""
    is_number = parameter.type.name.startswith(("integer", "float"))
    placeholder = (parameter.metavar or "").strip("[].")
    values = KINDS.get(placeholder, NUMBERS if is_number else NAMES)
    if values is not PATHS and random.random() < 0.1:
        values = random.choice((GAMES, BOARDS, NUMBERS, NAMES, STATEMENTS, AMOUNTS))
    choices: list[str] = [
        each for each in getattr(parameter.type, "choices", ()) if each != "spark"
    ]
    ordinary = random.random() < 0.6
    return random.choice((choices or values[:2]) if ordinary else values)


def line(random: Random) -> list[str]:
    """Return a command with arguments and options, mostly its own."""
    command = random.choice(sorted(PARAMETERS))
    parameters = PARAMETERS[command]
    own = options(parameters)
    words = [
        value(parameter, random)
        for parameter in parameters
        if parameter.param_type_name == "argument"
        for _ in range(2 if parameter.nargs == -1 else 1)
    ]
    for _ in range(random.randrange(4)):
        known = own if own and random.random() < 0.9 else EVERY_OPTION
        name = random.choice(sorted(known))
        added = [name] if known[name].is_flag else [name, value(known[name], random)]
        at = random.choice((0, len(words)))
        words[at:at] = added
    if random.random() < 0.1:
        words.insert(random.randint(0, len(words)), random.choice(ODD))
    if "--out" in own and random.random() < 0.8:
        words += ["--out", value(own["--out"], random)]
    if "--time" in own:
        words += ["--time", "0.1"]
    if "--game" in own:
        words[:0] = ["--game", SMALLEST]  # unless another follows
    return [command, *words]


def complaint(command: list[str], data: Path, planted: Path) -> str:
    """Run a command; return what is wrong. Raises Refused when there is a sentence."""
    before, kept = states(planted), states(data)
    done = run_here(*command, data=data)
    if states(planted) != before:
        return "it wrote elsewhere"
    if states(data) != kept and command[0] not in WRITES:
        return "it wrote to the data"
    if done.returncode == 0:
        return ""
    if done.returncode not in (1, 2):
        return str(done)
    if "Traceback" in done.stderr or not all(c.isprintable() or c == "\n" for c in done.stderr):
        return f"no sentence: {done.stderr!r}"
    if done.returncode == 1 and done.stdout and not done.stderr:
        raise Refused("reported in the rows")  # as verify, check and conform do
    lines = done.stderr.splitlines()
    if not any("marubatsu: " in each or each.startswith("Error: ") for each in lines):
        return f"no sentence: {done.stderr!r}"
    raise Refused(done.stderr)


def test_hostile_command_lines_are_refused_with_a_sentence(
    shared: Shared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = copied(build_smallest(shared), tmp_path / "data")
    planted, folder = tmp_path / "planted", tmp_path / "outer" / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "loop").symlink_to("loop")
    (folder / "away").symlink_to("inner")
    copied(data, planted)
    monkeypatch.chdir(folder)
    random = Random("command lines")
    tally = Tally("command lines")
    for _ in range(ATTEMPTS):
        words = line(random)
        places = {"FOLDER": str(folder), "DATA": str(data)}
        for name, place in places.items():
            words = [word.replace(name, place) for word in words]
        tally.add(repr([word[:60] for word in words]), partial(complaint, words, data, planted), "")
    assert Path.cwd() == folder
    assert verified(DataSet(data, Game(SMALLEST))) == []
    tally.report()
