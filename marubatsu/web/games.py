"""The games that the server has open: their data when they were opened or a search, and their AIs.

The first one stays open. The others are opened when a client asks; a new one replaces one of them.

One thread asks the AIs of a game, one question at a time. The process of a foreign AI ends with the
thread that started it, so no thread of a pool may start it again.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from itertools import islice
from threading import Lock
from typing import Any, NamedTuple, NoReturn, TypeAlias

from marubatsu.engine.ais.ai import AI, Chooser
from marubatsu.engine.ais.by_function import FAMILY
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.notations.reading import BoardLike
from marubatsu.engine.rules.board_text import MARKS, BoardError, from_text
from marubatsu.engine.rules.bounds import TooLargeError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.size import is_large
from marubatsu.engine.search.roster import all_ais
from marubatsu.judge.agents.address import AddressedAI, answering_saved_ais
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.agents.players import Players
from marubatsu.judge.bridges.our_players import chances_of_choice
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
from marubatsu.judge.oracle.choose_oracle import ValueSource, open_oracle, value_source
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.judge.oracle.solution_oracle import SolutionOracle
from marubatsu.pipeline.checking.inventory import data_sets, known_scores
from marubatsu.pipeline.laboratory.kept_tables import known_answers
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.sandbox import QueryLimits, Spare, Statement, run_sql
from marubatsu.pipeline.stages.usable import open_parts, require_usable, snapshot
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.support.machine import give_back_memory
from marubatsu.pipeline.tables.data_set import AnswersTable, DataSet, Solution
from marubatsu.pipeline.tables.open_file import Opened, OpenFile
from marubatsu.version import __version__
from marubatsu.web.documents import Documents, is_checkable, raw_solution, rules_as_data

_REMEMBERED = 10_000  # answers

RequireClient: TypeAlias = Callable[[], None]
"""Called several times a second during a request; it raises once nobody waits for the answer."""


class Opponents:
    """The AIs that one game has."""

    def __init__(self, game: Game, ais: dict[str, AI], thread: ThreadPoolExecutor) -> None:
        """Take the AIs by their names, and the thread that asks them; see `opponents_of`."""
        self._ais, self._thread = ais, thread
        self._board = new_board(game)
        self._game = game
        self._choosers: dict[str, Chooser] = {}
        self._answered: dict[tuple[str, str], list[dict[str, Any]]] = {}

    @property
    def names(self) -> list[str]:
        """The names of all."""
        return list(self._ais)

    def rows(self) -> list[dict[str, Any]]:
        """List them as the table of AIs does."""
        return [
            {
                "ai": name,
                "family": ai.family,
                "rule": ai.rule,
                "parameters": json.dumps(dict(ai.parameters), default=float),
            }
            for name, ai in self._ais.items()
        ]

    def choices(self, name: str, board: str, require_client: RequireClient) -> list[dict[str, Any]]:
        """Ask an AI what it makes of each legal move of an unfinished position, and wait for it.

        The names are those of the table of the choices of AIs. Raises AIError when the AI fails,
        UsageError when there is no such AI, and what ``require_client`` raises before it is asked.
        """
        if name not in self._ais:
            raise UsageError(
                f"there is no AI {quote(name)} here: GET /api/v2/games/{self._game.name}/ais "
                "lists them"
            )
        return self._thread.submit(self._ask, name, board, require_client).result()

    def _ask(self, name: str, board: str, require_client: RequireClient) -> list[dict[str, Any]]:
        require_client()
        if (name, board) in self._answered:
            return self._answered[name, board]
        if name not in self._choosers:
            self._choosers[name] = self._ais[name].on(self._game)
        chooser = self._choosers[name]
        self._board.set_up(from_text(self._game, board))
        rows = _rows(chooser, self._board)
        if chooser.is_fixed:
            if len(self._answered) >= _REMEMBERED:
                self._answered.clear()
            self._answered[name, board] = rows
        return rows


def _rows(chooser: Chooser, board: Any) -> list[dict[str, Any]]:
    choice = chooser.choice(board)
    scores = choice.ai_scores or (None,) * len(choice.legal)
    return [
        {
            "move": move,
            "ai_score": None if score is None else float(score),
            "is_candidate": chance > 0,
            "probability": chance,
        }
        for (move, chance), score in zip(chances_of_choice(choice).items(), scores, strict=True)
    ]


@contextmanager
def opponents_of(
    data_set: DataSet, ais: Sequence[AddressedAI], settings: AgentSettings
) -> Iterator[Opponents]:
    """Return the AIs of a game: ours that can play it, saved ones, and some others.

    Foreign AIs run confined, within limits, until the end of the block. Raises UsageError or
    DataError for one that does not load, TooLargeError for one of ours that cannot play this game.
    """
    game = data_set.game
    is_small = not is_large(game)
    with Players(data_set, settings) as players:
        thread = ThreadPoolExecutor(1, "opponents")
        players.callback(thread.shutdown, cancel_futures=True)
        built_in = {ai.name: players.player(ai.name) for ai in all_ais()}
        named = {ai.name: players.player(ai) for ai in ais}
        for ai in named.values():
            if ai.family != FAMILY:
                ai.on(game)  # It may be too large.
        ours = {name: ai for name, ai in built_in.items() if is_small or _fits(ai, game)}
        saved = {name: players.player(ai) for name, ai in answering_saved_ais(data_set).items()}
        yield Opponents(game, {**ours, **saved, **named}, thread)


def _fits(ai: AI, game: Game) -> bool:
    try:
        ai.on(game)
    except TooLargeError:
        return False
    return True


SECONDS = 5.0  # of a search for one request
MEMORY, OTHERS_MEMORY = 64 << 20, 32 << 20  # bytes of the table of a search: first game, others
_LEAST = 16 << 20  # bytes of one that has no time to fill it

# Of one request to a server, over HTTP or MCP.
MOST_BOARDS = 1_000
MOST_BODY = 100_000  # bytes
MOST_ROWS = 1_000  # of the answer to a query
MOST_ANSWER = 10_000_000  # bytes of it
LIMITS = QueryLimits(seconds=10.0, memory=500_000_000, answer=MOST_ANSWER)

_OF_LIMITS = (Cure("more memory"), Cure("more time"))


def sentence_for_clients(error: Exception) -> str:
    """Return the sentence of an error, without the cure that a server's clients cannot use."""
    if isinstance(error, DataError) and error.cure in _OF_LIMITS:
        return error.problem
    return str(error)


