"""Commands about AIs: judge them, let them play each other, play against them."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from marubatsu.cli.cures import as_typed
from marubatsu.cli.options.agent_options import chosen_interface, chosen_limits
from marubatsu.cli.options.given_positions import given_numbering, given_position
from marubatsu.cli.options.requirement_options import (
    FailUnderOption,
    MaxExploitabilityOption,
    RequireOption,
)
from marubatsu.cli.options.shared import (
    ADDRESS_HELP,
    DEFAULT_FIRST,
    DEFAULT_GAME,
    DataOption,
    FirstOption,
    FormatOption,
    GameOption,
    NumberingOption,
    OutputOption,
    TimeOption,
    ais_here,
    app,
)
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.search_limits import AUDIT_SECONDS, MOVE_SECONDS, checked_time
from marubatsu.pipeline.tables.formats import Format


class AuditFormat(StrEnum):
    """A format of audits: as text, as a page, or those of rows."""

    TABLE = "table"
    JSON = "json"
    HTML = "html"
    NDJSON = "ndjson"
    CSV = "csv"
    MARKDOWN = "markdown"
    PARQUET = "parquet"
    ARROW = "arrow"


_MOST_GAMES, _MOST_REVIEWED = 1_000_000_000, 10_000
SeedOption = Annotated[int, typer.Option(metavar="SEED", help="Seed of the random choices.")]


@app.command()
def audit(
    address: Annotated[
        str | None,
        typer.Argument(
            metavar="[AI]",
            help=f"{ADDRESS_HELP} Without it, the verdicts on all of ours.",
            autocompletion=ais_here,
        ),
    ] = None,
    game: GameOption = DEFAULT_GAME,
    repeat: Annotated[
        int, typer.Option(metavar="N", help="Ask N times about each position and join the answers.")
    ] = 1,
    sample: Annotated[
        str | None,
        typer.Option(
            metavar="N|all",
            help="Judge by the solution of the game: N classes drawn with the seed, or all "
            "(default for solved games without tables of AIs: 10,000). Of drawn positions: at "
            "most N (default: 1,000, of a file all).",
        ),
    ] = None,
    positions: Annotated[
        str | None,
        typer.Option(
            metavar="random|own|FILE",
            help="Draw positions: of random games, as many of each ply (default for games that "
            "only a search knows); of the AI's own games; or a file of boards or moves, one a "
            "line.",
        ),
    ] = None,
    plies: Annotated[
        str | None,
        typer.Option(
            metavar="FIRST-LAST",
            help="The plies of drawn positions, as in 12- or 12-20 (default: where a search is "
            "quick, from ply 12 for connect4).",
        ),
    ] = None,
    numbering: NumberingOption = None,
    time: Annotated[
        float, typer.Option(metavar="SECONDS", help="Most time of the search for one position.")
    ] = AUDIT_SECONDS,
    seed: SeedOption = 0,
    require: RequireOption = None,
    fail_under: FailUnderOption = None,
    max_exploitability: MaxExploitabilityOption = None,
    save: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Keep the answers of a foreign AI as rows of the tables ais, ai_moves and matches "
            "under this name; `ais --remove NAME` removes them.",
        ),
    ] = None,
    first: FirstOption = DEFAULT_FIRST,
    data: DataOption = None,
    format_: Annotated[
        AuditFormat,
        typer.Option(
            "--format",
            "-f",
            help="How to write the audit: table, json and html tell all of it, the others the "
            "verdicts, as one row.",
        ),
    ] = AuditFormat.TABLE,
    output: OutputOption = None,
) -> None:
    """Judge an AI in every position: whether it solves the game, and where it fails.

    A small game must be built first. A larger one without tables and without a solution is judged
    by a search, in positions that are drawn.

    The function takes a board such as o.x...... and the list of legal moves, and returns a move,
    several moves, or moves with chances; --answers names other forms. An evaluation takes a
    board, and returns a number: high where the player who just moved does well. It plays the moves
    to the boards that it values most.

    Example: marubatsu audit examples/corners.py:choose
    Example: marubatsu audit evaluation:examples/open_lines.py:value
    Example: marubatsu audit examples/middle.py:choose --game 4x4k4 --sample 2000
    Example: marubatsu audit examples/middle.py:choose --game connect4 --sample 200
    Example: marubatsu audit examples/minimax.py:choose --require strong --require no-findings
    Example: marubatsu audit examples/connectx_agent.py:agent --as connectx --game 4x4k3-gravity
    Example: marubatsu audit examples/corners.py:choose --fail-under 0.95 --max-exploitability 0.1
    """
    from marubatsu.judge.agents.address import ais_at
    from marubatsu.judge.agents.players import note_box
    from marubatsu.judge.audit import audit_report
    from marubatsu.judge.audit.auditing import run
    from marubatsu.judge.audit.requirements import parse
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.support.json_text import json_text
    from marubatsu.pipeline.tables.output import destination, write

    if address is None:
        about_one = {"--require": require, "--fail-under": fail_under,
                     "--max-exploitability": max_exploitability, "--save": save,
                     "--positions": positions, "--plies": plies, "--numbering": numbering,
                     "--as": chosen_interface()}  # fmt: skip
        for option, value in about_one.items():
            if value is not None:
                raise UsageError(f"{option} is about one AI: name it")
        _verdicts(game, data, format_, output)
        return
    limits = chosen_limits(first)
    requirements = parse(require or [], fail_under, max_exploitability)
    data_set = data_set_of(game, data)
    (ai,) = ais_at([address], data_set, chosen_interface())
    found = run(
        data_set, ai, limits, repeat, sample, seed, save,
        positions=positions, plies=plies, numbering=numbering, seconds=time,
    )  # fmt: skip
    with destination(output) as out:
        match format_:
            case AuditFormat.JSON:
                out.write(json_text(found.to_json(), indent=1) + "\n")
            case AuditFormat.HTML:
                out.write(audit_report.page(found))
            case AuditFormat.TABLE:
                out.write(as_typed(audit_report.text(found)))
            case _:
                if found.interview.not_confined:
                    note_box(found.interview.not_confined)
                row = found.verdict_row()
                write(row.columns, row.rows, Format(format_.value), out)
    if unmet := [lacking for each in requirements if (lacking := each(found))]:
        message = f"{found.interview.shown_name} fails {as_typed('; '.join(unmet))}"
        print(f"marubatsu: {message}", file=sys.stderr)
        raise typer.Exit(1)


def _verdicts(game: str, data: DataOption, form: AuditFormat, output: OutputOption) -> None:
    """Print the verdicts of SQL on all our AIs."""
    from marubatsu.pipeline.sql import query_files
    from marubatsu.pipeline.sql.catalog import open_catalog
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.support.progress import progress, say_waiting
    from marubatsu.pipeline.tables.output import destination, write

    if form not in (AuditFormat.TABLE, AuditFormat.JSON, AuditFormat.MARKDOWN):
        raise UsageError(
            f"--format {form} shows one AI: name it, or ask `marubatsu query strong` and "
            "`marubatsu query weak` about all of ours"
        )
    reports = [query_files.report(name) for name in ("strong", "weak")]
    with progress("audit"), open_catalog(data_set_of(game, data), say_waiting) as catalog:
        answers = [catalog.ask(report) for report in reports]
    with destination(output) as out:
        for number, (report, answer) in enumerate(zip(reports, answers, strict=True)):
            if form is AuditFormat.TABLE:
                out.write("\n" * (number > 0) + report.question + "\n\n")
            write(answer.columns, answer.rows, Format(form.value), out)


@app.command()
def match(
    *,
    ais: Annotated[
        list[str],
        typer.Argument(
            metavar="AI AI ...",
            help=f"Two AIs, or several pairs of them. {ADDRESS_HELP}",
            autocompletion=ais_here,
        ),
    ],
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Games of each pair on each side (default: 10,000; with --review 1).",
        ),
    ] = None,
    seed: SeedOption = 0,
    fast: Annotated[
        bool, typer.Option("--fast", help="Millions of games, with NumPy's random numbers.")
    ] = False,
    review: Annotated[
        bool,
        typer.Option("--review", help="Show the games move by move, and what each move loses."),
    ] = False,
    game: GameOption = DEFAULT_GAME,
    time: TimeOption = MOVE_SECONDS,
    first: FirstOption = DEFAULT_FIRST,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Let AIs play: N games with the first as circle, and N with the first as cross.

    All matches share one generator, random.Random(SEED), with one random.choice among the
    candidates per move. --fast uses NumPy's generator (PCG64, the same seed for every match).
    In a game without tables and without a solution, perfect and --review search each position for
    --time SECONDS at most.

    Example: marubatsu match ai2 ai2 ai14s ai2 --games 50000 --seed 0
    Example: marubatsu match ai14s examples/corners.py:choose --games 1000
    Example: marubatsu match ai6 ai2 --review
    """
    from marubatsu.judge.agents import match_games
    from marubatsu.judge.agents.address import ais_at
    from marubatsu.judge.agents.players import Players
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.support.progress import progress, say_waiting
    from marubatsu.pipeline.tables.output import destination, write

    if len(ais) % 2:
        raise UsageError(f"expected pairs of AIs, got {len(ais)} of them: {', '.join(ais)}")
    most = _MOST_REVIEWED if review else _MOST_GAMES
    games = (1 if review else 10_000) if games is None else games
    if not 1 <= games <= most:
        raise UsageError(f"--games {games}: expected 1 to {most:,}{' with --review' * review}")
    if review and fast:
        raise UsageError("--review shows games move by move, --fast plays too many: leave one out")
    if seed < 0:
        raise UsageError(f"--seed {seed}: expected 0 or more")
    data_set, seconds = data_set_of(game, data), checked_time(time)
    with (
        Players(data_set, chosen_limits(first), seconds) as players,
        progress("playing") as advance,
    ):
        found = ais_at(ais, data_set, chosen_interface())
        named = [(ai, players.player(each)) for ai, each in zip(ais, found, strict=True)]
        pairs = list(zip(named[::2], named[1::2], strict=True))
        if review:
            from marubatsu.judge.oracle.opening import open_oracle
            from marubatsu.pipeline.stages.on_demand import data_on_demand

            built = data_on_demand(data_set.game, data_set.root)
            oracle = open_oracle(built, say_waiting, seconds=seconds)
            columns: Sequence[str] = match_games.REVIEW
            rows = match_games.review_matches(oracle, pairs, games, seed, advance)
        else:
            columns = match_games.COLUMNS
            rows = match_games.play_matches(
                data_set.game, pairs, games, seed, fast=fast, progress=advance
            )
    with destination(output) as out:
        write(columns, rows, format_, out)


