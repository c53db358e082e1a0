"""The application: help lists its commands without importing them; a command is imported alone.

`marubatsu.cli.output` turns errors into one sentence and an exit code.
"""

import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.main
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from marubatsu.cli.options import flag, option_groups
from marubatsu.pipeline.support import errors, events
from marubatsu.pipeline.support.errors import UsageError, harmless
from marubatsu.pipeline.support.events import Interrupted
from marubatsu.version import __version__

if TYPE_CHECKING:
    from marubatsu.pipeline.support.cures import Cure

GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "Make data": {"making": ("tree", "build", "games")},
    "Ask": {"asking": ("show", "best", "query", "sql", "views", "explore", "mcp")},
    "Judge": {
        "judging": ("audit", "match", "play", "ais", "gtp"),
        "reviewing": ("review", "items", "grade"),
    },
    "Search": {"searching": ("search", "compare", "book")},
    "Solve": {"solving": ("solve", "prove", "export")},
    "Publish": {"making": ("publish", "site")},
    "Check": {"checking": ("verify", "check", "anchors", "conform", "conform-env", "bench")},
}
"""The commands by the titles of their groups and by their modules, in the order of help."""

MODULES = {
    name: module
    for modules in GROUPS.values()
    for module, names in modules.items()
    for name in names
}

NEVER_WAIT = {"bench", "conform", "conform-env", "games", "grade"}  # They lock no data set.


VERBOSE_HELP = "Print every step, with the time since the start."
LOG_JSON_HELP = "The same as JSON objects, one a line."


_WRONG_USAGE: Any = typer.BadParameter.__base__  # of wrong arguments; Typer does not export it


class Command(TyperCommand):
    """A command whose ``--output`` chooses the format by its ending.

    It takes --verbose and --log-json, which users may also write before the command.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        if any(argument.name in _NAMES for argument in _arguments(self)):
            names = [_ADDED, "--game", "-g"]
            self.params.append(
                TyperOption(
                    param_decls=names, metavar="GAME", expose_value=False, help="The same as GAME."
                )
            )
        self.params += [
            _flag("--verbose", "-v", callback=_print_steps, help=VERBOSE_HELP),
            _flag("--log-json", callback=_print_steps, help=LOG_JSON_HELP),
        ]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; the game may be the first of them, or an option."""
        words = list(args)  # Parsing takes them out of the list.
        try:
            return super().parse_args(ctx, _with_game_in_its_place(self, ctx, args))
        except _WRONG_USAGE as error:
            if "unexpected extra argument" in error.message and (hint := self._place(words)):
                error.message += f"; {hint}"
            if self.name == "sql" and any(word.startswith("-- ") for word in words):
                error.message += "; write -- before a statement that begins with a comment"
            raise

    def _place(self, words: list[str]) -> str:
        """Say where an argument belongs that is one too many; "" where that is unknown."""
        if self.name == "sql":
            return 'put quotes around the statement, as in sql "select 1"'
        takes_game = any(param.name in {"game", _ADDED} for param in self.params)
        games = [word for word in words if takes_game and _is_name_of_game(word)]
        if len(games) == 1 and words[0] not in games and not {"--game", "-g"} & set(words):
            return f"name the game first, or as --game {games[0]}"
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
            self._choose_format(ctx)
        try:
            return super().invoke(ctx)
        except Interrupted as interrupted:
            raise typer.Exit(128 + interrupted.number) from None

    def _choose_format(self, ctx: Any) -> None:
        from marubatsu.cli.output import chosen_format, refuse_binary

        output = Path(ctx.params.get("output") or "-")
        (option,) = (each for each in self.params if each.name == "format_")
        choices = list(option.type.choices)  # type: ignore[attr-defined]
        is_default = ctx.get_parameter_source("format_").name == "DEFAULT"
        form = chosen_format(
            output, ctx.params["format_"], choices, is_default=is_default, command=ctx.info_name
        )
        ctx.params["format_"] = form
        refuse_binary(form, output)


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
        try:
            with _printable_errors():
                return super().invoke(ctx)
        except BrokenPipeError:  # The reader closed our output; Typer would call that a failure.
            events.drop_output()
            sys.exit(128 + signal.SIGPIPE)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, imported now if it was not; None when there is no such command."""
        if cmd_name in MODULES and self.commands[cmd_name] is None:
            self.commands[cmd_name] = _load(cmd_name)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands with their first lines."""
        lines = {module: _first_lines(module) for module in set(MODULES.values())}
        for title, modules in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([
                    (name, lines[module][name]) for module in modules for name in modules[module]
                ])  # fmt: skip


def _first_lines(module: str) -> dict[str, str]:
    """Return the first sentence of each command in a module, which is not imported for that."""
    source = Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
    lines = {}
    for command in source.split("\n@app.command")[1:]:
        name = command.partition("\ndef ")[2].partition("(")[0]
        text = command.partition('\n    """')[2].partition("\n\n")[0]
        lines[name.replace("_", "-")] = " ".join(text.split())
    return lines


