"""Values of other types, given to public functions: taken for what they are, or refused."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import marubatsu as mb
from marubatsu import frameworks
from marubatsu.judge.agents.interfaces import INTERFACES
from marubatsu.pipeline.support.errors import DataError, UsageError
from tests.helpers import CHECKOUT
from tests.helpers.broken.broken_environments import Right

CORNERS = CHECKOUT / "examples" / "corners.py"

DOOR: Any = mb
FRAMEWORKS: Any = frameworks
"""The same without their types."""


class DataFrame(list[str]):
    """As that of pandas, which is a list of the names of its columns."""

    columns = property(list)


FLAGS, LONG, OWN = np.array([True, False]), "d" * 300, f"{CORNERS}:choose"

WRONG_TYPES: list[tuple[Callable[..., Any], str]] = [
    (lambda: DOOR.answer(5), "5 is no position: expected the text of a board or of moves"),
    (lambda: DOOR.answer("o...x...o", game=3), "3 is no game: expected a name such as 3x3k3"),
    (lambda: DOOR.answer("o...x...o", data=5), "data=5: expected the name of a folder"),
    (lambda: DOOR.answer("o...x...o", data=""), "data='': expected the name of a folder"),
    (lambda: DOOR.answer("o...x...o", data="a\0b"), "'a\\x00b' cannot be opened, expected a"),
    (lambda: DOOR.answer("o...x...o", data="d" * 300), f"'{'d' * 60}…' cannot be opened, exp"),
    (lambda: DOOR.answer("o...x...o", numbering=np.zeros(2)), "array([0., 0.]) is no numbering: "),
    (lambda: DOOR.answer(mb.Position(1, 1)),
     "Position(circle=1, cross=1) is no position of tictactoe: expected masks of different"),
    (lambda: DOOR.answer(DOOR.Position(1.0, 0)), "Position(circle=1.0, cross=0) is no position of"),
    (lambda: DOOR.oracle().answer_many([mb.Position(1 << 99, 0)]),
     "board 1 of 1: Position(circle=633825300114114700748351602688, cross=0) is no position"),
    (lambda: DOOR.oracle(time=True), "time=True: expected 0 to 86,400 seconds"),
    (lambda: DOOR.oracle(threads=True), "threads=True: expected a whole number, 1 to 64"),
    (lambda: DOOR.Game(True, 3), "True, 3 is no game: expected a name such as 3x3k3"),
    (lambda: DOOR.reward("tictactoe", "o........", 4, potential=["speed"]),
     "there is no potential ['speed']"),
    (lambda: DOOR.search(None), "there is no algorithm None: expected minimax"),
    (lambda: DOOR.search(["scout"]), "there is no algorithm ['scout']: did you mean scout"),
    (lambda: DOOR.search(trace=5), "trace=5: expected the name of a file, or a function"),
    (lambda: DOOR.audit("ai2", save=["mine"]), "save=['mine']: expected a name of at most 30"),
    (lambda: DOOR.audit("ai2", interface=["aec"]), "interface=['aec']: expected"),
    (lambda: DOOR.items(split=np.zeros(2)), "split=array([0., 0.]): expected one of train"),
    (lambda: DOOR.question("o........", notation=np.zeros(2)), "notation=array([0., 0.]): exp"),
    (lambda: DOOR.Question.of_item({"game": "tictactoe"}), "{'game': 'tictactoe'} is no item: "),
    (lambda: DOOR.Question.of_item(5), "5 is no item: expected what `items` returns"),
    (lambda: DOOR.oracle().answer_many(np.array(1)), "array(1) is no list: expected a list of"),
    (lambda: DOOR.oracle(time="ten"), "time='ten': expected 0 to 86,400 seconds"),
    (lambda: DOOR.oracle(memory=5), "5 is no amount of memory: expected one like 500MB"),
    (lambda: DOOR.oracle(memory="0MB"), "'0MB' is no amount of memory: expected one like 500MB"),
    (lambda: DOOR.audit(5), "5 is no AI: expected a function, or a text such as ai14s"),
    (lambda: DOOR.audit("ai2", seed=1.5), "seed=1.5: expected a whole number, 0 or more"),
    (lambda: DOOR.audit("ai2", time="ten"), "time='ten': expected more than 0, at most 86,400"),
    (lambda: DOOR.audit("ai2", plies=5), "plies=5: expected a ply or a range"),
    (lambda: DOOR.match(None, "ai2"), "None is no AI: expected a function, or a text"),
    (lambda: DOOR.match("ai1", "ai2", games="ten"), "games='ten': expected a whole number, 1 to"),
    (lambda: DOOR.match("ai1", "ai2", games=0), "games=0: expected 1 to 1,000,000,000"),
    (lambda: DOOR.match("ai1", "ai2", seed=-1), "seed=-1: expected 0 or more"),
    (lambda: DOOR.search(use_table=True, table_size=1024, replacement="oops"),
     "alphabeta knows no replacement 'oops': expected always, depth, two_tier"),
    (lambda: DOOR.search(ordering=5), "5 is no AI: expected a function, or a text"),
    (lambda: DOOR.search(use_table="no"), "use_table='no': expected True or False"),
    (lambda: DOOR.search("depth_limited", max_depth="2", evaluation="ai1s"),
     "depth_limited takes a number as max_depth: expected a whole one, got '2'"),
    (lambda: DOOR.search(board=5), "5 is no position: expected the text of a board"),
    (lambda: DOOR.review(5), "5 names no files: expected files of recorded games"),
    (lambda: DOOR.review([]), "[] names no files: expected files of recorded games"),
    (lambda: DOOR.items(sample="x"), "sample='x': expected a whole number, 1 or more"),
    (lambda: DOOR.Game(3, 3, misere=FLAGS), "misere=array([ True, False]): expected True or"),
    (lambda: DOOR.items(twins=FLAGS), "twins=array([ True, False]): expected True or False"),
    (lambda: DOOR.answer("o........", data=FLAGS), "data=array([ True, False]): expected the"),
    (lambda: DOOR.audit("ai2", sample=FLAGS), "sample=array([ True, False]): expected a"),
    (lambda: DOOR.search(playouts=FLAGS), "alphabeta takes a number as playouts: expected a"),
    (lambda: DOOR.search(replacement=FLAGS), "alphabeta knows no replacement array([ True,"),
    (lambda: DOOR.search("uct", seed=1 << 63), "uct cannot draw by the seed 92233720368547758"),
    (lambda: DOOR.search(ordering=LONG), f"'{'d' * 60}…' names no AI: expected file.py"),
    (lambda: DOOR.search(ordering=f"{LONG}:f"), f"there is no module '{'d' * 60}…': expected"),
    (lambda: DOOR.search(trace=LONG), f"'{'d' * 60}…' cannot be written: File name too long"),
    (lambda: DOOR.search(trace="a\0b"), "'a\\x00b' cannot be written: embedded null byte"),
    (lambda: DOOR.audit(OWN, resume=FLAGS), "resume=array([ True, False]): expected the name"),
    (lambda: DOOR.audit(OWN, resume="a\0b"), "resume='a\\x00b': embedded null byte"),
    (lambda: DOOR.audit(OWN, allow_env=FLAGS), "allow_env=array([ True, False]): expected one"),
    (lambda: DOOR.audit(OWN, allow_read=5), "allow_read=5: expected one text, or a list of texts"),
    (lambda: DOOR.audit(OWN, allow_read=LONG), f"allow_read='{'d' * 60}…': there is no such"),
    (lambda: mb.Rows(["move"], []).column("moves"), "there is no column 'moves': did you mean"),
    (lambda: mb.Rows(["move"], []).without("moves"), "there is no column 'moves': did you mean"),
    (lambda: DOOR.match("ai1", "ai2", forfeit="no"), "forfeit='no': expected True or False"),
    (lambda: DOOR.audit("ai2", matches="no"), "matches='no': expected True or False"),
    (lambda: DOOR.audit(OWN, allow_network="no"), "allow_network='no': expected True or False"),
    (lambda: DOOR.audit(OWN, timeout="2"), "timeout='2': expected more"),
    (lambda: DOOR.review("log", columns="moves=line"),
     "columns='moves=line': expected a mapping of"),
    (lambda: DOOR.review("log", columns={"move_s": "line"}),
     "columns={'move_s': 'line'}: expected"),
    (lambda: DOOR.review("log", columns={"moves": 1}),
     "columns={'moves': 1}: expected a mapping of"),
    (lambda: DOOR.review("log", results={1: "first"}), "results={1: 'first'}: expected a mapping"),
    (lambda: DOOR.question("o...x....").read({"content": "b2"}),
     "{'content': 'b2'} is no reply: exp"),
    (lambda: DOOR.items(seed=1.5), "seed=1.5: expected a whole number, 0 or more"),
    (lambda: DOOR.grade([], ["move: a1"]), "['move: a1'] is no dict: expected a reply by the id"),
    (lambda: DOOR.grade(5, {}), "5 is no list of items: expected what `items` returns"),
    (lambda: DOOR.grade(DataFrame(["id"]), {}), "['id'] is no list of items: expected what"),
    (lambda: DOOR.review(DataFrame(["moves"])), "['moves'] names no files: expected files of rec"),
    (lambda: DOOR.grade(np.array(1.5), {}), "array(1.5) is no list of items: expected what"),
    (lambda: DOOR.items(seed=np.zeros(9999)), "seed=array([0., 0., 0., ..., 0., 0., 0.], shape=(9"),
    (lambda: DOOR.items(sample=-(10**999)), f"sample=-1{'0' * 58}…: expected 1 or more"),
    (lambda: DOOR.items(sample=-(10**9999)), "sample=int of thousands of digits: expected 1 or"),
    (lambda: DOOR.conform_env(5), "'int' makes no environment, as it has no reset, play"),
    (lambda: DOOR.conform_env("nothing"), "'nothing' names no environment"),
    (lambda: DOOR.conform_env(Right, "5x1k2", sample=0), "sample=0: expected 1 or more"),
    (lambda: DOOR.conform_env(Right, sample="x"), "sample='x': expected a whole number, 1 or"),
    (lambda: DOOR.conform_env(Right, "5x1k2", seed=0.5), "seed=0.5: expected a whole number, 0 or"),
    (lambda: DOOR.sql(""), "'' holds no statement: expected SQL"),
    (lambda: DOOR.sql("select ?", parameters=[1]), "parameters=[1]: expected a mapping from names"),
    (lambda: DOOR.sql("select 1 \udc80"), "'select 1 \\udc80' holds no statement: expected SQL"),
    (lambda: DOOR.sql("-- a comment"), "'-- a comment' holds no statement: expected SQL"),
    (lambda: DOOR.oracle().answer_many("o...x...o"), "'o...x...o' is no list: expected a list of"),
    (lambda: DOOR.oracle().answer_many({"." * 9}), "{'.........'} is no list: expected a list of"),
    (lambda: FRAMEWORKS.player()(mb.Position(0, 1)), "no game of tictactoe reaches 'x"),
    (lambda: DOOR.oracle().answer_many(["." * 9, "zz"]), "board 2 of 2: expected 9 cells"),
    (lambda: DOOR.oracle().answer_many(DataFrame("012")), "a table is no list of boards: expected"),
    (lambda: DOOR.oracle().answer_many((1.5, 2)), "expected masks as whole numbers, or a list of"),
    (lambda: FRAMEWORKS.connectx_agent()(np.zeros(9), {"columns": 3, "rows": 3, "inarow": 3}),
     "array([0., 0., 0., 0., 0., 0., 0., 0., 0.]) and {'columns': 3, 'rows': 3, 'i"),
    (lambda: FRAMEWORKS.openspiel_bot(seed=1.5), "seed=1.5: expected a whole number, 0 or more"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("ask", "message"), WRONG_TYPES, ids=[message.split(":")[0] for _, message in WRONG_TYPES]
)
def test_a_value_of_another_type_is_refused_in_a_sentence(
    ask: Callable[[], Any], message: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARUBATSU_DATA", str(root))
    with pytest.raises((mb.InputError, UsageError)) as caught:
        ask()
    assert str(caught.value).startswith(message)


def test_an_object_that_is_no_agent_of_an_interface_is_refused(root: Path) -> None:
    for interface in (name for name, each in INTERFACES.items() if not each.of_programs):
        with pytest.raises(UsageError, match=r"^int cannot be asked: int is no "):
            DOOR.audit(5, data=root, interface=interface)


def test_numbers_of_other_types_are_options() -> None:
    with pytest.raises(DataError, match=r"has no result after 1e-06 s"):
        DOOR.search(game="4x4k4", time=Fraction(1, 10**6))
    seeds = (3, np.int64(3))
    first, second = (DOOR.match("ai1", "ai2", games=9, seed=seed) for seed in seeds)
    assert first == second
    assert DOOR.Game(np.int64(4), np.int8(3)) == mb.Game("4x3k3")
    assert DOOR.oracle(time=np.int64(1)).answer("o...x...o").score == 0
    answer = DOOR.sql("select $n + $m", parameters={"n": np.int8(3), "m": np.float32(0.5)})
    assert answer.fetchall() == [(3.5,)]
    assert DOOR.Game(3, 3, misere=np.array(True)).misere is True
    assert DOOR.search("monte_carlo", seed=np.int8(3)) == DOOR.search("monte_carlo", seed=3)
    limits: Any = {"timeout": np.float32(60), "allow_network": np.bool_(True)}
    assert DOOR.match(f"{CORNERS}:choose", "ai2", games=1, **limits).total
