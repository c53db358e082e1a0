"""The blunders of an audit as the report `blunders` shows them."""

from typing import Any


def of_classes(blunders: list[dict[str, Any]]) -> list[dict[str, Any]]:
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
