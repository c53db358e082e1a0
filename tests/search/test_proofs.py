"""Smallest proofs: found twice, kept, checked in SQL and by a program that shares no code."""

import csv
import io
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Side
from marubatsu.engine.tree.induction import PositionScores, score_positions
from marubatsu.engine.tree.positions import Positions, classify, enumerate_positions
from marubatsu.pipeline.checking.checks import run_check
from marubatsu.pipeline.laboratory import proving
from marubatsu.pipeline.laboratory.proof_graph import (
    OPEN,
    Claim,
    ClassGraph,
    Proof,
    better,
    claims_of,
    class_graph,
    greedy_proof,
    inequalities,
    least_nodes,
    left_first_graph,
    proof_graph,
    solved_proof,
)
from marubatsu.pipeline.laboratory.proving import Proving
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.sql.query_files import checks, report
from marubatsu.pipeline.support.resources import reference_rows
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers import CHECKOUT
from tests.helpers.broken.defects import notices, replaced
from tests.helpers.data.data_sets import build_tree
from tests.helpers.processes.commands import run_here
from tests.helpers.slow.slow_proofs import SlowGame
from tools.checker import check_proof

QUICK = 2
"""Seconds of the solver that a test may take for one proof."""

CHECKED = "3x3k3-gravity"


def solved(name: str) -> tuple[Positions, PositionScores, ClassGraph]:
    positions = enumerate_positions(Game(name))
    scores = score_positions(positions)
    return positions, scores, class_graph(positions, classify(positions), scores)


def smallest(graph: ClassGraph, claim: Claim) -> Proof:
    proof, lower_bound = solved_proof(proof_graph(graph, claim), 600)
    assert proof is not None
    assert proof.lower_bound == lower_bound
    return proof


@pytest.mark.parametrize("name", ["2x2k2", "5x1k3", "3x2k2-misere", "2x3k2-gravity-misere"])
def test_proofs_trees_and_graphs_are_those_of_trying_all(name: str) -> None:
    slow, (positions, scores, graph) = SlowGame(name), solved(name)
    claims = claims_of(slow.value(EMPTY))
    if len(claims) == 1:  # Weaker claims are true as well.
        claims += [claims[0]._replace(bound=0), claims[0]._replace(bound=0, strategy="best")]
    for claim in claims:
        proof = smallest(graph, claim)
        best = claim.strategy == "best"
        assert proof.nodes == slow.smallest_proof(claim.prover, claim.bound, is_best=best)
        assert proof.is_optimal
        assert greedy_proof(proof_graph(graph, claim)).nodes >= proof.nodes
    for window in ((-OPEN, OPEN), (-1, 1), (0, 1), (-1, 0)):
        assert least_nodes(positions, scores, *window)[0] == slow.least(EMPTY, *window)[1]
    assert left_first_graph(graph) == slow.left_first_graph()


@pytest.mark.parametrize("name", ["2x2k2", "3x2k2", "tictactoe", "3x3k3-gravity", "4x3k3"])
def test_the_smallest_proofs_that_are_published(name: str) -> None:
    of_game = [row for row in reference_rows("smallest_proofs") if row["game"] == name]
    positions, scores, graph = solved(name)
    claims = {claim.name: claim for claim in claims_of(int(scores.score[0]))}
    assert claims.keys() == {row["proof"] for row in of_game}
    for row in of_game:
        if int(row["seconds"]) <= QUICK:
            proof = smallest(graph, claims[row["proof"]])
            found = (proof.nodes, proof.own_turns, proof.lower_bound)
            assert found == (int(row["nodes"]), int(row["own_turns"]), int(row["lower_bound"]))
    (least,) = (row for row in reference_rows("least_trees") if row["game"] == name)
    assert least_nodes(positions, scores)[0] == int(least["least_tree"])
    assert left_first_graph(graph) == int(least["left_first_graph"])
    assert len(graph.ply) == int(least["classes"])