@app.command()
def play(
    ai: Annotated[
        str,
        typer.Argument(
            metavar="[AI]",
            help=f"The AI to play against. {ADDRESS_HELP}",
            autocompletion=ais_here,
        ),
    ] = "ai14s",
    side: Annotated[
        str, typer.Option(metavar="circle|cross", help="Your side; circle begins.")
    ] = "circle",
    game: GameOption = DEFAULT_GAME,
    seed: Annotated[
        int | None, typer.Option(metavar="SEED", help="Seed of the AI's choices (default: random).")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="BOARD", help="Begin there: a board or moves."),
    ] = None,
    time: TimeOption = MOVE_SECONDS,
    first: FirstOption = DEFAULT_FIRST,
    numbering: NumberingOption = None,
    data: DataOption = None,
) -> None:
    """Play against an AI in the terminal, with undo, hints, and a review at the end.

    A move is the number or the name of a cell (a3), with gravity the letter of a column. In a game
    without tables and without a solution, hints, the review and perfect search each position for
    --time SECONDS at most.

    Example: marubatsu play ai7 --side cross
    Example: marubatsu play perfect --game connect4 --time 10
    Example: marubatsu play ai2 --game connect4 --from "d1 d2 d3"
    Example: marubatsu play ai2 --game connect4 --numbering columns-from-1 --from "4 4 4"
    """
    from random import Random

    from marubatsu.cli.terminal_game import TerminalGame
    from marubatsu.judge.agents.address import ais_at
    from marubatsu.judge.agents.players import Players
    from marubatsu.judge.oracle.opening import oracle_or_error
    from marubatsu.pipeline.stages.on_demand import data_set_of

    if side not in ("circle", "cross"):
        raise UsageError(f"there is no side {side!r}: expected circle or cross")
    if seed is not None and seed < 0:
        raise UsageError(f"--seed {seed}: expected 0 or more")
    data_set, seconds = data_set_of(game, data), checked_time(time)
    numbered = given_numbering(data_set.game, numbering)
    begins = given_position(data_set.game, start, first, numbering)
    with Players(data_set, chosen_limits(first), seconds) as players:
        (found,) = ais_at([ai], data_set, chosen_interface())
        opponent = players.player(found)
        oracle = oracle_or_error(data_set, seconds)
        random = Random(seed)  # noqa: S311, it is a game
        session = TerminalGame(data_set.game, opponent, side, random, oracle, begins, numbered)
        session.play(sys.stdin, sys.stdout)


