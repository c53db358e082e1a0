"""Solve a small game completely, publish it as data, judge any AI against it.

>>> import marubatsu as mb
>>> mb.answer("o...x...o").score
0
>>> mb.search("alphabeta", ordering="ai14s").nodes
1496

The names below are the stable, public ones, with those of `marubatsu.frameworks`; everything in the
sub-packages is private. Scores are from circle's view. The data folder is, as on the command line:
``data=``, else the variable MARUBATSU_DATA, else ``data/`` of the checkout, else the user's data
folder. Missing data is built when that takes less than two seconds. A larger game without data is
searched, position by position, where one is asked about; everything else names the command that
makes the data.

An error is an ``InputError`` (a ValueError: a name, a board or an option makes no sense), a
``UsageError`` (the same of a request to the data) or a ``DataError`` (data is missing or damaged;
an ``OutOfTimeError`` is one too: a search needs more time).
"""

from marubatsu.version import __version__ as __version__  # isort: skip, time runs from here on

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from marubatsu.pipeline.support import search_limits as _limits

if _TYPE_CHECKING:
    from collections.abc import Callable as _Callable
    from collections.abc import Iterable as _Iterable
    from collections.abc import Mapping as _Mapping
    from collections.abc import Sequence as _Sequence
    from pathlib import Path as _Path
    from typing import Unpack as _Unpack

    import duckdb as _duckdb

    from marubatsu.engine.ais.arena import Match, Tally
    from marubatsu.engine.ais.by_function import Choose
    from marubatsu.engine.notations.reading import BoardLike
    from marubatsu.engine.rules.game import Game
    from marubatsu.engine.rules.input_error import InputError
    from marubatsu.engine.rules.position import Position, Status
    from marubatsu.engine.search.options import Result
    from marubatsu.engine.search.trace import Event, EventKind
    from marubatsu.judge.agents.agent_limits import AgentOptions
    from marubatsu.judge.audit.interview import Finding, Interview
    from marubatsu.judge.audit.verdicts import Audit, Sampled, Verdicts
    from marubatsu.judge.bridges.environment_walk import Difference, Walk
    from marubatsu.judge.items.grade import Grade
    from marubatsu.judge.oracle.answer import Answer, BoundedAnswer, BoundedMove, Move
    from marubatsu.judge.oracle.answers import Answers
    from marubatsu.judge.oracle.oracle import Oracle
    from marubatsu.judge.oracle.search_oracle import OutOfTimeError
    from marubatsu.judge.review.player_tables import PlayerTables
    from marubatsu.judge.review.review import GameReview, Review
    from marubatsu.judge.searching.position_search import SearchOptions
    from marubatsu.pipeline.sql.relations import Tables
    from marubatsu.pipeline.support.errors import DataError, UsageError
    from marubatsu.pipeline.tables.output import Rows

__all__ = ["AgentOptions", "Answer", "Answers", "Audit", "BoardLike", "BoundedAnswer",
           "BoundedMove", "Choose", "DataError", "Difference", "Event", "EventKind", "Finding",
           "Game", "GameReview", "Grade", "InputError", "Interview", "Match", "Move", "Oracle",
           "OutOfTimeError", "PlayerTables", "Position", "Result", "Review", "Rows", "Sampled",
           "SearchOptions", "Status", "Tables", "Tally", "UsageError", "Verdicts", "Walk",
           "answer", "audit", "build", "conform_env", "evaluation", "grade", "items", "match",
           "oracle", "review", "search", "solve", "sql", "tables"]  # fmt: skip

