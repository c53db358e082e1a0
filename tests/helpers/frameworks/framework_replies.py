"""The odd replies, played by the frameworks themselves.

``framework_replies.py INTERFACE`` runs where that framework is installed, and prints the number of
replies. `tests/audit/test_outside_frameworks.py` runs it.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from tests.helpers.frameworks import odd_replies
from tests.helpers.frameworks.odd_replies import BEFORE, CELLS, COLUMNS, GTP, GTP_WORDS, MISERE

Play = Callable[[str, Any], Any]
"""Plays a reply on the board of a name; returns the action that it plays, or what it refuses."""


def connectx(name: str, reply: Any) -> int | None:
    from kaggle_environments import make
    from kaggle_environments.agent import Agent

    environment = make("connectx")
    for ply, column in enumerate(BEFORE[name]):
        environment.step([column, None] if ply % 2 == 0 else [None, column])
    before = list(environment.state[0].observation.board)
    agent = Agent(lambda observation, configuration: reply, environment)
    action, _ = agent.act(environment.state[0].observation)
    environment.step([action, None])
    changed = _changed(before, environment.state[0].observation.board)
    assert (changed is None) == (environment.state[0].status in ("INVALID", "ERROR"))
    return None if changed is None else changed % 7


def aec(name: str, reply: Any) -> int | None:
    """Step with an action; an illegal one ends the game."""
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    environment = (tictactoe_v3 if name == CELLS else connect_four_v3).env()
    environment.reset()
    for action in BEFORE[name]:
        environment.step(action)
    board = environment.unwrapped.board
    before = list(board.squares if name == CELLS else board)
    environment.step(reply)
    changed = _changed(before, board.squares if name == CELLS else environment.unwrapped.board)
    return changed if name == CELLS or changed is None else changed % 7


def openspiel(name: str, reply: Any) -> int:
    """Let a bot play its answer, after legal actions and before others."""
    import pyspiel

    class Bot(pyspiel.Bot):  # type: ignore[misc]
        def __init__(self, answers: list[Any]) -> None:
            super().__init__()
            self._answers = answers

        def step(self, state: Any) -> Any:
            return self._answers.pop(0) if self._answers else state.legal_actions()[0]

        def restart_at(self, state: Any) -> None:
            pass

        def inform_action(self, state: Any, player_id: int, action: int) -> None:
            pass

    game = pyspiel.load_game("tic_tac_toe" if name == CELLS else "connect_four")
    state = game.new_initial_state()
    for action in BEFORE[name]:
        state.apply_action(action)
    bots = [Bot([]), Bot([])]
    bots[state.current_player()] = Bot([reply])
    alone = state.clone()
    pyspiel.evaluate_bots(state, bots, 0)
    alone.apply_action(reply)
    played: int = state.history()[len(BEFORE[name])]
    assert alone.history()[-1] == played
    return played


def textarena(name: str, reply: Any) -> int | None:
    import textarena as ta

    if name == MISERE:
        _compile_misere()
    kinds = {CELLS: "TicTacToe-v0", MISERE: "ReverseTicTacToe-v0", COLUMNS: "ConnectFour-v0"}
    environment = ta.make(kinds[name])
    environment.reset(num_players=2)
    for action in BEFORE[name]:
        environment.step(action=f"[{action}]")
    inner = environment
    while hasattr(inner, "env"):
        inner = inner.env
    board = inner.state.game_state["board"]
    before = [*chain(*board)]
    environment.step(action=reply)
    changed = _changed(before, [*chain(*board)])
    return changed if name != COLUMNS or changed is None else changed % 7


def _compile_misere() -> None:
    """Import ReverseTicTacToe; its drawing of the board is written for Python 3.12."""
    name = "textarena.envs.ReverseTicTacToe.env"
    if name in sys.modules:
        return
    package = find_spec("textarena.envs.ReverseTicTacToe")
    assert package
    assert package.submodule_search_locations
    source = Path(package.submodule_search_locations[0], "env.py").read_text(encoding="utf-8")
    quoted = source.replace('{self.state.game_state["board"]', "{self.state.game_state['board']")
    module = ModuleType(name)
    exec(compile(quoted, name, "exec"), vars(module))  # noqa: S102, it is what import does
    sys.modules[name] = module


def _changed(before: list[Any], after: list[Any]) -> int | None:
    """Return the place where two boards differ, None where they do not."""
    places = [at for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    assert len(places) <= 1
    return places[0] if places else None


def gtp() -> int:
    """Let GTPBot read the answers of a program."""
    import pyspiel

    gtp_bot = import_module("open_spiel.python.bots.gtp").GTPBot
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    state.apply_action(4)
    with TemporaryDirectory() as folder:
        for answer, is_played in GTP:
            text = answer
            for word, written in GTP_WORDS["openspiel"].items():
                text = text.replace(word, written)
            answers = Path(folder, "answers.txt")
            answers.write_text(text, encoding="utf-8")
            program = f"read command; cat {quote(str(answers))}; read command; printf '=\\n\\n'"
            bot = gtp_bot(state.get_game(), ["sh", "-c", program])
            try:
                played = bot.step(state)
            except Exception:  # noqa: BLE001, it refuses an answer in many ways
                played = None
            bot.close()
            assert played == (2 if is_played else None), answer
    return len(GTP)


def replies(interface: str, play: Play) -> int:
    """Play the replies of an interface, and return their number."""
    count, wrong = 0, []
    for name, rows in odd_replies.boards_of(interface).items():
        for reply, expected in rows:
            try:
                played = play(name, reply)
            except Exception:  # noqa: BLE001, a framework may raise anything for an odd reply
                played = None
            if played != expected:
                wrong.append(f"{name}: {reply!r} plays {played}, expected {expected}")
            count += 1
    assert not wrong, "\n".join(wrong)
    return count


if __name__ == "__main__":
    _, name = sys.argv
    print(gtp() if name == "gtp" else replies(name, globals()[name]))