class Application(typer.Typer):
    """An application whose commands may take a group of options as one parameter."""

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Register a function as a command."""
        register = super().command(name, cls=Command, **settings)
        return lambda function: register(option_groups(function))


app = Application(
    name="marubatsu",
    cls=CommandGroup,
    help="Solve a small game completely, publish it as data, and judge any AI against it.",
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
    """Solve a small game completely, publish it as data, and judge any AI against it."""
    events.choose_by(verbose=verbose, log_json=log_json)
    if version:
        print(f"marubatsu {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        raise UsageError("expected a command after the options: `marubatsu --help` lists them")


def _load(name: str) -> Any:
    """Import the module of a command, and return what Typer makes of it.

    Raises NoRoomError where the libraries may lack memory.
    """
    limits = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    if any(limit != resource.RLIM_INFINITY for limit in limits):
        from marubatsu.pipeline.support.machine import require_address_space  # Few need it.

        require_address_space()
    import_module(f"marubatsu.cli.{MODULES[name]}")
    (command,) = (
        each
        for each in app.registered_commands
        if each.callback and name in (each.name, each.callback.__name__)
    )
    made = typer.main.get_command_from_info(
        command, pretty_exceptions_short=True, rich_markup_mode=None
    )
    if name not in NEVER_WAIT:
        made.params.append(_no_wait())
    return made


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


_NAMES = ("game", "games")  # of the argument where a command declares its game as one
_ADDED = "game_option"  # the name of the option that such a command gets


def _with_game_in_its_place(command: TyperCommand, ctx: Any, args: list[str]) -> list[str]:
    """Return the arguments of a command with the game where the command declares it.

    A user gives it as the first argument or as ``--game``; a command declares one of the two.

    Raises UsageError for two games, and what Typer raises for wrong options.
    """
    if all(param.name not in _NAMES for param in command.params):
        return args
    option, positional = _parsed(command, ctx, args)
    if any(param.name == _ADDED for param in command.params):
        return _as_argument(command, args, option, positional)
    if not positional or not _is_game(command, positional):
        return args
    if option is not None:
        raise _twice(positional[0], option)
    for at, word in enumerate(args):
        rewritten = ["--game", word, *args[:at], *args[at + 1 :]]
        if word == positional[0] and _parsed(command, ctx, rewritten) == (word, positional[1:]):
            return rewritten
    return args


def _as_argument(
    command: TyperCommand, args: list[str], option: str | None, positional: list[str]
) -> list[str]:
    if option is None or option in positional[:1]:
        return args
    arguments = _arguments(command)
    if len(positional) == len(arguments) == 1 and arguments[0].nargs == 1:
        raise _twice(positional[0], option)
    return [option, *args]


def _arguments(command: TyperCommand) -> list[TyperArgument]:
    return [param for param in command.params if isinstance(param, TyperArgument)]


def _parsed(command: TyperCommand, ctx: Any, args: list[str]) -> tuple[str | None, list[str]]:
    """Return the value of ``--game``, and the words that belong to no option."""
    options, rest, _ = command.make_parser(ctx).parse_args(list(args))
    positional: list[str] = []
    for argument in _arguments(command):
        value = options.get(argument.name or "")
        positional += [value] if isinstance(value, str) else list(value or ())
    added = any(param.name == _ADDED for param in command.params)
    option = options.get(_ADDED if added else "game")
    return option if isinstance(option, str) else None, [*positional, *rest]


def _is_game(command: TyperCommand, positional: list[str]) -> bool:
    """Whether the first argument names a game: by a run such as k3, or as one more than fits."""
    from marubatsu.engine.rules.game_names import ALIASES

    sizes = [argument.nargs for argument in _arguments(command)]
    first = positional[0]
    if first in ALIASES:
        return True
    is_one_more = -1 not in sizes and len(positional) > sum(sizes)
    return (is_one_more or "k" in first) and _is_name_of_game(first) and not Path(first).exists()


def _is_name_of_game(word: str) -> bool:
    from marubatsu.engine.rules.game import Game, GameError

    try:
        Game(word)
    except GameError:
        return False
    return True


def _twice(first: str, option: str) -> UsageError:
    return UsageError(f"the game is given twice, as {first} and as --game {option}: leave one out")


def main() -> None:
    """Run a command. An error that a user can fix becomes one sentence and an exit code."""
    errors.cure_words, events.note_words = _as_command, _as_typed
    try:
        try:
            app(prog_name="marubatsu")
        finally:
            sys.stdout.flush()  # Here a full disk or a closed pipe can still be reported.
    except Exception as error:
        from marubatsu.cli.output import end_by

        end_by(error)
        raise


def _as_command(cure: "Cure") -> str:
    from marubatsu.cli.output import as_command  # Most runs need no words.

    return as_command(cure)


def _as_typed(sentence: str) -> str:
    from marubatsu.cli.output import as_typed

    return as_typed(sentence)