if not _TYPE_CHECKING:
    _HOMES = {
        "AgentOptions": "marubatsu.judge.agents.agent_limits",
        "Answer": "marubatsu.judge.oracle.answer",
        "Answers": "marubatsu.judge.oracle.answers",
        "Audit": "marubatsu.judge.audit.verdicts",
        "BoardLike": "marubatsu.engine.notations.reading",
        "BoundedAnswer": "marubatsu.judge.oracle.answer",
        "BoundedMove": "marubatsu.judge.oracle.answer",
        "Choose": "marubatsu.engine.ais.by_function",
        "DataError": "marubatsu.pipeline.support.errors",
        "Difference": "marubatsu.judge.bridges.environment_walk",
        "Event": "marubatsu.engine.search.trace",
        "EventKind": "marubatsu.engine.search.trace",
        "Finding": "marubatsu.judge.audit.interview",
        "Game": "marubatsu.engine.rules.game",
        "GameReview": "marubatsu.judge.review.review",
        "Grade": "marubatsu.judge.items.grade",
        "InputError": "marubatsu.engine.rules.input_error",
        "Interview": "marubatsu.judge.audit.interview",
        "Match": "marubatsu.engine.ais.arena",
        "Move": "marubatsu.judge.oracle.answer",
        "Oracle": "marubatsu.judge.oracle.oracle",
        "OutOfTimeError": "marubatsu.judge.oracle.search_oracle",
        "PlayerTables": "marubatsu.judge.review.player_tables",
        "Position": "marubatsu.engine.rules.position",
        "Result": "marubatsu.engine.search.options",
        "Review": "marubatsu.judge.review.review",
        "Rows": "marubatsu.pipeline.tables.output",
        "Sampled": "marubatsu.judge.audit.verdicts",
        "SearchOptions": "marubatsu.judge.searching.position_search",
        "Status": "marubatsu.engine.rules.position",
        "Tables": "marubatsu.pipeline.sql.relations",
        "Tally": "marubatsu.engine.ais.arena",
        "UsageError": "marubatsu.pipeline.support.errors",
        "Verdicts": "marubatsu.judge.audit.verdicts",
        "Walk": "marubatsu.judge.bridges.environment_walk",
    }

    def __getattr__(name: str) -> _Any:
        """Import a class when it is first used, because importing marubatsu must stay quick."""
        if name not in _HOMES:
            raise AttributeError(f"module 'marubatsu' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)


def answer(
    board: "BoardLike",
    game: "Game | str" = "tictactoe",
    *,
    first: str = "o",
    numbering: str | None = None,
    time: float = _limits.ANSWER_SECONDS,
    data: "str | _Path | None" = None,
) -> "Answer":
    """Return the facts about a position: its value, its class, its moves, best first.

    ``board`` is its cells row by row: ``.`` empty, ``o`` circle, ``x`` cross; or the moves so far.
    It may have other spellings, and be a list or an array; docs/positions.md lists them. ``first``
    is the mark of the side that begins on it, and becomes ``o``, circle. ``numbering`` is that of
    the moves, or of the cells of a board without rows. To ask often, open an `oracle` once. A game
    without data is searched, as there, for ``time`` seconds at most.

    The answer has ``score`` (circle's view), ``distance`` (plies to the end with best play),
    ``turn``, ``status``, ``best_moves`` (cells) and ``moves``; the ``loss`` of a move is how much
    it lowers the mover's score. `Answer` and `Move` describe all fields. ``summary`` tells the
    value in words.

    Raises InputError or UsageError when play cannot reach the position, and when it may be one of
    two; OutOfTimeError, which has the bounds, when the time is up; DataError when there is no data
    of a game that is too large to be searched.

    >>> found = answer("o...x...o")
    >>> found.turn, found.score, found.distance, found.class_
    ('cross', 0, 6, 33)
    >>> [(move.move, move.loss) for move in found.moves]
    [(1, 0), (3, 0), (5, 0), (7, 0), (2, 1), (6, 1)]
    >>> answer([["x", "o", ""], ["", "", ""], ["", "", ""]], first="x").board
    'ox.......'
    >>> found = answer("d1 d2 d3 d4 d5 d6 c1 e1 c2 c3 e2 b1 b2 b3 a1 a2", "connect4")
    >>> found.turn, found.score, found.distance, found.best_moves
    ('circle', 1, 23, (15,))
    """
    opened = oracle(game, time=time, data=data)
    return opened.answer(board, first=first, numbering=numbering)


def oracle(
    game: "Game | str" = "tictactoe",
    *,
    time: float = _limits.ANSWER_SECONDS,
    memory: str = _limits.MEMORY,
    data: "str | _Path | None" = None,
) -> "Oracle":
    """Open what is known about a game: its tables, else its solution, else a search.

    Its ``answer`` returns everything about a position, its ``answer_many`` the values of many
    positions and of all their moves, as arrays; both take ``first`` and ``numbering`` as `answer`
    does. ``within`` also returns the bounds that a search
    has found when its time is up. A search takes ``time`` seconds at most for one call, and keeps a
    table of ``memory``, such as ``"500MB"``.

    Raises InputError for a name of no game; DataError when there is no data of a game that is too
    large to be searched, and when files are damaged; UsageError for a time or a memory that makes
    no sense.

    >>> known = oracle("tictactoe")
    >>> known.answer("oxo.x....").best_moves
    (7,)
    >>> many = known.answer_many(["o...x...o", "ox......."])
    >>> many.score.tolist(), many.distance.tolist(), len(many.move)
    ([0, 1], [6, 5], 13)
    """
    from marubatsu.judge.oracle.opening import open_oracle
    from marubatsu.pipeline.stages.on_demand import data_on_demand
    from marubatsu.pipeline.support.machine import parse_memory
    from marubatsu.pipeline.support.progress import say_waiting

    seconds, size = _limits.checked_time(time), parse_memory(memory)
    built = data_on_demand(game, data)
    return open_oracle(built, say_waiting, seconds=seconds, memory=size)


def audit(
    ai: "Choose | str",
    game: "Game | str" = "tictactoe",
    *,
    interface: str | None = None,
    sample: "int | str | None" = None,
    positions: "str | _Path | None" = None,
    plies: str | None = None,
    numbering: str | None = None,
    time: float = _limits.AUDIT_SECONDS,
    seed: int = 0,
    save: str | None = None,
    data: "str | _Path | None" = None,
    **confined: "_Unpack[AgentOptions]",
) -> "Audit":
    """Judge an AI in every position of a game; a notebook shows the audit as a page.

    ``ai`` is a function, called in this process, from a board and its legal moves to the moves it
    may choose. Or it is a name as in ``marubatsu audit``: ``ai14s``, or ``file.py:function``, which
    runs confined, as the `AgentOptions` say: ``timeout=``, ``agent_memory=``, ``allow_network=``,
    ``allow_read=``, ``allow_env=``, ``confinement=``. Two of them are about functions too:
    ``answers=``, such as ``"row-column"``, is the form of the answers, and ``first="x"`` exchanges
    the marks that the AI sees. An agent of another framework, which may be an object, is asked in
    its terms: ``interface`` is a name that ``--as`` of that command takes, such as ``"connectx"``.

    A solved game without tables of AIs is judged by its solution, in 10,000 classes that ``seed``
    draws; ``sample`` is another number of them, or ``"all"``. A game without data that is too large
    to be built at once, such as ``connect4``, is searched, for ``time`` seconds a position at most:
    in 1,000 positions that ``seed`` draws, or ``sample``. ``positions`` says how, and then the
    oracle of any game judges them: ``"random"``, ``"own"`` (of the AI's games), or a file with a
    board or moves on each line, in a ``numbering`` as in `answer`; ``plies`` such as ``"12-20"``
    bounds their plies. Under the name ``save``, its answers are kept as rows of the tables of AIs.

    The audit has ``verdicts`` (`Verdicts`: in how many critical positions every candidate is a best
    move, and whether the AI solves the game), ``interview`` (`Interview`: what it was asked, and
    the ``findings``, its faults), and `Rows`: ``by_ply``, ``blunders``, ``refutations`` and
    ``matches``. Scores are circle's view, a ``loss`` and results of matches are the view of the
    mover and of the AI, and chances are percent. ``sampled`` says how positions were drawn.
    ``print`` of an audit prints what the command prints.

    Raises DataError when the data is missing (``marubatsu build`` and ``marubatsu solve`` make it),
    and when the AI fails too often to be judged. Raises InputError for a name of no game or AI.
    Raises UsageError for values and keywords that make no sense, for a file of other things, for an
    answer that can be read in two ways, and when options should confine a function of this process;
    and when this machine does not confine everything and ``confinement="strict"`` asks for that.

    >>> def choose(board, legal_moves):
    ...     return legal_moves[0]
    >>> found = audit(choose, positions="random", sample=50)
    >>> found.verdicts.positions_right, found.verdicts.positions, found.verdicts.weakly_solved
    (14, 32, False)
    >>> found.interview.findings, found.blunders.only("board", "move", "loss").rows[0]
    ([], ['.......o.', 0, 1])
    """
    from marubatsu.judge.agents.address import ais_at
    from marubatsu.judge.agents.agent_limits import AgentOptions, limits_for
    from marubatsu.judge.audit.auditing import run
    from marubatsu.pipeline.stages.on_demand import data_on_demand
    from marubatsu.pipeline.support.keywords import require_keywords

    require_keywords(audit, confined, AgentOptions)
    data_set = data_on_demand(game, data)
    (found,) = ais_at([ai], data_set, interface)
    limits = limits_for([found], confined)
    return run(
        data_set,
        found,
        limits,
        sample=sample,
        seed=seed,
        save_as=save,
        positions=None if positions is None else str(positions),
        plies=plies,
        numbering=numbering,
        seconds=time,
    )


def evaluation(value: "Choose") -> "Choose":
    """Return an evaluation as an AI: it makes a move to a board that it values most.

    ``value`` takes a board and returns a number, which is high where the player who just moved does
    well, as in ``ai1s`` to ``ai14s``. Each legal move is played; the moves to the boards with the
    greatest value are the candidates. Finished boards are valued, too. Numbers are compared as they
    are: whole numbers and fractions keep ties exact. `audit`, `match` and `search` take the AI; in
    a file it is ``evaluation:file.py:function``.

    Raises UsageError for what is no function.

    >>> def centre(board):
    ...     return int(board[4] == "ox"[board.count("o") == board.count("x")])
    >>> audit(evaluation(centre), positions="random", sample=50).interview.findings
    []
    >>> match(evaluation(centre), "ai3s", games=5).total == match("ai3s", "ai3s", games=5).total
    True
    """
    from marubatsu.engine.ais.by_function import EvaluationAI
    from marubatsu.engine.rules.input_error import quote
    from marubatsu.pipeline.support.errors import UsageError

    if not callable(value):
        raise UsageError(
            f"{quote(value)} is no function: expected one that takes a board and returns a number"
        )
    return EvaluationAI(value)


def match(
    ai: "Choose | str",
    opponent: "Choose | str",
    game: "Game | str" = "tictactoe",
    *,
    interface: str | None = None,
    games: int = 10_000,
    seed: int = 0,
    time: float = _limits.MOVE_SECONDS,
    data: "str | _Path | None" = None,
    **confined: "_Unpack[AgentOptions]",
) -> "Match":
    """Let two AIs play ``games`` games with the first as circle, and as many with it as cross.

    An AI is a function, or an address as in ``marubatsu match``: ``ai14s``, ``file.py:function``.
    It plays one of its candidates, drawn by one ``random.choice`` of ``random.Random(seed)``, or by
    their weights. Where ``perfect`` must search, it takes ``time`` seconds at most for a move, and
    may then play one that is not proved best. The `AgentOptions`, such as ``timeout=``,
    ``answers=`` and ``first=``, and ``interface`` say how foreign ones are run and asked, as in
    `audit`.

    The match counts for the first AI: ``as_circle`` and ``as_cross`` are tallies of its games on
    that side, and ``total`` is their sum. ``win`` of a `Tally` counts the games that the first AI
    won, ``lose`` those that the second one won.

    Raises InputError for an address of no AI, and for an AI that fails or names an illegal move;
    UsageError for values and keywords that make no sense, and as `audit` does for what cannot be
    confined; DataError where ``perfect`` needs data that is damaged or not there.

    >>> match("ai14s", "ai2", games=1000).as_circle
    Tally(win=995, lose=0, draw=5)
    """
    from marubatsu.judge.agents.agent_limits import AgentOptions
    from marubatsu.judge.agents.match_games import play_match
    from marubatsu.pipeline.support.keywords import require_keywords

    require_keywords(match, confined, AgentOptions)
    return play_match(ai, opponent, interface, games, seed, game, time, data, confined)


def review(
    files: "_Sequence[str | _Path] | str | _Path",
    game: "Game | str | None" = None,
    *,
    log: str | None = None,
    columns: "_Mapping[str, str] | None" = None,
    numbering: str | None = None,
    first: str | None = None,
    results: "_Mapping[str, str] | None" = None,
    plies: str | None = None,
    time: float = _limits.MOVE_SECONDS,
    data: "str | _Path | None" = None,
) -> "Review":
    """Judge the players of recorded games; a notebook shows the review as a page.

    ``files`` names one file, or is a list of them.
    ``game`` is the game, whatever the logs say; without it, they name it. ``log`` is their format:
    ``moves``, ``pgn``, ``jsonl``, ``kaggle``, ``textarena``, ``openenv`` or ``csv``; without it,
    the content decides. ``columns`` maps fields to the columns of a table, or the keys of JSON,
    that hold them: moves, first, second, result and game; for one row a move, game_id, player,
    move and move_number. ``numbering`` is that of the moves, such as ``"columns"``. ``first`` is
    the mark that begins, ``"o"`` or ``"x"``, where a log names marks. ``results`` maps the words
    that a log writes as results to first, second, draw or none. ``plies`` such as ``"12-20"``
    bounds the plies of judged moves. A game without data is searched, for ``time`` seconds a
    position at most.

    The review has ``leaderboard`` (`Rows`, a player of a game each) and ``reviews``, a `GameReview`
    for each game. Its ``tables`` (`PlayerTables`) hold the leaderboard, the shares by ply, the
    blunders, the worst games and the findings. ``strength`` is in units of Elo; ``loss`` is how
    much a move lowers the mover's score; ``right`` counts best moves in critical positions.

    Raises UsageError for files that hold other things, naming the line, for files that make sense
    in another numbering only, and for values that make no sense; InputError for a name of no game
    or numbering; DataError when data is missing or damaged.

    >>> from pathlib import Path
    >>> _ = Path("games.txt").write_text("ann - bob: b2 b3 a3 c1 a2 a1 c2")
    >>> found = review("games.txt", "tictactoe")
    >>> found.leaderboard.only("player", "critical", "right", "mean_loss").rows
    [['ann', 3, 3, 0.0], ['bob', 1, 0, 0.3333]]
    >>> found.reviews[0].tables.blunders.only("player", "board", "move", "best_moves").rows
    [['bob', '....o....', 1, [0, 2, 6, 8]]]
    """
    from marubatsu.judge.review.review import run

    _limits.checked_time(time)
    return run(
        files,
        game,
        log=log,
        columns=columns,
        numbering=numbering,
        first=first,
        results=results,
        plies=plies,
        seconds=time,
        data=data,
    )


def items(
    game: "Game | str" = "tictactoe",
    *,
    split: str = "test",
    notation: str = "board",
    twins: bool = False,
    sample: int | None = None,
    seed: int = 0,
    data: "str | _Path | None" = None,
) -> "list[dict[str, _Any]]":
    """Return positions as questions for language models, with answers: what `grade` takes.

    ``split`` is ``train``, ``validation``, ``test`` or ``all``; ``notation`` is ``board``,
    ``text``, ``moves`` or ``all``. ``twins`` adds the same questions in other forms. ``sample`` is
    a number of classes, which ``seed`` draws.

    An item is a dict. Its ``question`` is the text for the model. ``moves`` are the legal moves as
    a reply names them, ``losses`` say how much each lowers the mover's score (0, 1, 2), and
    ``best_moves`` are those with loss 0. ``score_mover`` is the view of the side to move,
    ``distance`` counts plies to the end. The other keys are ``id``, ``game``, ``split``,
    ``notation``, ``form``, ``twin_of`` (an id), ``hardness``, ``only_moves``, ``ply``, ``class``
    and ``board``.

    Raises InputError for a name of no game, UsageError for other values, and DataError when tables
    are missing or damaged.

    >>> first, *others = items(sample=10)
    >>> first["id"], first["moves"], first["losses"]
    ('tictactoe:board:o.x.o....', ['b3', 'a2', 'c2', 'a1', 'b1', 'c1'], [1, 1, 1, 1, 1, 0])
    """
    from marubatsu.judge.items.item_set import choice_of, items_of
    from marubatsu.pipeline.stages.on_demand import splits_on_demand
    from marubatsu.pipeline.support.progress import say_waiting

    choice = choice_of(split, notation, sample, seed, twins=twins)
    return [item.to_json() for item in items_of(splits_on_demand(game, data), choice, say_waiting)]


def grade(
    items: "_Iterable[_Mapping[str, _Any]] | str | _Path",
    replies: "_Mapping[str, str | None] | str | _Path",
    *,
    numbering: str | None = None,
) -> "Grade":
    """Grade replies to items; a notebook shows the grade as a page.

    ``replies`` has a text by the id of each item, or None where nobody replied. Both may also be
    names of files, as in ``marubatsu grade``. Replies to questions of your own may name moves in
    another ``numbering``, one of docs/numberings.md. A reply to no item counts nowhere but in
    ``replies_to_no_item``.

    The grade has ``shares`` (`Rows`: all items, then groups of them, with percents and their 95 %
    intervals), ``twins``, ``answers`` (an item each) and ``findings``. ``best`` counts replies with
    a best move, ``right`` those of them in critical positions, and ``mean_loss`` is how much the
    moves lower the mover's score. ``least_right`` is the lower end of the interval for the share of
    right replies, 0 to 1.

    Raises UsageError, which names the line, for items and replies that are others.

    >>> asked = items(sample=10)
    >>> found = grade(asked, {item["id"]: f"move: {item['best_moves'][0]}" for item in asked})
    >>> found.shares.only("items", "best", "critical", "right").rows[0]
    [10, 10, 6, 6]
    """
    from marubatsu.judge.items.grade import grade_replies

    return grade_replies(items, replies, numbering)


def search(
    algorithm: str = "alphabeta",
    board: "BoardLike | None" = None,
    game: "Game | str" = "tictactoe",
    *,
    numbering: str | None = None,
    ordering: "Choose | str | None" = None,
    evaluation: "Choose | str | None" = None,
    trace: "_Callable[[Event], object] | str | _Path | None" = None,
    data: "str | _Path | None" = None,
    **options: "_Unpack[SearchOptions]",
) -> "Result":
    """Search a position, the empty board by default, and count the nodes that it visits.

    ``board`` and ``numbering`` are as in `answer`.
    ``algorithm`` is one of minimax, alphabeta, scout, mtdf, nullwindow, depth_limited,
    iterative_deepening, pvs, monte_carlo, sss, dual, proof_number, df_pn and uct. ``ordering`` and
    ``evaluation`` are functions or addresses, as in ``marubatsu search``. An ordering takes a board
    and its legal moves, and returns them as a list, the first to search first, or with scores.
    An evaluation takes a board, and returns its value for the player who just moved. ``trace`` is a
    file to write, which the explorer plays, or a function: it takes every `Event`, and what it
    raises ends the search.

    `SearchOptions` describes the ``options``: the order of the moves, the window, the table, the
    depth, a seed, the techniques of docs/techniques.md, and the limits of a function at an address,
    as in `audit`.

    The result has ``score`` (circle's view), ``nodes``, ``best_moves`` (cells),
    ``principal_variation`` (cells) and ``table_size`` (boards).

    Raises InputError for options that make no sense, for an invalid board, for a game too large to
    be searched to the end, and for a function that fails; UsageError for a keyword that is no
    option, and as `audit` does; DataError when the file cannot be written.

    >>> search("alphabeta").nodes, search("minimax").nodes
    (18297, 549946)
    >>> search("alphabeta", "o...x...o", use_table=True).best_moves
    (1, 3, 5, 7)
    >>> value = lambda board: board.count("x") - board.count("o")
    >>> search("depth_limited", max_depth=2, evaluation=value).nodes
    26
    >>> events = []
    >>> search("alphabeta", "oxoxx.o..", trace=events.append).nodes, len(events)
    (9, 20)
    >>> str(events[0].kind), events[0].alpha, events[-1].score
    ('enter', -inf, -1)
    """
    from marubatsu.judge.searching.position_search import SearchOptions, search_position
    from marubatsu.pipeline.support.keywords import require_keywords

    require_keywords(search, options, SearchOptions)
    return search_position(
        algorithm, board, game, numbering, ordering, evaluation, trace, data, options
    )


def solve(
    game: "Game | str", *, memory: str | None = None, data: "str | _Path | None" = None
) -> "Oracle":
    """Solve a game strongly, write its solution into the data folder, and return its oracle.

    A solution of today stays as it is, and a stopped run resumes. ``memory`` limits the memory for
    data, such as ``"2GB"`` (default: half of the machine's). Raises InputError for a name of no
    game and for a board that is too large, UsageError for a memory that makes no sense, and
    DataError when there is no room.

    >>> solve("3x3k3-gravity").answer("......o.x").score
    0
    """
    from marubatsu.pipeline.solving.local_engine import solve_game

    solve_game(game, memory, data)
    return oracle(game, data=data)


def build(game: "Game | str" = "tictactoe", *, data: "str | _Path | None" = None) -> "Tables":
    """Build every table of a game that is missing or stale, and open the tables.

    Raises InputError for a name of no game, and for one that is too large; DataError when a file
    cannot be written.

    >>> build("2x2k2").positions.count("*").fetchall()
    [(29,)]
    """
    from marubatsu.pipeline.stages.on_demand import build_all

    build_all(game, data)
    return tables(game, data=data)


def conform_env(
    environment: object,
    game: "Game | str | None" = None,
    *,
    sample: int | None = None,
    seed: int = 0,
) -> "Walk":
    """Walk an environment beside our rules, and return the differences of each kind.

    ``environment`` is an object or a class of ``game`` (tictactoe) with the methods that
    docs/environments.md lists, or a name as in ``marubatsu conform-env``. The walk takes every move
    of a small game, and 100 random games of a larger one; ``sample`` is another number of games,
    which ``seed`` draws.

    The walk's ``agrees`` tells whether nothing differs, but for the kinds that it is given.
    ``differences`` has a `Difference` by the name of each kind: how often the walk ``examined`` it,
    how often it was ``differing``, and the shortest ``line`` of cells to one.

    Raises InputError for a name of no game, UsageError when this is no environment or the sample
    makes no sense, DataError when the environment fails.

    >>> class First:  # Whoever marks a cell first has won.
    ...     def reset(self): self.marks = 0
    ...     def play(self, cell): self.marks += 1
    ...     def legal_moves(self): return [] if self.marks else [0, 1]
    ...     def turn(self): return "cross" if self.marks else "circle"
    ...     def over(self): return self.marks > 0
    ...     def rewards(self): return (1, -1) if self.marks else (0, 0)
    >>> walk = conform_env(First, "2x1k1")
    >>> walk.agrees(), [kind for kind, found in walk.differences.items() if found.differing]
    (False, ['move outside the board'])
    """
    from marubatsu.judge.bridges.conformance import walk_environment

    return walk_environment(environment, game, sample, seed)


def tables(game: "Game | str" = "tictactoe", *, data: "str | _Path | None" = None) -> "Tables":
    """Open the tables of a game: each is an attribute, a DuckDB relation.

    A relation becomes a table of Arrow, Polars or pandas by DuckDB's own ``.to_arrow_table()``,
    ``.pl()`` and ``.df()``. ``dir()`` lists the names; data/README.md describes every column, with
    its unit and its point of view.

    Raises InputError for a name of no game, and DataError when there are no tables or a file is
    damaged; AttributeError for a table that is not there.

    >>> tables("tictactoe").positions.filter("critical").count("*").fetchall()
    [(3191,)]
    """
    from marubatsu.pipeline.sql.relations import Tables
    from marubatsu.pipeline.stages.on_demand import data_on_demand

    return Tables(data_on_demand(game, data))


def sql(
    statement: str,
    game: "Game | str" = "tictactoe",
    *,
    parameters: "_Mapping[str, object] | None" = None,
    data: "str | _Path | None" = None,
) -> "_duckdb.DuckDBPyRelation":
    """Run SQL over the tables and views of a game, without a sandbox: only for your own SQL.

    ``parameters`` are values for the ``$name`` in it. The relation that it returns reads the files
    when it is evaluated. For the SQL of other people use ``marubatsu sql``. Raises as `tables`
    does, and UsageError for a text without a statement. A wrong statement raises what DuckDB
    raises, a ``duckdb.Error``.

    >>> sql("select count(*) from positions where score > $s", parameters={"s": 0}).fetchall()
    [(2936,)]
    """
    return tables(game, data=data).sql(statement, parameters)
