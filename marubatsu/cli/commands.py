"""The application: help lists its commands without importing them; a command is imported alone."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup, TyperOption

from marubatsu.cli.game_places import game_option, is_name_of_game, with_game_in_its_place
from marubatsu.cli.options import flag
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support import events
from marubatsu.pipeline.support.errors import UsageError, harmless
from marubatsu.pipeline.support.interrupts import Interrupted
from marubatsu.pipeline.tables.formats import ENDINGS, ending_of, wrong_ending
from marubatsu.version import __version__


class HelpGroup(NamedTuple):
    """The commands of a module: their title in help, and the first line of each.

    Modules with one title are one group of the help.
    """

    title: str
    commands: Mapping[str, str]


GROUPS = {
    "making": HelpGroup("Make data", {
        "tree": "Build the full game tree, with its positions, classes and moves.",
        "build": "Build every table of a game that is missing or stale.",
        "games": "List known, built and solved games with their sizes and tables.",
    }),
    "asking": HelpGroup("Ask", {
        "show": "Draw a position and show its value, its class and the value of each move.",
        "best": "Print the best moves of a position, and the result that they lead to.",
    }),
    "querying": HelpGroup("Ask", {
        "query": "Answer one of the shipped questions, or list them.",
        "sql": "Run SQL of your own over the tables, without access to files or network.",
        "views": "Print SQL that makes the views of a game in a DuckDB of your own.",
    }),
    "serving": HelpGroup("Ask", {
        "explore": "Show games as a page, from a server on this machine; Ctrl-C ends it.",
        "mcp": "Serve values, reviews and SQL to a language model, over MCP, until standard input "
        "ends.",
    }),
    "judging": HelpGroup("Judge", {
        "audit": "Judge an AI in every position: whether it solves the game, and where it fails.",
        "match": "Let AIs play: N games with the first as circle, and N with the first as cross.",
        "play": "Play against an AI in the terminal, with undo, hints, and a review at the end.",
        "ais": "List our AIs with their rules and parameters, and those that audits have saved.",
        "gtp": "Play and answer as a GTP engine, on standard input and output, until quit or their "
        "end.",
    }),
    "reviewing": HelpGroup("Judge", {
        "review": "Judge the players of recorded games: by their moves, and by their results.",
        "items": "Write positions as questions for language models, with answers, as JSON lines.",
        "grade": "Grade what a language model replied to items: its moves, and how twins differ.",
    }),
    "searching": HelpGroup("Search", {
        "search": "Search a position, and compare the nodes with those of our orderings.",
        "compare": "Count the nodes of every search technique on a game, and keep them.",
        "book": "Search the first positions of a game, and keep their answers for later.",
    }),
    "solving": HelpGroup("Solve", {
        "solve": "Solve a game strongly, class by class, out of core: up to 25 cells, more with "
        "gravity.",
        "prove": "Find the smallest sets of classes that prove a game's value, and keep them.",
        "export": "Write the values of a solved game as one file: for other programs, or in little "
        "space.",
    }),
    "publishing": HelpGroup("Publish", {
        "publish": "Write built and solved games as a folder for a data hub, with all that "
        "describes them.",
        "site": "Write the page and its data as a static site, for any file host.",
    }),
    "checking": HelpGroup("Check", {
        "verify": "Name every damaged, missing, stale, foreign or different file; exit 1 when "
        "there is one.",
        "check": "Verify the files, then derive the tables again in SQL; exit 1 with "
        "counterexamples.",
        "anchors": "Compare every number known from elsewhere with ours; exit 1 when one differs.",
        "conform": "Check a board class of your own against every law; exit 1 when it breaks one.",
        "conform-env": "Compare an environment of another package with our rules; exit 1 when "
        "they differ.",
        "bench": "Measure speed and assert the answers.",
    }),
}  # fmt: skip
"""The commands by their modules. A test compares the lines with the docstrings."""

MODULES = {name: module for module, group in GROUPS.items() for name in group.commands}
"""The module of each command."""

NEVER_WAIT = {"ais", "bench", "conform", "conform-env", "games", "grade"}
"""The commands that lock no data set."""


VERBOSE_HELP = "Print every step, with the time since the start."
LOG_JSON_HELP = "The same as JSON objects, one a line."


class Command(TyperCommand):
    """A command whose ``--output`` chooses the format by its ending.

    It takes --verbose and --log-json, which users may also write before the command.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        """Add --verbose, --log-json and --game to the options of the command."""
        super().__init__(*arguments, **settings)
        if (option := game_option(self)) is not None:
            self.params.append(option)
        self.params += [
            _flag("--verbose", "-v", callback=_print_steps, help=VERBOSE_HELP),
            _flag("--log-json", callback=_print_steps, help=LOG_JSON_HELP),
        ]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; the game may be the first of them, or an option."""
        words = list(args)  # Parsing takes them out of the list.
        try:
            return super().parse_args(ctx, with_game_in_its_place(self, ctx, args))
        except Exception as error:  # The class for wrong usage has moved between versions of Typer.
            self._lead_on(error, words)
            raise

    def _lead_on(self, error: Any, words: list[str]) -> None:
        """Say in an error about one argument too many where it belongs."""
        message = getattr(error, "message", "")
        if "unexpected extra argument" in message and (hint := self._place(words)):
            error.message = f"{message}; {hint}"

    def _place(self, words: list[str]) -> str:
        if self.name == "sql":
            return 'put quotes around the statement, as in sql "select 1"'
        takes_game = any(param.name in {"game", "game_option"} for param in self.params)
        is_open = takes_game and not {"--game", "-g"} & set(words)
        if games := [word for word in words[1:] if is_open and is_name_of_game(word)]:
            return f"name the game first, or as --game {games[-1]}"
        return "name the second AI as --baseline AI" if self.name == "audit" else ""

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write the help with each example on a line of its own."""
        text, separator, examples = (self.help or "").partition("\n\nExample:")
        self.help = text + separator.replace("Example:", "\b\nExample:") + examples
        super().format_help_text(ctx, formatter)
        self.help = text + separator + examples

    def invoke(self, ctx: Any) -> Any:
        """Choose the format, then run the command.

        Raises UsageError for two formats, for an ending that chooses none, and for a binary one on
        a terminal or compressed again.
        """
        if "format_" in ctx.params:
            output = Path(ctx.params.get("output") or "-")
            _choose_format(self, ctx, output)
            refuse_binary(ctx.params["format_"], output)
        try:
            return super().invoke(ctx)
        except Interrupted as interrupted:
            raise typer.Exit(128 + interrupted.number) from None


