"""The layout of a table of games: which of its columns hold which fields.

The same goes for objects of JSON and their keys. A row is a game with its moves, or one move.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any, NamedTuple
from unicodedata import normalize

from marubatsu.engine.notations.reading import read_board
from marubatsu.engine.rules.board_text import MARKS, exchange_marks, to_text
from marubatsu.engine.rules.game import SWITCHES, Game, GameError
from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.engine.rules.numbering import cell_order, numberings_of
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.judge.review.recorded_game import MEANINGS, GamePlace, LogOptions
from marubatsu.pipeline.support.errors import OptionError, UsageError

FIELDS = (
    "moves", "first", "second", "result", "game", "game_id", "player", "move", "move_number",
)  # fmt: skip
"""What a column may hold: ``moves`` all moves of a game, ``move`` one, or a pair as in row+col."""

_COMMON: Mapping[str, tuple[str, ...]] = {
    "moves": (
        "moves", "movelist", "listofmoves", "gamemoves", "movehistory", "movesequence", "history",
        "actions", "actionhistory", "actionlist", "sequence", "line", "plays", "transcript",
    ),
    "game": ("game", "gamename", "gametype", "variant", "env", "envname", "envid", "environment"),
    "game_id": (
        "gameid", "gameno", "gamenumber", "gamenr", "gameindex", "gameidx", "matchid", "matchno",
        "matchnumber", "episode", "episodeid", "episodeno",
    ),
    "player": (
        "player", "who", "mover", "agent", "side", "mark", "symbol", "playername", "playerid",
        "currentplayer", "ai", "bot",
    ),
    "move": ("move", "cell", "action", "square"),
    "move_number": (
        "movenumber", "moveno", "movenr", "moveindex", "moveidx", "ply", "plynumber", "step",
        "stepnumber", "turnnumber", "turnno",
    ),
}  # fmt: skip
"""The plain names under which logs have a field."""

_RESULTS = (
    "result", "winner", "outcome", "gameresult", "finalresult", "winningplayer", "winnername",
    "gamewinner", "victor", "winningside", "winnerside", "finaloutcome",
)  # fmt: skip
_LOSERS = ("loser", "losername", "losingplayer")
_SCORES = ("rewards", "returns", "scores", "finalrewards")
_PLAYERS = (
    ("first", "second"), ("white", "black"), ("player1", "player2"), ("player0", "player1"),
    ("p1", "p2"), ("p0", "p1"), ("playerone", "playertwo"), ("firstplayer", "secondplayer"),
    ("agent1", "agent2"), ("agent0", "agent1"), ("playera", "playerb"), ("model1", "model2"),
    ("modela", "modelb"), ("agenta", "agentb"), ("bot1", "bot2"), ("ai1", "ai2"), ("先手", "後手"),
)  # fmt: skip
"""How logs call the player who begins, and the other one."""

_OURS = ("cross", "circle")
_MARKS = (
    ("x", "o"), ("xplayer", "oplayer"), ("playerx", "playero"), ("xname", "oname"), _OURS,
    ("crosses", "noughts"),
)  # fmt: skip
"""How logs call the players by their marks, x before o."""

MARK_NAMES = ("mark", "symbol", "sign", "piece")
"""How logs call the mark of a move, or of a player, then behind the name of that column."""

MARK_LISTS = ("marks", "symbols")
"""How logs in JSON call the marks of the two players."""

_EITHER_BEGINS = (("red", "yellow"), ("yellow", "red"), ("black", "white"))
"""How logs call two players of whom either may begin, in the order of their columns."""

PLAYER_LISTS = ("players", "playernames", "agents", "agentnames")
"""How logs in JSON call a list of the two players."""

_BEGINS = (
    "startingplayer", "startplayer", "starter", "firstmover", "startedby", "begins", "firstplayer",
    "startingmark", "startingside", "goesfirst", "movesfirst", "whostarts", "whobegins",
    "firsttomove", "startingplayerid", "firstplayerid", "firsttoplay", "playsfirst", "wentfirst",
    "whostarted", "whobegan", "initialplayer", "firstturn", "startingturn", "firstmoveby",
    "openingplayer", "startingsymbol", "firsttoact",
)  # fmt: skip
"""How logs call a field that says who begins."""

_STARTS = (
    "fen", "initialboard", "initialstate", "initialposition", "startboard", "startstate",
    "startposition", "startingboard", "startingstate", "startingposition",
)  # fmt: skip
"""How logs call the position with which a game begins."""

_SIZES = ("size", "boardsize", "gridsize", "rows", "columns", "cols")
_RUNS = ("winlength", "inarow")
_RULES = (*_SIZES, *_RUNS, "variant")
"""How logs call what they say of the rules, besides the name of the game."""

_FINAL_BOARDS = (
    "finalboard", "finalstate", "finalposition", "lastboard", "endboard", "endposition",
)  # fmt: skip
_BOARDS = ("board", "state", "boardstate")  # which may be the last but one, or the first
_LENGTHS = (
    "nummoves", "movecount", "numberofmoves", "nmoves", "totalmoves", "plies", "numplies",
    "plycount", "gamelength",
)  # fmt: skip
_DRAWS = ("isdraw",)
TURNS = ("currentplayer", "nextplayer", "playertomove")
"""How logs call the player who is to move after the last move."""

_ENDS = (*_FINAL_BOARDS, *_BOARDS, *_LENGTHS, *_DRAWS, *TURNS)
_WHOLE = re.compile(r"([0-9]{1,9})(?:\.0)?")
_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}

_ORDERS = (
    "turn", "round", "index", "idx", "seq", "order", "moveid", "timestamp", "datetime", "time",
    "date", "createdat", "playedat", "ts",
)  # fmt: skip
"""How logs call what may order the moves of a game, besides their numbers."""

_ROW_AND_COLUMN = (("row", "col"), ("row", "column"), ("r", "c"), ("moverow", "movecol"))
_PAIRS = (*_ROW_AND_COLUMN, ("x", "y"))
_SINGLE = ("column", "col")

_MEANING = re.compile(rf"(.+?)=({'|'.join(MEANINGS)})(?=,|$)", re.DOTALL)


class TableLayout(NamedTuple):
    """The names of the columns that hold each field; None or empty where there is none."""

    moves: str | None
    players: tuple[str | None, str | None]  # who begins comes first
    labels: tuple[str, ...]  # what a result may call the players, too: the names of their columns
    results: tuple[str, ...]
    game: str | None
    game_id: str | None
    player: str | None
    move: tuple[str, ...]  # one column, or two that hold a pair
    move_number: str | None
    begins: str | None  # the name of the player who begins, where a log says it again
    start: str | None  # the position with which a game begins
    orders: tuple[str, ...]  # what may order the moves of a game
    mark: str | None  # the mark of the player who begins, or of each move
    rules: tuple[str, ...]  # what says something of them, besides the name of the game
    ends: tuple[str, ...]  # what says something of the end, besides the result


def columns_of(text: str) -> dict[str, str]:
    """Read which column holds what. Raises UsageError.

    >>> columns_of("moves=line,first=white")
    {'moves': 'line', 'first': 'white'}
    """
    columns: dict[str, str] = {}
    for part in text.split(","):
        name, equals, column = part.partition("=")
        if name not in FIELDS or not equals or not column or name in columns:
            fields = ", ".join(FIELDS)
            raise OptionError(
                "columns", text,
                f"expected FIELD=COLUMN,… with each of the fields {fields} at most once",
            )  # fmt: skip
        columns[name] = column
    return columns


def results_of(text: str) -> dict[str, str]:
    """Read the option results; a word may have a comma. Raises OptionError.

    >>> results_of("1=first,-1=second,0,5=draw")
    {'1': 'first', '-1': 'second', '0,5': 'draw'}
    """
    meanings: dict[str, str] = {}
    at = 0
    while at <= len(text):
        part = _MEANING.match(text, at)
        if part is None or part[1] in meanings:
            raise OptionError(
                "results", text, f"expected WORD=RESULT,… with the results {', '.join(MEANINGS)}"
            )
        meanings[part[1]] = part[2]
        at = part.end() + 1
    return meanings


def plain_name(name: str) -> str:
    """Return a name without case, blanks and signs.

    >>> plain_name("Game_Moves "), plain_name("Player 1")
    ('gamemoves', 'player1')
    """
    return re.sub(r"[\W_]+", "", name.casefold())


def result_in(column: str, value: object) -> object:
    """Return what a column says about the result; of one that names the loser, a sentence.

    >>> result_in("Winner", "ann"), result_in("loser_name", "bob")
    ('ann', 'bob lost')
    """
    return f"{value} lost" if value is not None and plain_name(column) in _LOSERS else value


def said_otherwise(is_other: Callable[[str, Any], bool], said: Iterable[tuple[str, object]]) -> str:
    """Say which columns say what cannot be; nothing where none does."""
    others = [f"{column} {quote(str(what))}" for column, what in said if is_other(column, what)]
    return f"the log says {' and '.join(others)}" if others else ""


def is_of_another(game: Game, column: str, text: str) -> bool:
    """Return whether a column says that a game is another one; not where it is unclear.

    >>> said = ("boardSize", "3"), ("size", "[4, 4]"), ("variant", "Misère"), ("variant", "blitz")
    >>> [is_of_another(Game("tictactoe"), *each) for each in said]
    [False, True, True, False]
    """
    numbers = sorted(map(int, re.findall(r"(?<![.0-9])[0-9]{1,9}", text)))
    if plain_name(column) in _RUNS:
        return numbers not in ([], [game.run])
    if plain_name(column) in _SIZES:
        size = [game.columns, game.rows]
        fits = ([game.columns], [game.rows], [game.cells], sorted(size))
        return len(numbers) in (1, 2) and numbers not in fits
    try:
        return Game(text) != game
    except GameError:
        words = normalize("NFD", text.casefold()).replace("\N{COMBINING GRAVE ACCENT}", "")
        return any(switch in words and not getattr(game, switch) for switch in SWITCHES)


def is_another_end(
    game: Game, before: Position, after: Position, moves: int, column: str, value: Any
) -> bool:
    """Return whether a column says that a game has another end; not where it is unclear.

    The game had the positions ``before`` and ``after`` its last legal move, of so many ``moves``. A
    column with the player to move holds circle or cross.

    >>> said = ("final_board", "x...o...."), ("board", "O../.X./..."), ("board", "o...x...o")
    >>> ended = Game("tictactoe"), Position(16, 0), Position(16, 1), 2
    >>> [is_another_end(*ended, *each) for each in (*said, ("plies", 3), ("state", "4"))]
    [False, False, True, True, False]
    """
    plain, text, status = plain_name(column), str(value).strip().casefold(), game.status(after)
    if plain in _LENGTHS:
        length = _WHOLE.fullmatch(text)
        return length is not None and int(length[1]) not in (after.ply, moves)
    if plain in _DRAWS:
        return status != Status.PLAYING and _TRUTHS.get(text) is (status != Status.DRAW)
    if plain in TURNS:
        return status == Status.PLAYING and text != after.turn.word
    board = to_text(game, after)
    if text in (board, exchange_marks(board)):  # This is quicker than to read it.
        return False
    read = set()
    orders = {cell_order(game, each): each for each in numberings_of(game)}
    for first, numbering in product(MARKS, orders.values()):
        with suppress(InputError):
            read.add(to_text(game, read_board(game, value, first=first, numbering=numbering)))
    ends = {after} if plain in _FINAL_BOARDS else {after, before, EMPTY}
    # Rows are read as they look, and may be columns, or have the bottom one first.
    fits = {"".join(to_text(game, end)[cell] for cell in order) for end in ends for order in orders}
    return bool(read) and read.isdisjoint(fits)


def holds_all_moves(names: Iterable[str]) -> bool:
    """Return whether one of some names is that of a column with all moves of a game."""
    return any(plain_name(name) in _COMMON["moves"] for name in names)


def holds_moves(names: Sequence[str]) -> bool:
    """Return whether some names are those of a table's columns: one holds moves, or one move."""
    plain = [plain_name(name) for name in names]
    needed = (*_COMMON["moves"], *_COMMON["move"], *_SINGLE)
    pairs = any(set(pair) <= set(plain) for pair in _PAIRS)
    return pairs or any(name in needed for name in plain)


