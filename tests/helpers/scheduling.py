"""Which tests run together on one worker, and which ones begin.

Tests of one file share the fixtures of its module, so one worker runs them all. The marks of
`--dist loadgroup` would do so too, but pytest 9.2 does not tell pytest-xdist 3.8 about them.
"""

from xdist.scheduler import LoadScopeScheduling

TOGETHER = "tests/page/"
"""The folder whose files one worker runs: it starts the servers and the browser."""

LONG = (
    TOGETHER, "tests/docs/test_documents.py", "tests/tables/test_checks.py",
    "tests/solution/test_solution_sql.py", "tests/attacks/test_files.py",
    "tests/audit/test_audit.py", "tests/laws/test_boards.py", "tests/tables/test_sql.py",
    "tests/solution/test_solution.py", "tests/tables/test_killed.py",
    "tests/docs/test_notebooks.py", "tests/search/test_exact_search.py",
)  # fmt: skip
"""The units that take longest. They begin, so that no worker is left with one at the end."""


def unit_of(test: str) -> str:
    """Return the unit of a test by its name: its file, or the folder that stays together."""
    return TOGETHER if test.startswith(TOGETHER) else test.partition("::")[0]


def place_of(test: str) -> int:
    """Return the place of a test in a run: that of its unit among the long ones, or the last."""
    unit = unit_of(test)
    return LONG.index(unit) if unit in LONG else len(LONG)


class Units(LoadScopeScheduling):  # type: ignore[misc]  # pytest-xdist ships no types
    """Give a worker one unit after the other, in their order."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)
