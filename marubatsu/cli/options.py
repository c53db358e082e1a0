"""What commands share: their options, their output, how they fail, and how they word a cure."""

import inspect
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from itertools import starmap
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import typer

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.engine.rules.game import Game
    from marubatsu.judge.audit.audit_report import Audit
    from marubatsu.judge.items.grade import Grade
    from marubatsu.judge.review.review import Review
    from marubatsu.pipeline.checking.checks import Outcome
    from marubatsu.pipeline.support.cures import Cure
    from marubatsu.pipeline.tables.output import Rows


def option(placeholder: str, meaning: str, *names: str, **settings: Any) -> Any:
    """Return an option with a value; without names it has that of its parameter."""
    return typer.Option(*names, metavar=placeholder, help=meaning, **settings)


def flag(name: str, meaning: str) -> Any:
    """Return an option without a value."""
    return typer.Option(name, help=meaning)


def argument(placeholder: str, meaning: str, **settings: Any) -> Any:
    """Return an argument."""
    return typer.Argument(metavar=placeholder, help=meaning, **settings)


def complete_game(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a game: those with a folder of data, and the aliases."""
    root = root_in(ctx)
    folders = [path.name for path in root.iterdir() if path.is_dir()] if root.exists() else []
    names = dict.fromkeys(["tictactoe", "connect4", *sorted(folders)])
    return [name for name in names if name.startswith(incomplete)]


def root_in(ctx: typer.Context) -> Path:
    """Return the folder of the data sets, as far as the options are typed already."""
    from marubatsu.pipeline.tables.data_set import checked_root

    return checked_root(Path(ctx.params["data"]) if ctx.params.get("data") else None)


def outside_data(path: Path | None) -> Path | None:
    """Return a path to write to; ``-`` is standard output.

    Raises UsageError when it lies among the files of a game, or is a link back to itself.
    """
    if path is not None and str(path) != "-":
        from marubatsu.pipeline.support.resources import near
        from marubatsu.pipeline.tables.data_set import data_around

        if Path(os.path.realpath(path)).is_symlink():
            raise UsageError(f"{quote(str(path))} leads back to itself: expected another place")
        folder = data_around(path)
        if folder is not None:
            raise UsageError(
                f"{quote(str(path))} lies in the data of {near(folder)}: expected a place elsewhere"
            )
    return path


def _path(name: str) -> Path:
    """Return a path. Raises UsageError for no name, as of a variable of a shell without value."""
    if not name:
        raise UsageError("'' is no path: expected the name of a file or a folder")
    return Path(name)


def goal(placeholder: str, meaning: str, *names: str) -> Any:
    """Return an option with a path to write to: see `outside_data`."""
    return option(placeholder, meaning, *names, parser=_path, callback=outside_data)


DEFAULT_GAME = "tictactoe"
GAME_HELP = "COLUMNSxROWSkRUN with rules, such as 3x3k3 or 7x6k4-gravity; or tictactoe, connect4."

GameArgument = Annotated[str, argument("[GAME]", GAME_HELP, autocompletion=complete_game)]
RequiredGame = Annotated[str, argument("GAME", GAME_HELP, autocompletion=complete_game)]
GamesArgument = Annotated[
    list[str] | None,
    argument("[GAME]...", f"{GAME_HELP} Default: all.", autocompletion=complete_game),
]
GameOption = Annotated[str, option("GAME", GAME_HELP, "--game", "-g", autocompletion=complete_game)]


DataOption = Annotated[
    Path | None,
    option(
        "DIR",
        "Folder of the data sets (default: MARUBATSU_DATA, else data/ of the checkout, else the "
        "user's data folder).",
        parser=_path,
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to write the rows.")]
FolderOption = Annotated[
    Path, goal("DIR", "Folder to write; an older one of this kind is replaced.", "--out")
]
OutputOption = Annotated[
    Path | None,
    goal(
        "FILE",
        "Write to a file instead; the ending of its name chooses the format, and a further .zst "
        "compresses it.",
        "--output",
        "-o",
    ),
]


def print_rows(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    form: Format,
    output: Path | None = None,
    after: str = "",
) -> None:
    """Write rows to standard output or a file, and a text after a table."""
    from marubatsu.pipeline.tables.output import destination, write

    with destination(output) as out:
        write(columns, rows, form, out)
        out.write(after * (form is Format.TABLE))


ENDINGS = {
    ".txt": "table", ".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson", ".csv": "csv",
    ".md": "markdown", ".html": "html", ".parquet": "parquet", ".arrow": "arrow",
}  # fmt: skip
"""The format that the end of a file's name chooses."""

JSON_LINES = (".jsonl", ".ndjson")  # the endings of a file of JSON lines


def ending_of(output: Path) -> str:
    """Return the end of a file's name, in small letters, without the .zst that compresses it.

    >>> ending_of(Path("rows.CSV.zst")), ending_of(Path("rows"))
    ('.csv', '')
    """
    named = output.with_suffix("") if output.suffix == ".zst" else output
    return named.suffix.lower()


def wrong_ending(output: Path, endings: Iterable[str], instead: str = "") -> OptionError:
    """Return the error for an ending that chooses no format; ``instead`` is what else to do."""
    expected = f"expected the ending {', '.join(endings)} or none{instead}"
    return OptionError("output", str(output), f"{expected}; .zst after it compresses")


def chosen_format(
    output: Path, given: str, choices: Sequence[str], *, is_default: bool, command: str
) -> str:
    """Return the format that the ending of a file chooses for a command, else the given one.

    Raises UsageError where both differ, and for an ending that chooses none of the ``choices``.
    """
    ending = ending_of(output)
    form = ENDINGS.get(ending)
    if form is None:
        if ending and is_default:
            endings = [each for each, form in ENDINGS.items() if form in choices]
            raise wrong_ending(output, endings, ", or the option format")
        return given
    if form not in choices:
        raise UsageError(
            f"--output {quote(str(output))}: {command} does not write {form}; expected "
            f"one of {', '.join(choices)}"
        )
    if form != given and not is_default:
        raise UsageError(
            f"--output {quote(str(output))} ends as {form}, --format says {given}: leave one of "
            "them out"
        )
    return form


def refuse_binary(form: str, output: Path) -> None:
    """Raise UsageError for a binary format where it would be of no use."""
    if form not in ("raw", "compact", *(each for each in Format if each.is_binary)):
        return
    if form != "raw" and output.suffix == ".zst":
        raise UsageError(
            f"--output {quote(str(output))}: {form} compresses by itself; leave .zst out"
        )
    if str(output) == "-" and sys.stdout.isatty():
        raise UsageError(f"{form} is for programs: expected --output FILE, or a pipe")


ReportFormat: TypeAlias = Literal[
    "table", "json", "html", "ndjson", "csv", "markdown", "parquet", "arrow"
]
"""A format of audits, reviews and grades: all of it, or the main table as rows."""

WHOLE = {"table", "json", "html"}  # the formats of a whole report; the others hold its main table


def report_format(rows: str) -> Any:
    """Return the option ``--format``; ``rows`` says what the main table holds."""
    return typer.Option(
        "--format", "-f", help=f"How to write it: table, json and html show all, the others {rows}."
    )


def write_report(
    report: "Audit | Grade | Review", rows: "Rows", form: ReportFormat, output: Path | None
) -> None:
    """Write a whole report as a text, a page or JSON; its main table in the other formats."""
    from marubatsu.pipeline.support.json_text import json_text
    from marubatsu.pipeline.tables.output import destination

    whole = {
        "table": lambda: as_typed(f"{report}\n"),
        "json": lambda: json_text(report.to_json(), indent=1) + "\n",
        "html": report._repr_html_,
    }
    if form not in WHOLE:
        print_rows(rows.columns, rows.rows, Format(form), output)
        return
    with destination(output) as out:
        out.write(whole[form]())


def option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with an option for each key of its parameters that are TypedDicts.

    Help, placeholder and type of an option come from the annotation of its key. The command gets
    a dict with the options that the user sets.
    """
    own = inspect.signature(command).parameters
    groups = {
        parameter.name: get_type_hints(parameter.annotation, include_extras=True)
        for parameter in own.values()
        if is_typeddict(parameter.annotation)
    }
    parameters: list[inspect.Parameter] = []
    for name, parameter in own.items():
        parameters += starmap(_option, groups[name].items()) if name in groups else [parameter]

    @wraps(command)
    def run(**values: Any) -> None:
        grouped = {
            group: {name: value for name in keys if _is_set(value := values.pop(name))}
            for group, keys in groups.items()
        }
        command(**values, **grouped)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _is_set(value: object) -> bool:
    """Whether a user set an option; 0 is a value."""
    return value is not None and value is not False and value != []


def _option(name: str, annotation: Any) -> inspect.Parameter:
    meaning, placeholder = (*annotation.__metadata__, "N")[:2]
    types = {get_origin(each) or each for each in get_args(annotation.__origin__)}
    types |= {annotation.__origin__}
    kind: Any = next((kind for kind in (bool, str, int, float) if kind in types), str)
    option = typer.Option(f"--{name.replace('_', '-')}", help=meaning)
    if kind is not bool:
        option.metavar = placeholder
        kind = (list[kind] if Iterable in types else kind) | None
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=False if kind is bool else None,
        annotation=Annotated[kind, option],
    )


def exit_at_failures(outcomes: "Sequence[Outcome]", *, shows: bool = True) -> None:
    """End with exit code 1 when a check failed; show its first counterexamples."""
    from marubatsu.pipeline.checking import checks
    from marubatsu.pipeline.support import events
    from marubatsu.pipeline.tables.output import Rows, write

    failed = [outcome for outcome in outcomes if outcome.verdict == "fail"]
    for outcome in failed if shows else []:
        rows = outcome.counterexamples
        first = Rows(rows.columns, rows.rows[: checks.SHOWN])
        complaint = checks.complaint(outcome)
        if events.writes_json():
            events.note("error", complaint, exit_code=1, rows=first.records())
            continue
        print(f"\n{complaint}", file=sys.stderr)
        if rows.rows:
            write(first.columns, first.rows, Format.TABLE, sys.stderr)
    if failed:
        raise typer.Exit(1)


_WORDS_FOR_COMMANDS = {
    "make": "run `marubatsu build {game}`",
    "make solution": "run `marubatsu solve {game}`",
    "make answers": "run `marubatsu book {game}`",
    "make proofs": "run `marubatsu prove {game}`",
    "make techniques": "run `marubatsu compare {game}`",
    "match saved": "run `marubatsu build {game}`",
    "remake": "run `marubatsu build {game}` to make it again",
    "remake solution": "run `marubatsu solve {game}` to make it again",
    "remake saved": "run `marubatsu build {game}` for matches, `marubatsu ais --remove NAME` for "
    "an AI",
    "remake answers": "run `marubatsu book {game} --remove`, and search again",
    "remake proofs": "run `marubatsu prove {game} --remove`, and prove it again",
    "remake techniques": "run `marubatsu compare {game} --remove`, and compare again",
    "renew techniques": "run `marubatsu compare {game}` to count again",
    "remake compact": "remove the file, and run `marubatsu solve {game}`",
    "expand solution": "run `marubatsu solve {game} --expand` to write the complete one",
    "resume solution": "run `marubatsu solve {game}` to go on",
    "replace saved": "put the right file back, or run `marubatsu ais --remove {ai} --game {game}`",
    "remove saved": "run `marubatsu ais --remove {ai} --game {game}`",
    "check": "run `marubatsu check {game}`",
    "verify": "`marubatsu verify` compares it again",
    "publish": "get the named files again, or publish the folder again with `marubatsu publish`",
    "not wait": "try again when it has ended, or leave out --no-wait",
    "data": "change --data or MARUBATSU_DATA",
    "known games": "`marubatsu games` lists those that are",
    "other folder": "name another folder by --data",
    "more memory": "raise --memory",
    "more time": "raise --timeout",
    "read boards": "`marubatsu show -` reads boards, one a line, without other columns",
    "search": "without data, `best`, `show`, `play`, `match`, `audit` and `explore` search",
}

_TYPED = {"interface": "as", "matches": "no-matches"}  # Python keeps the word as for itself.
_NAMED = re.compile(r"\bthe option (\w+)(?:='([\w-]+)')?")


def as_command(cure: "Cure") -> str:
    """Word a cure for users of the command line."""
    game = cure.game and game_words(cure.game, cure.root)
    return cure.words(_WORDS_FOR_COMMANDS).format(game=game, ai=cure.ai)


def game_words(game: "Game", root: Path) -> str:
    """Return a game as commands take it, with the folder of its data unless that is the default."""
    from marubatsu.pipeline.support.resources import data_root

    with suppress(UsageError):  # MARUBATSU_DATA cannot be a folder.
        if os.path.realpath(root) == os.path.realpath(data_root(None, os.environ)):
            return game.name
    return f"{game.name} --data {shlex.quote(str(root))}"


def typed(option: str) -> str:
    """Return an option as commands take it, by the name of the parameter of public functions.

    >>> typed("allow_read"), typed("interface")
    ('--allow-read', '--as')
    """
    return "--" + _TYPED.get(option, option).replace("_", "-")


def as_typed(sentence: str) -> str:
    """Return a sentence in which options have the names that users type.

    >>> as_typed("raise the option max_depth")
    'raise --max-depth'
    >>> as_typed("ask it by the option interface='connectx'")
    'ask it by --as connectx'
    """
    return _NAMED.sub(
        lambda option: " ".join(filter(None, (typed(option[1]), option[2]))), sentence
    )
