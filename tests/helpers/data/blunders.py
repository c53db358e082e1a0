"""The reports on an AI compared with its audit: they share no code."""

from collections.abc import Callable
from typing import Any

import pytest

Row = dict[str, Any]


def require_reported(audit: Row, report: Callable[[str], list[Row]]) -> Row:
    """Assert that the reports say what an audit says; return what those of one row say."""

    def text_shown(name: str) -> list[Row]:
        of_ai = [row for row in report(name) if row["ai"] == audit["ai"]]
        return [{key: row[key] for key in row if key != "ai"} for row in of_ai]

    for name in ("blunders_by_ply", "refutations"):
        assert audit[name] == text_shown(name)
    by_class = text_shown("blunders_by_class")
    for row in by_class:
        assert row["positions_wrong"] <= row.pop("positions")
    assert of_classes(audit["blunders"]) == by_class
    known: Row = {}
    for name in ("strong", "weak", "expected_loss", "exploitability"):
        (row,) = text_shown(name)
        known |= row
    verdicts = audit["verdicts"]
    assert verdicts["exploitability"] == pytest.approx(known["exploitability"], abs=1e-11)
    both = verdicts.keys() & known.keys() - {"exploitability"}
    assert both > {"classes_right", "positions_right", "weakly_solved", "best_move_percent"}
    assert {name: verdicts[name] for name in both} == {name: known[name] for name in both}
    for side in ("circle", "cross"):
        assert verdicts[f"as_{side}"] == (known[f"lost_positions_as_{side}"] == 0)
    return known


def of_classes(blunders: list[Row]) -> list[Row]:
    """Return those in the first position of each class, with the number of its wrong positions."""
    members: dict[int, list[str]] = {}
    for row in blunders:
        boards = members.setdefault(row["class"], [])
        if row["board"] not in boards:
            boards.append(row["board"])
    return [
        {**row, "positions_wrong": len(members[row["class"]])}
        for row in blunders
        if row["board"] == members[row["class"]][0]
    ]