class ReadAs(NamedTuple):
    """How positions are read: the mark that begins, and the numbering of moves and of cells."""

    first: str = MARKS[0]
    numbering: str | None = None


PLAIN = ReadAs()


class OpenGame:
    """A game, its oracle, its documents, its AIs and the files of its tables.

    One thread at a time may ask for positions, and one for documents: locks see to it.
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

        Where only a search or a compact form knows the game, ``data`` is None; ``glancing`` is
        another search.
        """
        self.game, self.opponents, self.data = oracle.game, opponents, data
        self._glancing, self._glancing_lock = glancing, Lock()
        self._oracle, self._lock = oracle, Lock()
        self._documents, self._documents_lock = documents, Lock()  # Searches take long.
        self.files = {} if data is None else dict(files_of(data))
        self.spare = None if data is None else Spare()
        hashes = [each.sha256 for each in self.files.values()]
        if data is None and isinstance(oracle, SolutionOracle):
            hashes = [oracle.rows.fingerprint]
        sources = [__version__, self.game.notation, *opponents.names, *hashes]
        self.version = hashlib.sha256("\n".join(sources).encode()).hexdigest()[:32]

    @property
    def is_searched(self) -> bool:
        """Whether a search answers, within a time."""
        return isinstance(self._oracle, SearchOracle)

    @property
    def why_no_tables(self) -> str:
        """Why SQL has nothing to read, where ``data`` is None."""
        source = "a search" if self.is_searched else "the compact form of its solution"
        return f"{self.game.name} has no tables here: {source} answers"

    def answer_all(
        self,
        boards: Sequence[BoardLike],
        how: ReadAs = PLAIN,
        require_client: RequireClient = lambda: None,
    ) -> list[Answer | BoundedAnswer]:
        """Return the answers about positions; all searches share the time of one.

        Raises BoardError or UsageError when play cannot reach a position, DataError for damaged
        data, and what ``require_client`` raises during a search.
        """

        def progress(share: float | None, note: str = "") -> None:
            require_client()

        with self._lock:
            ends = time.monotonic() + SECONDS
            answers = []
            for left, board in zip(range(len(boards), 0, -1), boards, strict=True):
                if isinstance(self._oracle, SearchOracle):
                    self._oracle.seconds = max(0.0, ends - time.monotonic()) / left
                try:
                    answers.append(self._oracle.within(board, progress, **how._asdict()))
                except BoardError as error:
                    which = f"board {1 + len(boards) - left} of {len(boards):,}: "
                    raise BoardError(f"{which * (len(boards) > 1)}{error}") from None
            return answers

    def glance(self, board: str, how: ReadAs = PLAIN) -> Answer | BoundedAnswer:
        """Return what needs no search of a position, even while another search runs.

        Raises as `answer_all` does.
        """
        if self._glancing is None:
            return self.answer_all([board], how)[0]
        with self._glancing_lock:
            return self._glancing.within(board, **how._asdict())

    def query(self, sql: str, require_client: RequireClient = lambda: None) -> dict[str, Any]:
        """Run a statement over ``data`` as `run_sql` does, within `LIMITS`.

        ``more`` says whether there are more rows than these.
        """
        assert self.data
        with run_sql(self.data, Statement(sql, None), LIMITS, require_client, self.spare) as answer:
            rows = list(islice(answer.rows, MOST_ROWS + 1))
        more = len(rows) > MOST_ROWS
        return {"columns": list(answer.columns), "rows": rows[:MOST_ROWS], "more": more}

    @property
    def is_checkable(self) -> bool:
        """Whether the game has a solution that a browser can check."""
        return self.data is not None and is_checkable(self.game, self._parts)

    def raw_solution(self) -> bytes:
        """Return the raw file of the solution. Raises DamagedError when a part has changed."""
        return raw_solution(self.game, self._parts)

    @property
    def _parts(self) -> Mapping[str, Opened]:
        assert self.data is not None
        return open_parts(self.data, require_usable)

    @property
    def paths(self) -> list[str]:
        """The names of the documents."""
        return self._documents.paths

    def document(self, path: str) -> bytes:
        """Return a document. Raises UsageError when no document has that name."""
        with self._documents_lock:
            return self._documents.get(path)


