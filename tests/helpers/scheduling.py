"""Which tests run together on one worker, and which ones begin.

Tests of one file share the fixtures of its module, so one worker runs them all. The marks of
`--dist loadgroup` would do so too, but pytest 9.2 does not pass them to pytest-xdist 3.8.
"""

from xdist.scheduler import LoadScopeScheduling

LONG = (
    "tests/docs/test_documents.py", "tests/page/test_explorer_access.py",
    "tests/page/test_explorer.py", "tests/page/test_first_screen.py",
    "tests/solution/test_solution_sql.py", "tests/tables/test_checks.py",
    "tests/audit/test_audit.py", "tests/audit/test_saved_survive.py",
    "tests/tables/test_publishing.py", "tests/laws/test_boards.py",
    "tests/solution/test_solution.py",
    "tests/search/test_opening_book.py",
    "tests/docs/test_new_rules.py", "tests/page/test_explorer_answers.py",
    "tests/page/test_explorer_views.py",
)  # fmt: skip
"""The files that take longest. They begin, so that no worker is left with one at the end."""


def file_of(test: str) -> str:
    return test.partition("::")[0]


def place_of(test: str) -> int:
    """Return the place of a test in a run: that of its file among the long ones, or the last."""
    file = file_of(test)
    return LONG.index(file) if file in LONG else len(LONG)


class Files(LoadScopeScheduling):  # type: ignore[misc]  # pytest-xdist ships no types
    """Give a worker one file after the other, in their order."""

    def _split_scope(self, nodeid: str) -> str:
        return file_of(nodeid)