_WRONG_USAGE: Any = typer.BadParameter.__base__
"""What Typer raises for wrong arguments, and does not export."""


@contextmanager
def _printable_errors() -> Iterator[None]:
    """Escape what would control a terminal in Typer's sentences, which quote the arguments."""
    try:
        yield
    except _WRONG_USAGE as error:
        error.message = harmless(error.message)
        raise


class CommandGroup(TyperGroup):
    """All commands; each is imported when a user runs it."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = dict.fromkeys(MODULES)  # type: ignore[assignment]

    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        """Read the options before the command."""
        with _printable_errors():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Read the arguments of a command, and run it."""
        with _printable_errors():
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        """List the names, group by group."""
        return list(MODULES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, imported now if it was not; None when there is no such command."""
        if cmd_name in MODULES and self.commands[cmd_name] is None:
            self.commands[cmd_name] = _load(cmd_name)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands with their first lines."""
        for title, groups in groupby(GROUPS.values(), key=lambda group: group.title):
            with formatter.section(title):
                formatter.write_dl([line for group in groups for line in group.commands.items()])


app = typer.Typer(
    name="marubatsu",
    cls=CommandGroup,
    help="Solve a small game completely, publish it as data, judge any AI against it.",
    no_args_is_help=True,
    rich_markup_mode=None,  # Plain help starts twice as fast.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def marubatsu(
    ctx: typer.Context,
    *,
    version: Annotated[bool, flag("--version", "Print the version.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help=VERBOSE_HELP)] = False,
    log_json: Annotated[bool, flag("--log-json", LOG_JSON_HELP)] = False,
) -> None:
    """Solve a small game completely, publish it as data, judge any AI against it."""
    events.choose_by(verbose=verbose, log_json=log_json)
    if version:
        print(f"marubatsu {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        raise UsageError("expected a command after the options: `marubatsu --help` lists them")


def _load(name: str) -> Any:
    """Import the module of a command, and return what Typer makes of it."""
    import_module(f"marubatsu.cli.{MODULES[name]}")
    settings: dict[str, Any] = {"pretty_exceptions_short": True, "rich_markup_mode": None}
    for command in app.registered_commands:
        assert command.callback
        if (command.name or command.callback.__name__) == name:
            command.cls = Command
            made = typer.main.get_command_from_info(command, **settings)
            if name not in NEVER_WAIT:
                made.params.append(_no_wait())
            return made
    (group,) = (group for group in app.registered_groups if group.name == name)
    return typer.main.get_group_from_info(group, suggest_commands=True, **settings)


def _no_wait() -> TyperOption:
    """Return the option of all commands that may wait for another process."""

    def choose(ctx: Any, param: Any, value: bool) -> None:  # noqa: FBT001, as Typer calls it
        from marubatsu.pipeline.support.progress import refuse_waiting

        refuse_waiting(refused=value)

    message = "Fail at once if another process holds the data set."
    return _flag("--no-wait", callback=choose, help=message)


def _print_steps(ctx: Any, param: Any, value: bool) -> None:  # noqa: FBT001, as Typer calls it
    """Do what the option of the same name does before the command."""
    if value:
        options = ctx.find_root().params
        options[param.name] = True
        events.choose_by(verbose=True, log_json=options.get("log_json", False))


def _flag(*names: str, **settings: Any) -> TyperOption:
    """Return an option that acts by itself, so that no command sees its value."""
    return TyperOption(
        param_decls=list(names), is_flag=True, default=False, expose_value=False, **settings
    )


def _choose_format(command: TyperCommand, ctx: Any, output: Path) -> None:
    """Set the format of a command whose arguments are parsed."""
    ending = ending_of(output)
    form = ENDINGS.get(ending)
    is_default = ctx.get_parameter_source("format_").name == "DEFAULT"
    (option,) = (each for each in command.params if each.name == "format_")
    choices = list(option.type.choices)  # type: ignore[attr-defined]
    if form is None:
        if ending and is_default:
            endings = [each for each, form in ENDINGS.items() if form in choices]
            raise wrong_ending(output, endings, ", or the option format")
        return
    if form not in choices:
        raise UsageError(
            f"--output {quote(str(output))}: {ctx.info_name} does not write {form}; expected "
            f"one of {', '.join(choices)}"
        )
    if is_default:
        ctx.params["format_"] = form
    elif ctx.params["format_"] != form:
        raise UsageError(
            f"--output {quote(str(output))} ends as {form}, --format says "
            f"{ctx.params['format_']}: leave one of them out"
        )


def refuse_binary(form: str, output: Path) -> None:
    """Raise UsageError for a binary format where it would be of no use."""
    if form not in ("parquet", "arrow", "raw", "compact"):
        return
    if form != "raw" and output.suffix == ".zst":
        raise UsageError(
            f"--output {quote(str(output))}: {form} compresses by itself; leave .zst out"
        )
    if str(output) == "-" and sys.stdout.isatty():
        raise UsageError(f"{form} is for programs: expected --output FILE, or a pipe")