def test_cross_has_75_classes_of_an_odd_ply_in_the_proof_of_lomont() -> None:
    """72 own turns and three full boards; the source counts the boards by the side that moves."""
    _, _, graph = solved("tictactoe")
    proof = smallest(graph, Claim(Side.CROSS, 0, "best"))
    ply = graph.ply[proof.class_]
    assert (int((ply % 2 == 1).sum()), int((ply == 9).sum()), proof.own_turns) == (75, 3, 72)


def test_the_smallest_sets_of_cross_differ() -> None:
    """By the same inequalities with other sums: what all sets of 120 classes have in common."""
    _, _, whole = solved("tictactoe")
    graph = proof_graph(whole, Claim(Side.CROSS, 0, "any"))
    entries, rows = inequalities(graph)
    matrix = csr_array((entries[2], (entries[0], entries[1])), shape=(rows, len(graph)))
    least = np.zeros(len(graph))
    least[0] = 1

    def fewest(weights: NDArray[np.float64], classes: int | None) -> int:
        every = [LinearConstraint(matrix, 0, np.inf)]
        if classes:
            every.append(LinearConstraint(np.ones((1, len(graph))), classes, classes))
        found = milp(
            weights, constraints=every, bounds=Bounds(least, 1), integrality=np.ones(len(graph))
        )
        total: float = found.fun
        return round(total)

    own, inner = graph.is_own.astype(float), graph.is_playing.astype(float)
    assert (fewest(own, 120), -fewest(-own, 120)) == (72, 72)
    assert (fewest(inner, 120), -fewest(-inner, 120)) == (101, 104)
    assert fewest(own, None) == 71


def test_the_page_has_the_reference_numbers() -> None:
    page = (CHECKOUT / "docs" / "proofs.md").read_text(encoding="utf-8")
    rows = [
        *(f"{r['game']} | `{r['proof']}` | {r['nodes']} | {r['own_turns']} | {r['lower_bound']}"
          for r in reference_rows("smallest_proofs")),
        *(f"{r['game']} | {r['least_tree']} | {r['left_first_graph']} | {r['classes']}"
          for r in reference_rows("least_trees")),
    ]  # fmt: skip
    lines = [line.strip("| ").replace(",", "") for line in page.splitlines()]
    assert [row for row in rows if row not in lines] == []


def test_a_wrong_claim_has_no_proof() -> None:
    _, _, graph = solved("2x2k2")
    with pytest.raises(ValueError, match="cross-holds is not true of a game with score 1"):
        proof_graph(graph, Claim(Side.CROSS, 0, "any"))


def test_the_better_proof_is_smaller_and_the_better_bound_greater() -> None:
    _, _, graph = solved(CHECKED)
    claim = Claim(Side.CROSS, 0, "best")
    small, large = smallest(graph, claim), greedy_proof(proof_graph(graph, claim))
    assert (small.nodes, large.nodes) == (46, 48)
    for both in ((small, large.bounded(7)), (large.bounded(7), small)):
        assert better(*both).class_.tolist() == small.class_.tolist()
        assert better(*both).is_optimal
    assert better(large, small.bounded(1)).nodes == 46
    assert better(large, None) is large


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    data_set = build_tree(tmp_path_factory.mktemp("proofs"), CHECKED)
    done = run_here("prove", CHECKED, "--format", "csv", data=data_set.root)
    assert (done.returncode, done.stderr) == (0, "")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    published = [row for row in reference_rows("smallest_proofs") if row["game"] == CHECKED]
    assert len(rows) == 4
    for row, expected in zip(rows, published, strict=True):
        assert row.items() >= {(key, expected[key]) for key in ("proof", "nodes", "own_turns")}
        assert (row["lower_bound"], row["is_optimal"]) == (expected["lower_bound"], "true")
    return data_set


@pytest.fixture(scope="module")
def catalog(made: DataSet) -> Iterator[Catalog]:
    with open_catalog(made) as opened:
        yield opened