class Columns:
    """The columns of a table's row, to find the fields: by the option columns, or common names.

    The methods raise UsageError where a field could be in several columns.
    """

    def __init__(self, place: GamePlace, row: Mapping[str, object], options: LogOptions) -> None:
        self._place, self._names, self._options = place, [*row], options
        self._by_plain: dict[str, list[str]] = {}
        for name, value in row.items():
            plain = plain_name(name)
            if plain == "game" and _WHOLE.fullmatch(str(value)):
                plain = "gameid"  # It counts the games.
            self._by_plain.setdefault(plain, []).append(name)

    def _called(self, *plain: str) -> list[str]:
        return [name for each in plain for name in self._by_plain.get(each, [])]

    def layout(self, *, of_one_game: bool = False) -> TableLayout:
        """Return which columns hold what; with ``of_one_game``, all rows are moves of one game.

        Raises UsageError also where the moves are in no column.
        """
        stated = self._options.columns
        names = list(stated.values())
        repeated = [name for name in names if names.count(name) > 1]
        if repeated:
            fields = " and ".join(field for field in stated if stated[field] == repeated[0])
            raise self._fault(
                f"{quote(repeated[0])} cannot be both {fields}: the option columns names a column "
                "for each"
            )
        move = () if "moves" in stated else self._move()
        moves = None if "move" in stated else self._field("moves")
        pair = "+".join(move)
        if moves and move and not of_one_game:
            raise self._fault(
                f"{quote(moves)} could hold the moves of a game, and {quote(pair)} one move: "
                f"the option columns names one, as in moves={moves} or move={pair}"
            )
        if not moves and not move:
            raise self._fault(
                "no field holds moves; the option columns names it, as in "
                + "moves=COLUMN, or " * (not of_one_game)
                + "move=COLUMN for one row a move"
            )
        game_id, number = self._field("game_id"), self._field("move_number")
        if not moves and not of_one_game and game_id is None and number is None:
            raise self._fault(
                f"one row a move, in {quote(pair)}: the option columns names the column "
                "that tells games apart, or the one that counts the moves of a game, as in "
                "game_id=COLUMN or move_number=COLUMN"
            )
        players, game = self._players(), self._field("game")
        return TableLayout(
            moves=moves,
            players=players,
            labels=tuple(name.casefold() for name in players if name and None not in players),
            results=self._results(),
            game=game,
            game_id=game_id,
            player=None if moves else self._field("player"),
            move=() if moves else move,
            move_number=number,
            begins=self._begins(),
            start=self._first_called(*_STARTS),
            orders=tuple(name for name in self._called(*_ORDERS) if name not in move),
            mark=self._mark() or (None if moves else self._first_called(*MARK_NAMES)),
            rules=tuple(name for name in self.rules() if name != game),
            ends=self._ends(),
        )

    def _fault(self, why: str) -> UsageError:
        return self._place.fault(f"the fields are {quote(','.join(self._names), 200)}: {why}")

    def _column(self, field: str, name: str) -> str:
        """Return the one column of a name that the user states; case counts only if it must."""
        columns = [each for each in self._names if each == name]
        columns = columns or [each for each in self._names if each.casefold() == name.casefold()]
        if len(columns) != 1:
            raise self._fault(
                f"expected one column {quote(name)} for {field}; the option columns names another, "
                f"as in {field}=COLUMN"
            )
        return columns[0]

    def _field(self, field: str) -> str | None:
        """Return the column of a field: as stated, or of its own name, or of a common one.

        Next to a column of another common name, one called moves may hold how many there are.
        """
        if field in self._options.columns:
            return self._column(field, self._options.columns[field])
        own = self._called(plain_name(field)) if field != "moves" else []
        columns = own or self._called(*_COMMON[field])
        if len(columns) > 1:
            names = " and ".join(map(quote, columns))
            raise self._fault(
                f"{names} could both be {field}: the option columns names one, as in "
                f"{field}={columns[0]}"
            )
        return columns[0] if columns else None

    def _move(self) -> tuple[str, ...]:
        stated = self._options.columns.get("move")
        if stated is not None:
            parts = stated.split("+")
            whole = stated in self._names or len(parts) != 2
            return tuple(self._column("move", part) for part in ([stated] if whole else parts))
        single = self._field("move")
        pairs = [pair for pair in _PAIRS if all(len(self._called(part)) == 1 for part in pair)]
        if single is not None and "move" not in self._by_plain and pairs:
            pair = "+".join(pairs[0])
            raise self._fault(
                f"{quote(single)} and {quote(pair)} could both be move: the option columns names "
                f"one, as in move={single} or move={pair}"
            )
        if single is not None:
            return (single,)
        columns = self._called(*(pairs[0] if pairs else _SINGLE))
        if pairs:
            is_turned = self._options.is_column_first
            if pairs[0] not in _ROW_AND_COLUMN:  # y, x are row and column; x, y may be either.
                first, second = map(self._names.index, columns)
                is_turned = not is_turned and first > second
            return tuple(reversed(columns)) if is_turned else tuple(columns)
        return tuple(columns) if len(columns) == 1 else ()

    def _players(self) -> tuple[str | None, str | None]:
        """Return the columns of the players, who begins first."""
        stated = self._options.columns
        if "first" in stated or "second" in stated:
            first, second = (
                self._column(field, stated[field])
                if stated.get(field)
                else self._first_called(field)
                for field in ("first", "second")
            )
            return first, second
        pairs = [pair for pair in _PLAYERS if self._by_plain.keys() >= {*pair}]
        is_of_marks = "y" not in self._by_plain  # x and y are the numbers of a cell
        marked = [pair for pair in _MARKS if is_of_marks and self._by_plain.keys() >= {*pair}]
        if len(pairs) + len(marked) > 1:
            both = [" and ".join(pair) for pair in (*pairs, *marked)]
            raise self._fault(
                f"{', '.join(both)} could all be the players: the option columns names them, as in "
                "first=COLUMN,second=COLUMN"
            )
        colours = [
            pair for pair in _EITHER_BEGINS if tuple(n for n in self._by_plain if n in pair) == pair
        ]
        if colours and not marked and {*pairs} <= {("white", "black")}:
            one, other = self._called(*colours[0])[:2]
            raise self._fault(
                f"{quote(one)} and {quote(other)} do not say who begins: the option columns does, "
                f"as in first={one},second={other}"
            )
        if marked:
            if self._options.first is None and marked[0] != _OURS:
                raise self._fault(
                    f"{' and '.join(marked[0])} name players by their marks: the option first says "
                    "which mark begins, o or x"
                )
            pairs = [marked[0] if self._options.first == "x" else marked[0][::-1]]
        if pairs:
            first, second, *others = self._called(*pairs[0])
            if others:
                raise self._fault("two columns have one name: the option columns names others")
            return first, second
        return self._first_called("first", "white"), self._first_called("second", "black")

    def _begins(self) -> str | None:
        """Return the column that says who begins, and does not name that player first."""
        called = self._called(*_BEGINS, "first")
        return next((name for name in called if name not in self._players()), None)

    def _first_called(self, *plain: str) -> str | None:
        return next(iter(self._called(*plain)), None)

    def rules(self) -> tuple[str, ...]:
        """Return the columns that say something of the rules, and are not stated to hold others."""
        stated = self._options.columns.values()
        return tuple(name for name in self._called(*_RULES) if name not in stated)

    def _ends(self) -> tuple[str, ...]:
        """Return the columns that say something of the end, and are not stated to hold others."""
        stated = self._options.columns.values()
        return tuple(name for name in self._called(*_ENDS) if name not in stated)

    def _mark(self) -> str | None:
        """Return the column with the mark of the player who begins, named by that player's."""
        first = self._players()[0]
        return first and self._first_called(*(f"{plain_name(first)}{mark}" for mark in MARK_NAMES))

    def _results(self) -> tuple[str, ...]:
        """Return the columns with results."""
        stated = self._options.columns.get("result")
        if stated is not None:
            return (self._column("result", stated),)
        return tuple(self._called(*_RESULTS, *_LOSERS, *_SCORES))