@contextmanager
def open_game(
    data_set: DataSet,
    ais: Sequence[AddressedAI] = (),
    settings: AgentSettings | None = None,
    memory: int = MEMORY,
) -> Iterator[OpenGame]:
    """Open a game: its tables or its solution; a search with so much memory, if it has neither.

    A search reads the answers that earlier ones kept, and keeps none. Raises GameError for a game
    that is too large to be searched, DataError when data is damaged, and as `opponents_of` does.
    """
    with ExitStack() as stack:
        data = catalog = glancing = None
        oracle: Oracle
        if source_of(data_set) is not ValueSource.SEARCH:
            if data_set.has_manifest or data_set.sibling(Solution).has_manifest:
                data = snapshot(data_set, require_usable)
                catalog = stack.enter_context(open_catalog(data))
            oracle = open_oracle(data or data_set)
        else:
            game, kept = data_set.game, known_answers(data_set)
            oracle = SearchOracle(game, memory=memory, kept=kept)
            glancing = SearchOracle(game, memory=_LEAST, seconds=0.0, kept=kept)
        opponents = stack.enter_context(
            opponents_of(data or data_set, ais, settings or AgentSettings())
        )
        documents = Documents(oracle, catalog, opponents.names)
        opened = OpenGame(oracle, documents, opponents, data, glancing)
        if opened.spare:
            stack.callback(opened.spare.close)
        yield opened


def source_of(data_set: DataSet) -> ValueSource:
    """Return what answers about a game here, where no tables are built."""
    return value_source(data_set, tables_if_quick=False)


def listed(game: Game, source: ValueSource) -> dict[str, Any]:
    """Return a game as the list of games has it: its rules, and its score where that is known."""
    return {**rules_as_data(game), "source": source, "score": known_scores().get(game)}


def start_of(game: Game, games: list[dict[str, Any]], *, server: bool) -> dict[str, Any]:
    """Return what the page asks for first."""
    return {"version": __version__, "server": server, "game": game.name, "games": games}


