"""One game that the API shows: its data as it was when the game was opened, or a search."""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import Lock
from typing import NamedTuple

from marubatsu.engine.notations.reading import BoardLike
from marubatsu.engine.rules.board_text import MARKS, BoardError
from marubatsu.judge.agents.agent_limits import AgentLimits
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
from marubatsu.judge.oracle.opening import open_oracle
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.pipeline.laboratory import answers_table
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.sandbox import Spare
from marubatsu.pipeline.stages.staleness import require_usable
from marubatsu.pipeline.store.data_set import DataSet, Solution
from marubatsu.pipeline.store.integrity import open_parts, snapshot
from marubatsu.pipeline.store.open_file import OpenFile
from marubatsu.version import __version__
from marubatsu.web.documents import Documents
from marubatsu.web.opponents import Opponents, opponents_of

SECONDS = 5.0
"""The time of a search for one request."""

MEMORY, OTHERS_MEMORY = 64 << 20, 32 << 20
"""Bytes of the table of a search: of the first game, and of each other one."""

_LEAST = 16 << 20  # bytes of one that has no time to fill it


class ReadAs(NamedTuple):
    """How positions are read: the mark that begins, and the numbering of moves and of cells."""

    first: str = MARKS[0]
    numbering: str | None = None


PLAIN = ReadAs()


class ShownGame:
    """A game, its oracle, its documents, its AIs and the files of its tables.

    One thread at a time may ask for positions and documents: a lock sees to it.
    """

    def __init__(
        self,
        oracle: Oracle,
        documents: Documents,
        opponents: Opponents,
        data: DataSet | None,
        glancing: SearchOracle | None = None,
    ) -> None:
        """Take what one game has.

        Where only a search knows the game, ``data`` is None, and ``glancing`` is another search.
        """
        self.game, self.opponents, self.data = oracle.game, opponents, data
        self._glancing, self._glancing_lock = glancing, Lock()
        self._oracle, self._documents, self._lock = oracle, documents, Lock()
        self.files = {} if data is None else dict(files_of(data))
        self.spare = None if data is None else Spare()
        told = [__version__, self.game.notation, *(held.sha256 for held in self.files.values())]
        self.version = hashlib.sha256("\n".join(told).encode()).hexdigest()[:32]

    @property
    def is_searched(self) -> bool:
        """Whether a search answers, within a time."""
        return isinstance(self._oracle, SearchOracle)

    def answer(
        self, board: str, look: Callable[[float], None] = lambda share: None
    ) -> Answer | BoundedAnswer:
        """Return what is known of a position.

        ``look`` is called some times a second, and may end a search with an exception. Raises
        BoardError or UsageError when play cannot reach the position, DataError for damaged data.
        """
        return self.answer_all([board], look=look)[0]

    def answer_all(
        self,
        boards: Sequence[BoardLike],
        how: ReadAs = PLAIN,
        look: Callable[[float], None] = lambda share: None,
    ) -> list[Answer | BoundedAnswer]:
        """Return what is known of positions; all searches together have the time of one.

        Raises as `answer` does.
        """
        with self._lock:
            ends = time.monotonic() + SECONDS
            found = []
            for left, board in zip(range(len(boards), 0, -1), boards, strict=True):
                if isinstance(self._oracle, SearchOracle):
                    self._oracle.seconds = max(0.0, ends - time.monotonic()) / left
                try:
                    found.append(self._oracle.within(board, look, **how._asdict()))
                except BoardError as error:
                    which = f"board {1 + len(boards) - left} of {len(boards):,}: "
                    raise BoardError(f"{which * (len(boards) > 1)}{error}") from None
            return found

    def glance(self, board: str, how: ReadAs = PLAIN) -> Answer | BoundedAnswer:
        """Return what is known of a position at once, even while a search runs.

        Raises as `answer` does.
        """
        if self._glancing is None:
            return self.answer_all([board], how)[0]
        with self._glancing_lock:
            return self._glancing.within(board, **how._asdict())

    @property
    def paths(self) -> list[str]:
        """The names of the documents."""
        return self._documents.paths

    def document(self, path: str) -> bytes:
        """Return a document. Raises UsageError when no document has that name."""
        with self._lock:
            return self._documents.get(path)


@contextmanager
def show_game(
    data_set: DataSet,
    on_wait: Callable[[], None],
    addresses: Iterable[str] = (),
    limits: AgentLimits | None = None,
    memory: int = MEMORY,
) -> Iterator[ShownGame]:
    """Open a game: its tables or its solution; a search with so much memory, if it has neither.

    A search knows what earlier ones have kept, and keeps nothing. The game has the AIs at some
    addresses beside ours; foreign ones run within limits. Raises GameError for a game that is too
    large to be searched, DataError when data is damaged, and as `opponents_of` for an address.
    """
    has_data = data_set.has_manifest or data_set.beside(Solution).has_manifest
    with ExitStack() as stack:
        glancing = None
        if has_data:
            shown = snapshot(data_set, on_wait, require_usable)
            catalog = stack.enter_context(open_catalog(shown, on_wait))
            oracle = open_oracle(shown, on_wait)
        else:
            shown, catalog = None, None
            game, kept = data_set.game, answers_table.read(data_set)
            oracle = SearchOracle(game, memory=memory, kept=kept)
            glancing = SearchOracle(game, memory=_LEAST, seconds=0.0, kept=kept)
        opponents = stack.enter_context(
            opponents_of(shown or data_set, addresses, limits or AgentLimits())
        )
        documents = Documents(oracle, catalog, opponents.names)
        opened = ShownGame(oracle, documents, opponents, shown, glancing)
        if opened.spare:
            stack.callback(opened.spare.close)
        yield opened


def source_of(data_set: DataSet) -> str:
    """Return what answers about a game: its tables, its solution or a search."""
    if data_set.has_manifest:
        return "tables"
    return "solution" if data_set.beside(Solution).has_manifest else "search"


def files_of(data: DataSet) -> Iterator[tuple[str, OpenFile]]:
    """Yield the Parquet files of a game that is open, by their names in its folder."""
    for part, opened in open_parts(data, require_usable).items():
        for name, held in opened.files.items():
            yield f"{part}/{name}" if part else name, held