DEFECTS = {
    "a row is missing": "select * from proofs where class <> 0",
    "an answer of the opponent is missing": """
        select * from proofs where not (proof = 'circle-holds' and class = (
            select max(class) from proofs where proof = 'circle-holds' and ply = 2))
    """,
    "a row is there twice": "from proofs union all (from proofs limit 1)",
    "another proof's class is in it": """
        from proofs union all by name (
            select * replace ('circle-holds' as proof, 'circle' as prover, 28 as nodes,
                28 as lower_bound)
            from proofs where proof = 'cross-holds' and class not in (
                select class from proofs where proof = 'circle-holds') order by ply limit 1)
    """,
    "it is labelled a proof by best moves": """
        select * replace ('best' as strategy, 'cross-holds-best' as proof)
        from proofs where proof = 'cross-holds'
    """,
    "it is labelled the other side's": """
        select * replace ('cross' as prover, 'cross-holds' as proof)
        from proofs where proof = 'circle-holds'
    """,
    **replaced("proofs", {
        "a move is another": "if(class = 0 and move is not null, (move + 1) % 3 + 6, move) as move",
        "a move is on a filled cell": "if(ply = 2 and move is not null, 7, move) as move",
        "a move is missing": "if(ply = 4, null, move) as move",
        "the opponent has a move": "coalesce(move, 0) as move",
        "the claim is a win": ("if(prover = 'circle', 1, -1) as claim, "
                               "replace(proof, 'holds', 'wins') as proof"),
        "a board is another": "translate(board, 'ox', 'xo') as board",
        "the number of classes is another": "nodes + 1 as nodes",
    }),
}  # fmt: skip
"""Defects that the check in SQL and the program both notice."""

ONLY_IN_SQL = {
    "a name": "select * replace ('x' as proof) from proofs where proof = 'cross-holds'",
    **replaced("proofs", {
        "a ply": "if(ply = 3, 4, ply) as ply",
        "a turn": "if(ply = 3, 'circle', turn) as turn",
        "a status": "if(ply = 9, 'circle', status) as status",
        "a class": "if(ply = 3, class + 1, class) as class",
        "two bounds": "if(ply = 3, 1, lower_bound) as lower_bound",
        "a bound above": "nodes + 1 as lower_bound, false as is_optimal",
        "a bound of nothing": "0 as lower_bound, false as is_optimal",
        "optimal": "not is_optimal as is_optimal",
        "null": "null::int as nodes",
    }),
}  # fmt: skip
"""Defects in columns that the program does not read."""

IN_SQL = {**DEFECTS, **ONLY_IN_SQL}


def test_the_check_passes(catalog: Catalog) -> None:
    outcome = run_check(catalog, checks()["proofs"])
    assert (outcome.verdict, outcome.examined) == ("pass", 28 + 28 + 36 + 46)


@pytest.mark.parametrize("defect", IN_SQL.values(), ids=IN_SQL)
def test_the_check_notices_a_defect(catalog: Catalog, defect: str) -> None:
    assert notices(catalog, "proofs", "proofs", defect)


def csv_rows(catalog: Catalog, sql: str) -> dict[str, list[dict[str, str]]]:
    """Return rows as the program reads them, by proof."""
    proofs: dict[str, list[dict[str, str]]] = {}
    for row in catalog.run(sql).records():
        read = {key: "" if value is None else str(value) for key, value in row.items()}
        proofs.setdefault(read["proof"], []).append(read)
    return proofs


@pytest.mark.parametrize("defect", DEFECTS.values(), ids=DEFECTS)
def test_the_program_notices_a_defect(catalog: Catalog, defect: str) -> None:
    rules = check_proof.Rules(CHECKED)
    whys = [check_proof.wrong(rules, rows) for rows in csv_rows(catalog, defect).values()]
    assert any(whys)