def files_of(data: DataSet) -> Iterator[tuple[str, OpenFile]]:
    """Yield the Parquet files of a game that is open, by their names in its folder."""
    for part, opened in open_parts(data, require_usable).items():
        for name, file in opened.files.items():
            yield f"{part}/{name}" if part else name, file


MOST_OPEN = 4  # other games; a new one replaces the one that was idle for longest
SUGGESTED = ("connect4", "6x5k4-gravity", "5x5k4", "4x4k4-torus", "3x3k3-misere")
"""Games that a search answers about, for people who look for one."""


class _Entry:
    """A game that its first user opens, while others of this game wait for it."""

    def __init__(self, data_set: DataSet) -> None:
        self.game: OpenGame | None = None
        self.users = 0
        self._data_set, self._stack, self._lock = data_set, ExitStack(), Lock()

    def open(self) -> OpenGame:
        """Return the game, opened. Raises GameError and DataError as `OpenGames.game` says."""
        with self._lock:
            if self.game is None:
                opened = open_game(self._data_set, memory=OTHERS_MEMORY)
                is_there = self._data_set.folder.exists()
                # A request does not wait: it refuses here, and then every lock inside is shared.
                lock = self._data_set.lock(write=False, on_wait=_refuse)
                with lock if is_there else nullcontext():
                    self.game = self._stack.enter_context(opened)
            return self.game

    def close(self) -> None:
        """Close the game."""
        with self._lock:
            self._stack.close()
        give_back_memory()


class OpenGames:
    """The games, each opened once."""

    def __init__(self, first: OpenGame, data_set: DataSet) -> None:
        self.first, self._root = first, data_set.root
        self._lock = Lock()
        self._open: dict[Game, _Entry] = {}  # by their last use

    def rows(self) -> list[dict[str, Any]]:
        """List the games: those with data, and some of those that a search answers about."""
        first = self.first.game
        sources = {first: source_of(self.first.data or DataSet(self._root, first))}
        for data_set in data_sets(self._root)[0]:
            if isinstance(data_set, Solution | AnswersTable) or not data_set.part:
                sources.setdefault(data_set.game, source_of(DataSet(self._root, data_set.game)))
        for name in SUGGESTED:
            sources.setdefault(Game(name), source_of(DataSet(self._root, Game(name))))
        # The first game, then those that have a name of their own, such as connect4.
        order = sorted(
            sources,
            key=lambda game: (game != first, game.name == game.notation, game.cells, game.notation),
        )
        return [listed(game, sources[game]) for game in order]

    @contextmanager
    def game(self, name: str) -> Iterator[OpenGame]:
        """Open a game by its name, if it is not open, for the time of the block.

        Raises GameError for no name of a game or one that is too large to be searched, DataError
        when its data is damaged or being written, or too many games are in use.
        """
        game = Game(name)
        if game == self.first.game:
            yield self.first
            return
        entry = self._enter(game)
        try:
            opened = entry.open()
            self._close_surplus()
            yield opened
        finally:
            self._leave(game, entry)

    def _enter(self, game: Game) -> _Entry:
        with self._lock:
            if game not in self._open:
                if len(self._open) >= MOST_OPEN and not self._idle():
                    raise DataError(f"{MOST_OPEN} other games are in use: ask again in a moment")
                self._open[game] = _Entry(DataSet(self._root, game))
            entry = self._open[game]
            entry.users += 1
            return entry

    def _leave(self, game: Game, entry: _Entry) -> None:
        with self._lock:
            entry.users -= 1
            if entry.game is not None:
                self._open[game] = self._open.pop(game)
            elif not entry.users:  # It did not open.
                del self._open[game]

    def close(self) -> None:
        """Close all games but the first."""
        with self._lock:
            for entry in self._open.values():
                entry.close()

    def _idle(self) -> list[Game]:
        return [game for game, entry in self._open.items() if not entry.users]

    def _close_surplus(self) -> None:
        with self._lock:
            surplus = len(self._open) - MOST_OPEN
            for game in self._idle()[: max(0, surplus)]:
                self._open.pop(game).close()


def _refuse(holder: str) -> NoReturn:
    raise DataError("this game is being built or solved: ask again when that has ended")