@app.command()
def ais(
    remove: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Remove an AI that an audit has saved."),
    ] = None,
    game: GameOption = DEFAULT_GAME,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """List our AIs with their rules and parameters, and those that audits have saved.

    Example: marubatsu ais
    Example: marubatsu ais --remove mine
    """
    from marubatsu.engine.search.roster import all_ais
    from marubatsu.judge.agents.saved_ais import saved_choices
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.tables.output import destination, write

    data_set = data_set_of(game, data)
    if remove is not None:
        from marubatsu.judge.agents.saved_ais import remove as remove_saved

        remove_saved(data_set, remove)
    as_object = format_ in (Format.JSON, Format.NDJSON)
    rows: list[list[object]] = [
        [ai.name, ai.family, ai.rule,
         dict(ai.parameters) if as_object
         else ", ".join(f"{k}={_shown(v)}" for k, v in ai.parameters)]
        for ai in all_ais()
    ]  # fmt: skip
    none = {} if as_object else ""
    rows += [[name, "foreign", ai.rule, none] for name, ai in saved_choices(data_set).items()]
    with destination(output) as out:
        write(("ai", "family", "rule", "parameters"), rows, format_, out)


def _shown(value: object) -> str:
    """Write a parameter's value as a user gives it."""
    return "none" if value is None else str(value).lower()
