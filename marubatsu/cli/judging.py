"""Commands that judge AIs, and play against them."""

import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated, Literal

import typer

from marubatsu.cli.commands import app
from marubatsu.cli.options import (
    DEFAULT_GAME,
    DataOption,
    FormatOption,
    GameArgument,
    GameOption,
    OutputOption,
    argument,
    flag,
    goal,
    option,
    report_format,
)
from marubatsu.cli.output import WHOLE, ReportFormat, print_rows, write_report
from marubatsu.cli.search_options import (
    ADDRESS_HELP,
    DEFAULT_FIRST,
    AnySeedOption,
    InterfaceOption,
    NumberingOption,
    SeedOption,
    TimeOption,
    ai_option,
    complete_ai,
    given_besides,
    noting_a_stop,
    position_of,
    require_between,
)
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.agents.agent_options import (
    AgentOptions,
    AuditOptions,
    PositionOptions,
    QuestionOptions,
)
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.errors import MarubatsuError, UsageError
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.machine import MOVE_SECONDS, checked_time
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import Rows, destination, write

_MOST_REVIEWED = 10_000


@app.command()
def audit(
    ctx: typer.Context,
    *,
    address: Annotated[
        str | None,
        argument(
            "[AI]",
            f"{ADDRESS_HELP} Without an AI, print the verdicts on the built-in ones.",
            autocompletion=complete_ai,
        ),
    ] = None,
    game: GameOption = DEFAULT_GAME,
    request: PositionOptions,
    require: Annotated[
        list[str] | None,
        option(
            "VERDICT",
            "Exit with 1 unless the audit proves this: strong, weak, no-findings or share=0.98 "
            "(of the critical positions). May be repeated.",
        ),
    ] = None,
    fail_under: Annotated[
        float | None,
        option(
            "SHARE",
            "Exit with 1 unless the AI is right in this share of the critical positions, such as "
            "0.95 (in a sample, with 95 % confidence).",
        ),
    ] = None,
    max_exploitability: Annotated[
        float | None,
        option(
            "POINTS",
            "Exit with 1 if a best opponent gets more than this from the AI, such as 0.1: the "
            "mean over both sides; a win is 1, a draw 0, a loss -1.",
        ),
    ] = None,
    save: Annotated[
        str | None,
        option(
            "NAME",
            "Keep the answers of a foreign AI as rows of the tables ais, ai_moves and matches "
            "under this name; `ais --remove NAME` removes them.",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        ai_option(
            "Ask another AI about the same positions, and say in which classes only one is right."
        ),
    ] = None,
    badge: Annotated[
        Path | None,
        goal("FILE.svg", "Also write a badge: green for strong, yellow for weak, else red."),
    ] = None,
    no_matches: Annotated[
        bool,
        flag(
            "--no-matches",
            "Play no games; without tables, do not follow the AI from the empty board either.",
        ),
    ] = False,
    data: DataOption = None,
    format_: Annotated[ReportFormat, report_format("one row")] = "table",
    output: OutputOption = None,
    interface: InterfaceOption = None,
    agents: AgentOptions,
    questions: QuestionOptions,
) -> None:
    """Judge an AI in every position: whether it solves the game, and where it fails.

    Build a small game first. In a larger game without tables and without a solution, a search
    judges the AI in random positions.

    A function takes a board such as o.x...... and the list of legal moves, and returns a move,
    several moves, or moves with chances; --answers names other forms. An evaluation takes a board,
    and returns a number: high if the player who just moved does well. Its moves lead to the boards
    with the highest number. A table of answers is only read: each row has a board, and a reply or
    the chances of moves.

    Example: marubatsu audit examples/corners.py:choose
    Example: marubatsu audit answers:step_200.jsonl --baseline answers:step_100.jsonl
    Example: marubatsu audit evaluation:examples/open_lines.py:value
    Example: marubatsu audit examples/middle.py:choose --game 4x4k4 --sample 2000
    Example: marubatsu audit examples/middle.py:choose --game connect4 --sample 200
    Example: marubatsu audit examples/minimax.py:choose --require strong --require no-findings
    Example: marubatsu audit examples/connectx_agent.py:agent --as connectx --game 4x4k3-gravity
    Example: marubatsu audit examples/corners.py:choose --fail-under 0.95 --max-exploitability 0.1
    """
    from marubatsu.judge.agents.address import ais_at
    from marubatsu.judge.agents.players import note_box
    from marubatsu.judge.audit.requirements import parse_requirements
    from marubatsu.judge.audit.run_audit import run

    if address is None:
        if given := given_besides(ctx, "game", "data", "format_", "output"):
            raise UsageError(f"{given[0]} is about one AI: name it")
        _print_verdicts(game, data, format_, output)
        return
    if badge is not None and badge.suffix != ".svg":
        raise UsageError(f"--badge {quote(str(badge))}: expected a name that ends in .svg")
    requirements = parse_requirements(require or [], fail_under, max_exploitability)
    data_set = data_set_of(game, data)
    ais = ais_at([address, baseline] if baseline else [address], data_set, interface)
    options: AuditOptions = {**request, **agents, **questions, "matches": not no_matches}
    kept = questions.get("resume")
    stopped = f"stopped; the answers are kept in {kept}: the same command goes on"
    with nullcontext() if kept is None else noting_a_stop(stopped):
        result = run(data_set, ais, options, save=save)
    if result.interview.not_confined and format_ not in WHOLE:
        note_box(result.interview.not_confined)
    write_report(result, result.verdict_row(), format_, output)
    if badge is not None:
        with destination(badge) as out:
            out.write(result.badge())
    if unmet := [sentence for each in requirements if (sentence := each(result))]:
        raise MarubatsuError(f"{result.interview.shown_name} fails {'; '.join(unmet)}")
    if not result.interview.is_judged:
        name = result.interview.shown_name
        raise MarubatsuError(f"{name} is not judged: it gave no valid answer")


def _print_verdicts(game: str, data: DataOption, form: ReportFormat, output: OutputOption) -> None:
    from marubatsu.pipeline.sql import query_files
    from marubatsu.pipeline.sql.catalog import open_catalog

    if form not in ("table", "json", "markdown"):
        raise UsageError(
            f"--format {form} shows one AI: name it, or ask `marubatsu query strong` and "
            "`marubatsu query weak` about all built-in AIs"
        )
    names = ("strong", "weak")
    reports = [query_files.report(name) for name in names]
    with progress("audit"), open_catalog(data_set_of(game, data)) as catalog:
        answers = [catalog.ask(report) for report in reports]
    with destination(output) as out:
        if form == "json":
            tables = (Rows(each.columns, list(each.rows)).records() for each in answers)
            out.write(json_text(dict(zip(names, tables, strict=True))) + "\n")
            return
        for number, (report, answer) in enumerate(zip(reports, answers, strict=True)):
            out.write("\n" * (number > 0) + report.question + "\n\n")
            write(answer.columns, answer.rows, Format(form), out)


@app.command()
def match(
    *,
    ais: Annotated[
        list[str],
        argument(
            "AI AI ...",
            f"Two AIs, or several pairs of them. {ADDRESS_HELP}",
            autocompletion=complete_ai,
        ),
    ],
    games: Annotated[
        int | None,
        option("N", "Games of each pair on each side (default: 10,000; with --review 1)."),
    ] = None,
    seed: SeedOption = 0,
    fast: Annotated[
        bool, flag("--fast", "Play millions of games, with NumPy's random numbers.")
    ] = False,
    forfeit: Annotated[
        bool,
        flag("--forfeit", "A failure, such as an illegal move, loses one game; the match goes on."),
    ] = False,
    review: Annotated[
        bool, flag("--review", "Show the games move by move, and what each move loses.")
    ] = False,
    game: GameOption = DEFAULT_GAME,
    time: TimeOption = MOVE_SECONDS,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
    interface: InterfaceOption = None,
    agents: AgentOptions,
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
    from marubatsu.judge.agents.agent_settings import settings_for
    from marubatsu.judge.agents.players import Players

    if len(ais) % 2:
        raise UsageError(f"expected pairs of AIs, got {len(ais)} of them: {', '.join(ais)}")
    games = match_games.checked_games((1 if review else 10_000) if games is None else games)
    if review:
        require_between("--games", games, 1, _MOST_REVIEWED, " with --review")
    if review and fast:
        raise UsageError("--review shows games move by move, --fast plays too many: leave one out")
    if forfeit and (review or fast):
        other = "--review shows whole games" if review else "--fast asks about every position"
        raise UsageError(f"--forfeit ends games early, {other}: leave one out")
    require_between("--seed", seed, 0)
    data_set, seconds = data_set_of(game, data), checked_time(time)
    addressed = ais_at(ais, data_set, interface)
    settings = settings_for(addressed, agents)
    with Players(data_set, settings, seconds) as players, progress("playing") as advance:
        named = [(ai, players.player(each)) for ai, each in zip(ais, addressed, strict=True)]
        pairs = list(zip(named[::2], named[1::2], strict=True))
        if review:
            from marubatsu.judge.oracle.choose_oracle import oracle

            truth = oracle(data_set.game, time=seconds, data=data_set.root)
            columns: Sequence[str] = match_games.REVIEW
            rows = match_games.review_matches(truth, pairs, games, seed, advance)
        else:
            columns = match_games.COLUMNS
            rows = match_games.play_matches(
                data_set.game, pairs, games, seed, fast=fast, progress=advance, forfeits=forfeit
            )
    print_rows(columns, rows, format_, output)


@app.command()
def play(
    *,
    ai: Annotated[
        str, argument("[AI]", f"The AI to play against. {ADDRESS_HELP}", autocompletion=complete_ai)
    ] = "ai14s",
    side: Annotated[
        Literal["circle", "cross"], typer.Option(help="Your side; circle begins.")
    ] = "circle",
    game: GameOption = DEFAULT_GAME,
    seed: AnySeedOption = None,
    start: Annotated[
        str | None, option("BOARD", "Begin at this board, or after these moves.", "--from")
    ] = None,
    time: TimeOption = MOVE_SECONDS,
    numbering: NumberingOption = None,
    data: DataOption = None,
    interface: InterfaceOption = None,
    agents: AgentOptions,
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
    from marubatsu.cli.terminal_game import TerminalGame
    from marubatsu.engine.rules.numbering import numbering_of, require_fit
    from marubatsu.judge.agents.address import ais_at
    from marubatsu.judge.agents.agent_settings import settings_for
    from marubatsu.judge.agents.players import Players
    from marubatsu.judge.oracle.choose_oracle import oracle

    require_between("--seed", seed, 0)
    data_set, seconds = data_set_of(game, data), checked_time(time)
    names = None if numbering is None else numbering_of(numbering)
    if names is not None:
        require_fit(data_set.game, names)
    begins = position_of(data_set.game, start, agents.get("first", DEFAULT_FIRST), numbering)
    if not data_set.game.legal_moves(begins):
        raise UsageError(f"--from {quote(str(start))} is finished: expected a position with moves")
    (addressed,) = ais_at([ai], data_set, interface)
    settings = settings_for([addressed], agents, other_boards=True)
    with Players(data_set, settings, seconds) as players:
        opponent = players.player(addressed)
        random = Random(seed)  # noqa: S311, it is a game
        opener = partial(oracle, data_set.game, time=seconds, data=data_set.root)
        session = TerminalGame(data_set.game, opponent, side, random, opener, begins, names)
        session.play(sys.stdin, sys.stdout)


@app.command()
def ais(
    remove: Annotated[str | None, option("NAME", "Remove an AI that an audit has saved.")] = None,
    game: GameOption = DEFAULT_GAME,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """List the built-in AIs with their rules, and those that audits have saved.

    Example: marubatsu ais
    Example: marubatsu ais --remove mine
    """
    from marubatsu.judge.agents.saved_ais import COLUMNS, list_ais

    data_set = data_set_of(game, data)
    if remove is not None:
        from marubatsu.judge.agents.saved_ais import remove as remove_saved

        remove_saved(data_set, remove)
    rows = list_ais(data_set, as_objects=format_ in (Format.JSON, Format.NDJSON))
    print_rows(COLUMNS, rows, format_, output)


@app.command()
def gtp(
    *,
    game: GameArgument = DEFAULT_GAME,
    ai: Annotated[str, ai_option(f"The AI that plays. {ADDRESS_HELP}")] = "perfect",
    seed: AnySeedOption = None,
    moves: Annotated[
        Literal["vertices", "openspiel"],
        typer.Option(help="How moves are written: a1, or as OpenSpiel does, x(2,0) or x0."),
    ] = "vertices",
    time: TimeOption = MOVE_SECONDS,
    data: DataOption = None,
    agents: AgentOptions,
) -> None:
    """Play, and answer questions about positions, as a GTP engine.

    It reads standard input and writes standard output, until quit or the end of the input. Black
    moves first, and is circle. The command list_commands lists what the engine knows;
    marubatsu-answer returns the value of the position and of each move, as JSON.

    Example: marubatsu gtp tictactoe < session.gtp
    Example: marubatsu gtp connect4 --time 10
    Example: marubatsu gtp tictactoe --ai ai14s --seed 7 --moves openspiel
    """
    from marubatsu.judge.agents.address import ai_at
    from marubatsu.judge.agents.agent_settings import settings_for
    from marubatsu.judge.agents.players import Players
    from marubatsu.judge.bridges.gtp import GtpEngine
    from marubatsu.judge.bridges.our_players import AIPlayer
    from marubatsu.judge.oracle.choose_oracle import oracle

    require_between("--seed", seed, 0)
    data_set, seconds = data_set_of(game, data), checked_time(time)
    addressed = ai_at(ai, data_set)
    settings = settings_for([addressed], agents, other_boards=True)
    with Players(data_set, settings, seconds) as players, suppress(KeyboardInterrupt):
        random = Random(seed)  # noqa: S311, it is a game
        player = AIPlayer(data_set.game, players.player(addressed), random)
        opener = partial(oracle, data_set.game, time=seconds, data=data_set.root)
        engine = GtpEngine(player, opener, as_openspiel=moves == "openspiel")
        engine.serve(sys.stdin, sys.stdout)