def test_the_program_proves_what_it_reads(made: DataSet, tmp_path: Path) -> None:
    output = run_here("sql", "from proofs", "-g", CHECKED, "-f", "csv", data=made.root).stdout
    program = [sys.executable, "-I", str(CHECKOUT / "tools" / "checker" / "check_proof.py")]

    def check(game: str, text: str) -> tuple[int, str]:
        done = subprocess.run(
            [*program, game], input=text, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    code, printed = check(CHECKED, output)
    assert (code, printed.count("proved by")) == (0, 4)
    assert "cross-holds-best: proved by 46 classes" in printed
    assert check(CHECKED, "\n".join(output.split("\n")[:-2]))[0] == 1
    assert check(CHECKED, "")[0] == 1
    assert check("tictactoe", output)[0] == 1
    assert "'3x3': expected COLUMNSxROWSkRUN" in check("3x3", output)[1]


def test_the_program_is_short_and_shares_nothing() -> None:
    text = (CHECKOUT / "tools" / "checker" / "check_proof.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 100
    assert "import marubatsu" not in text
    assert "from marubatsu" not in text


@pytest.mark.parametrize("name", ["3x3k3-misere", "4x3k2"])
def test_the_program_has_the_rules(name: str) -> None:
    rules, (positions, scores, _) = check_proof.Rules(name), solved(name)
    classes = classify(positions)
    texts = [to_text(positions.game, position) for position in positions]
    shown = [rules.shown(text) for text in texts]
    assert len(set(shown)) == len(classes.representative)
    assert rules.value(shown[0]) == scores.score[0]
    ends = {1: "circle", -1: "cross", 0: "draw", None: "playing"}
    words = [ends[rules.score(text)] for text in texts]
    assert words == [positions.game.status(position).word for position in positions]


def test_the_report_has_the_proofs_next_to_the_least_tree(catalog: Catalog) -> None:
    rows = catalog.ask(report("proof_sizes")).records()
    assert [(row["proof"], row["nodes"], row["own_turns"]) for row in rows] == [
        ("circle-holds", 28, 14),
        ("circle-holds-best", 28, 14),
        ("cross-holds", 36, 20),
        ("cross-holds-best", 46, 24),
    ]
    assert {(row["classes"], row["least_tree"]) for row in rows} == {(359, 162)}
    unfinished = catalog.run("from proofs where status = 'playing'").column("proof")
    assert {row["proof"]: row["inner_classes"] for row in rows} == Counter(unfinished)


def test_a_proof_that_is_optimal_is_not_looked_for_again(
    made: DataSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = proving.read(made)
    monkeypatch.setattr(proving, "solved_proof", lambda *a: pytest.fail("called"))
    again = Proving(made, lambda share: None)
    for claim in again.claims:
        proof = again.prove(claim, 60, lambda share, note="": None)
        assert proof.class_.tolist() == before[claim].class_.tolist()
        assert proof.move.tolist() == before[claim].move.tolist()


def test_a_run_improves_stored_proofs(tmp_path: Path) -> None:
    first = run_here("prove", CHECKED, "--side", "cross", "--time", "0", "-f", "csv", data=tmp_path)
    assert first.stdout.splitlines()[1:] == [
        "cross-holds,36,20,32,1,false",
        "cross-holds-best,48,25,39,1,false",
    ]
    data_set = DataSet(tmp_path, Game(CHECKED))
    one = run_here("prove", CHECKED, "--strategy", "best", "-f", "csv", data=tmp_path)
    assert one.stdout.splitlines()[1:] == [
        "circle-holds-best,28,14,22,28,true",
        "cross-holds-best,46,24,38,46,true",
    ]
    kept = {
        claim.name: (proof.nodes, proof.is_optimal)
        for claim, proof in proving.read(data_set).items()
    }
    assert kept == {
        "circle-holds-best": (28, True), "cross-holds": (36, False), "cross-holds-best": (46, True),
    }  # fmt: skip
