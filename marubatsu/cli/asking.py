"""Commands that answer questions about positions."""

from typing import TYPE_CHECKING, Annotated, Any

from marubatsu.cli.commands import app
from marubatsu.cli.options import (
    DEFAULT_GAME,
    DataOption,
    FormatOption,
    GameOption,
    argument,
    print_rows,
)
from marubatsu.cli.search_options import (
    DEFAULT_FIRST,
    FirstOption,
    NumberingOption,
    SearchMemoryOption,
    ThreadsOption,
    TimeOption,
    input_text,
    note_first,
    position_of,
    threads_of,
)
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.machine import ANSWER_SECONDS, MEMORY, checked_time, parse_memory
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.engine.rules.position import Position
    from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
    from marubatsu.judge.oracle.oracle import Oracle

_MOST_POSITIONS = 64_000_000  # bytes

BoardArgument = Annotated[
    str | None,
    argument(
        "[BOARD]",
        "Cells row by row, as in o.x...... or O-X/---/---, or moves, as in 0,2 or 'a3 c3'; "
        "docs/positions.md lists the spellings. Without it, the empty board.",
    ),
]


@app.command()
def show(
    board: BoardArgument = None,
    game: GameOption = DEFAULT_GAME,
    first: FirstOption = DEFAULT_FIRST,
    numbering: NumberingOption = None,
    time: TimeOption = ANSWER_SECONDS,
    memory: SearchMemoryOption = MEMORY,
    threads: ThreadsOption = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Draw a position and show its value, its class and the value of each move.

    A small game must be built first. A larger one without tables and without a solution is
    searched; when the time is up or after Ctrl-C, it shows bounds that are certain. The board -
    reads many from standard input, one a line, or with their rows on lines and an empty line
    between two, and shows a row for each.

    Example: marubatsu show o.x......
    Example: marubatsu show "X,O,_,_,X,_,_,_,_" --first x
    Example: marubatsu show - --format csv < boards.txt
    Example: marubatsu show "d1 d2 d3 d4 d5 d6 a1 b1 c1 e1" --game connect4 --time 10
    """
    data_set = data_set_of(game, data)
    if board == "-":
        _show_many(_oracle(data_set, time, memory, threads), format_, first, numbering)
        return
    position = position_of(data_set.game, board, first, numbering)
    answer = _answer(_oracle(data_set, time, memory, threads), position, time)
    if format_ is Format.JSON:
        print(json_text(answer.to_json(), indent=1))
        return
    moves = _named(answer)
    if format_ is Format.TABLE:
        print(f"{answer}\n" if moves else answer)
    if moves:
        print_rows(list(moves[0]), [list(move.values()) for move in moves], format_)


@app.command()
def best(
    board: BoardArgument = None,
    game: GameOption = DEFAULT_GAME,
    first: FirstOption = DEFAULT_FIRST,
    numbering: NumberingOption = None,
    time: TimeOption = ANSWER_SECONDS,
    memory: SearchMemoryOption = MEMORY,
    threads: ThreadsOption = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Print the best moves of a position, and the result that they lead to.

    A small game must be built first. A larger one without tables and without a solution is
    searched. When the time is up or after Ctrl-C, the moves may be those that look best so far, and
    the column is_proved is false.

    Example: marubatsu best o...x...o
    Example: marubatsu best "d1 d2 d3 d4 d5 d6 a1 b1 c1 e1" --game connect4 --time 10
    """
    from marubatsu.judge.oracle.answer import BoundedAnswer

    data_set = data_set_of(game, data)
    position = position_of(data_set.game, board, first, numbering)
    answer = _answer(_oracle(data_set, time, memory, threads), position, time)
    if not answer.moves:
        raise UsageError(f"{quote(answer.board)} is {answer.summary}; expected a board with moves")
    is_proved = bool(answer.best_moves)
    moves = answer.promising if isinstance(answer, BoundedAnswer) else answer.best_moves
    rows = [
        (row["move"], row["name"], row["outcome"], row.get("distance"), is_proved)
        for row in _named(answer)
        if row["move"] in moves
    ]
    if format_ is Format.TABLE:
        unproved = "no best move is proved yet; these look best so far\n" * (not is_proved)
        print(f"{answer.summary}\n{unproved}")
    print_rows(("move", "name", "outcome", "distance", "is_proved"), rows, format_)


def _named(answer: "Answer | BoundedAnswer") -> list[dict[str, Any]]:
    from marubatsu.engine.rules.numbering import cell_name

    return [
        {"move": move.move, "name": cell_name(answer.game, move.move), **move.to_json()}
        for move in answer.moves
    ]


def _oracle(data_set: DataSet, seconds: float, memory: str, threads: int | None) -> "Oracle":
    from marubatsu.judge.oracle.choose_oracle import open_oracle

    return open_oracle(
        data_set,
        seconds=checked_time(seconds),
        memory=parse_memory(memory),
        threads=threads_of(threads),
    )


def _answer(oracle: "Oracle", position: "Position", seconds: float) -> "Answer | BoundedAnswer":
    """Ask an oracle; a search answers with bounds when it has no more time, or after Ctrl-C."""
    with progress("searching") as advance:

        def look(share: float | None, note: str = "") -> None:
            advance(share, f"{note}; stops after {seconds:g} s, --time allows more")

        return oracle.within(position, look, until_interrupted=True)


def _show_many(oracle: "Oracle", form: Format, first: str, numbering: str | None) -> None:
    """Answer the positions of standard input. Raises UsageError for no or wrong positions."""
    from marubatsu.engine.notations.many_positions import read_many

    text = input_text(None, _MOST_POSITIONS)
    answers = []
    for number, position in read_many(oracle.game, text, first=first, numbering=numbering):
        try:
            answers.append(oracle.answer(position).to_json())
        except UsageError as error:
            raise UsageError(f"line {number}: {error}") from None
    if not answers:
        raise UsageError(
            "standard input holds no position: expected a board or a list of moves on each line"
        )
    if form is Format.JSON:
        print(json_text(answers, indent=1))
        return
    note_first(first)
    columns = ("board", "ply", "turn", "status", "score", "distance", "best_moves")
    print_rows(columns, [[answer[name] for name in columns] for answer in answers], form)
