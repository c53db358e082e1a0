"""Logs of frameworks: replays of Kaggle, traces of TextArena, episodes of OpenEnv and verifiers."""

import csv
import io
import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.judge.review.game_logs import GameLog
from marubatsu.pipeline.support.errors import UsageError
from tests.helpers.broken.damaged import damaged_json, refusals
from tests.helpers.data.logs import games_of, read, refusal

GAME = -1
"""The sender of what TextArena says."""


def messages(moves: Sequence[int], *, gravity: bool = False) -> list[list[Any]]:
    """Return the messages of TextArena, and those to it, about some moves."""
    log: list[list[Any]] = []
    for number, move in enumerate(moves):
        player = number % 2
        place = f"dropped their disk ({'XO'[player]}) into column" if gravity else (
            f"placed their symbol ({'OX'[player]}) in cell"
        )  # fmt: skip
        log.append([player, f"I play [{move}], not [col 0]" if not gravity else f"[col {move}]"])
        log.append([GAME, f"Player {player} {place} {move}."])
    return log


def text_of(log: Sequence[Sequence[Any]], player: int) -> str:
    """Return all messages so far as the wrapper of TextArena joins them."""
    names = {GAME: "GAME", 0: "Player 0", 1: "Player 1"}
    prompt = f"\n[GAME] You are Player {player} in Tic Tac Toe."
    return prompt + "".join(f"\n[{names[sender]}] {text}" for sender, text in log)


def trace(
    moves: Sequence[int], player: int, *, shape: str, gravity: bool = False, **fields: Any
) -> dict[str, Any]:
    """Return the row of a player, whose observations have one of several shapes."""
    log = messages(moves, gravity=gravity)
    mine = range(player, len(moves), 2)  # the moves of this player
    turns = [(text_of(log[: 2 * at], player), log[2 * at][1]) for at in mine]
    observations: Any = {
        "messages": log,
        "turns": [{"observation": seen, "action": reply} for seen, reply in turns],
        "since the last turn": [
            {"observation": "".join(f"\n[GAME] {text}" for sender, text in
                                    log[2 * max(0, at - 2) : 2 * at] if sender == GAME),
             "response": log[2 * at][1]}
            for at in mine
        ],
        "turns without replies": [  # as in TicTacToe-v0-train
            {"observation": f"You are Player {player} in Tic Tac Toe.\n\n" + "\n".join(
                text for sender, text in log[: 2 * at] if sender == GAME) + "\n\nCurrent Board:",
             "action": log[2 * at][1]}
            for at in mine
        ],
        "chat": [
            each for seen, reply in turns
            for each in ({"role": "user", "content": seen}, {"role": "assistant", "content": reply})
        ],
        "objects": [{"from_id": sender, "message": text} for sender, text in log],
    }[shape]  # fmt: skip
    return {
        "player_game_id": player, "game_id": "g", "player_id": player,
        "env_name": "ConnectFour-v0" if gravity else "TicTacToe-v0",
        "model_name": ("ann", "bob")[player], "opponent_names": [("bob", "ann")[player]],
        "rewards": (1, -1)[player], "observations": observations, "num_turns": len(moves),
        "status": "finished", "reason": "Player 0 has won!", **fields,
    }  # fmt: skip


SHAPES = ("messages", "turns", "since the last turn", "turns without replies", "chat", "objects")
ANN_BOB = ("ann", "bob")
WON = [4, 0, 2, 6, 3, 1, 5]
COLUMNS = [3, 2, 3, 2, 3, 2, 3]


def lines(*objects: Any) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_trace_of_textarena_in_many_shapes(shape: str) -> None:
    for gravity, moves in ((False, WON), (True, COLUMNS)):
        rows = [trace(moves, player, shape=shape, gravity=gravity) for player in (0, 1)]
        for content in (lines(*rows), lines(*rows[::-1]), json.dumps(rows), as_csv(rows)):
            (game,) = games_of(content)
            assert game.game == ("connect4" if gravity else "tictactoe")
            assert (game.players, list(game.moves), game.result) == (ANN_BOB, moves, "circle")
            assert game.numbering is (Numbering.COLUMNS if gravity else Numbering.CELLS)
    seen = WON if shape in ("messages", "objects") else WON[:-1]  # The last reply is the other's.
    for player, known in enumerate((WON, seen)):
        one = read(lines(trace(WON, player, shape=shape)))
        assert one == [(*ANN_BOB, known, "circle")]


def as_csv(rows: Sequence[dict[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows({**row, "observations": json.dumps(row["observations"])} for row in rows)
    return out.getvalue()


@pytest.mark.parametrize(
    ("reply", "move"),
    [("[8] or [7]", 8), ("[ 8 ]", 8), ("8", 8), ("[4]", 4), ("[9]", None), ("resign", None)],
)
def test_the_last_reply_is_read_as_textarena_reads_it(reply: str, move: int | None) -> None:
    row = trace([4, 0, 8], 0, shape="turns", rewards=-1)
    row["observations"][-1]["action"] = reply
    assert read(lines(row)) == [(*ANN_BOB, [4, 0, move], "cross")]


def test_an_illegal_reply_that_was_tried_again_is_no_move() -> None:
    row = trace([4, 0, 8], 0, shape="messages")
    row["observations"][4:4] = [
        [0, "[0]"], [GAME, "Player 0 attempted an invalid move. Reason: cell 0 is occupied."],
    ]  # fmt: skip
    assert read(lines(row)) == [(*ANN_BOB, [4, 0, 8], "circle")]


@pytest.mark.parametrize(
    ("rewards", "result"),
    [(1, "circle"), (-1.0, "cross"), ("0", "draw"), ('{"0": -1, "1": 1}', "cross"),
     ([0, 0], "draw"), (None, None)],
)  # fmt: skip
def test_the_rewards_of_a_trace(rewards: Any, result: str | None) -> None:
    row = trace([4, 0], 0, shape="turns", rewards=rewards)
    assert read(lines(row)) == [(*ANN_BOB, [4], result)]


def test_rewards_that_contradict_each_other_are_reported() -> None:
    rows = [trace(WON, player, shape="turns", rewards=1) for player in (0, 1)]
    (game,) = games_of(lines(*rows))
    assert game.result is None
    assert game.contradiction == "the log says first player wins and second player wins"


def test_a_named_game_is_read_whatever_a_trace_says() -> None:
    row = trace(WON, 0, shape="turns", env_name="Poker-v0")
    assert read(lines(row), game=Game("tictactoe")) == [(*ANN_BOB, WON, "circle")]


def openspiel(
    moves: Sequence[int], *, fails: bool = False, connect_four: bool = False, **changes: Any
) -> dict[str, Any]:
    """Write a game as Kaggle's environments of OpenSpiel do."""
    waits: dict[str, Any] = {"action": {"submission": -1}, "info": {}, "status": "INACTIVE"}
    steps = [[waits, waits], [waits, waits]]
    for number, move in enumerate([*moves, *([99] if fails else [])]):
        applied = move if number < len(moves) else None
        step = [waits, waits]
        step[number % 2] = {
            "action": {"submission": move, "thoughts": "hm"}, "status": "INACTIVE",
            "info": {"actionSubmitted": move, "actionApplied": applied},
        }  # fmt: skip
        steps.append(step)
    name = "connect_four" if connect_four else "tic_tac_toe"
    parameters = {"columns": 7, "rows": 6, "x_in_row": 4} if connect_four else {}
    return {
        "name": f"open_spiel_{name}",
        "configuration": {"openSpielGameName": name, "openSpielGameParameters": parameters},
        "steps": steps, "rewards": [1, -1], "statuses": ["DONE", "DONE"],
        "info": {"actionHistory": [str(move) for move in moves], "TeamNames": ["ann", "bob"]},
        **changes,
    }  # fmt: skip


def test_a_replay_of_openspiel_in_kaggle() -> None:
    replays = [openspiel(WON), openspiel([4, 0, 8], fails=True)]
    replays.append(openspiel(COLUMNS, connect_four=True))
    for content in (lines(*replays), json.dumps(replays, indent=1)):
        assert [(game.game, list(game.moves), game.numbering) for game in games_of(content)] == [
            ("tictactoe", WON, Numbering.CELLS),
            ("tictactoe", [4, 0, 8, None], Numbering.CELLS),
            ("connect4", COLUMNS, Numbering.COLUMNS),
        ]
        assert {game.result for game in games_of(content)} == {"circle"}


SMALL = "connect_four_proxy(columns=5,rows=4,x_in_row=4)"
USUAL = {"columns": 7, "rows": 6, "x_in_row": 4}


@pytest.mark.parametrize(
    ("configuration", "info", "game"),
    [
        ({}, {}, "connect4"),
        ({"openSpielGameString": SMALL, "openSpielGameParameters": USUAL}, {}, "5x4k4-gravity"),
        ({"openSpielGameString": SMALL, "openSpielGameParameters": USUAL | {"rows": 5}}, {},
         "5x5k4-gravity"),
        ({"openSpielGameParameters": USUAL}, {"openSpielGameStringResolved": SMALL},
         "5x4k4-gravity"),
    ],
)  # fmt: skip
def test_a_replay_of_openspiel_has_the_sizes_that_were_played(
    configuration: dict[str, Any], info: dict[str, Any], game: str
) -> None:
    replay = openspiel(COLUMNS, connect_four=True, configuration=configuration, info=info)
    assert [each.game for each in games_of(lines(replay))] == [game]


def episode(calls: Sequence[tuple[dict[str, Any], Any]], **fields: Any) -> dict[str, Any]:
    """Write an episode as OpenEnv does; a call is its arguments and its result."""
    return {
        "episode_id": "ep-000000", "messages": [{"role": "user", "content": "Play."}],
        "reward": 1.0, "done": True, "metrics": {}, "verify_metrics": {}, "artifacts": {},
        "task": None, "extra": {},
        "tool_trace": [
            {"tool_name": "play", "arguments": arguments,
             "result": {"data": data, "done": False, "metadata": {}, "error": None}}
            for arguments, data in calls
        ],
        **fields,
    }  # fmt: skip


REPLIES = [({"action_id": 4}, {"opponent_last_action": 0}), ({"action_id": 8}, {"done": True})]


def test_an_episode_holds_the_replies_of_its_environment() -> None:
    (game,) = games_of(lines(episode(REPLIES, task={"game_name": "tic_tac_toe"})))
    assert (game.game, list(game.moves)) == ("tic_tac_toe", [4, 0, 8])
    assert (game.players, game.result, game.numbering) == (
        ("model", "opponent"), None, Numbering.CELLS,
    )  # fmt: skip
    calls = [({"column": 3}, json.dumps({"observation": {"opponent_move": 2}}))]
    (game,) = games_of(lines(episode(calls, extra={"game": "connect4"})))
    assert (list(game.moves), game.numbering) == ([3, 2], Numbering.COLUMNS)


def test_a_call_without_a_move_is_no_missing_move() -> None:
    other: tuple[dict[str, Any], dict[str, Any]] = ({}, {"board": "........."})
    calls = [other, REPLIES[0], other, REPLIES[1], other]
    assert read(lines(episode(calls))) == [("model", "opponent", [4, 0, 8], None)]


def test_an_episode_may_hold_all_moves() -> None:
    calls = [({"move": "b2"}, {"moves": ["b2"]}), ({"move": "a1"}, {"moves": ["b2", "a3", "a1"]})]
    (game,) = games_of(lines(episode(calls)))
    assert (list(game.moves), game.players) == (["b2", "a3", "a1"], ("circle", "cross"))
    assert game.numbering is None


def verifiers(*records: object) -> dict[str, Any]:
    """Return an episode of verifiers; marubatsu-games keeps its game in the first trace."""
    traces = [
        {"version": 1, "verifiers": {"version": "0.4.0"}, "task": {"type": "GameTask"},
         "agent": {"name": "circle"}, "nodes": [], "calls": [], "rewards": {},
         "info": info}
        for info in (*({"marubatsu_game": record} for record in records), {})
    ]  # fmt: skip
    return {"env": {"id": "marubatsu-games"}, "traces": traces, "ok": True}


KEPT = {"game": "tictactoe", "board": None, "players": ["first", "perfect"]}


def test_an_episode_of_verifiers_keeps_its_game() -> None:
    moves = (WON, [4, 0, None])
    failed = {**verifiers(), "ok": False, "errors": [{"type": "ProviderError"}]}
    games = games_of(lines(*(verifiers({**KEPT, "moves": each}) for each in moves), failed))
    assert [list(game.moves) for game in games] == [WON, [4, 0, None]]
    assert {(game.game, game.players, game.numbering) for game in games} == {
        ("tictactoe", ("first", "perfect"), Numbering.CELLS)
    }


TWICE = "player '{}' of game 'g': expected players 0 and 1, each once, in one environment"
REPLAYS = "expected connectx, tictactoe, open_spiel_connect_four or open_spiel_tic_tac_toe"
NOT_EMPTY = "the game does not begin with an empty board"
MARKED = {**openspiel(WON), "steps": [[{"observation": {"board": [0, 1, 0]}}]]}
OPPONENT_FIRST = {"opponent_last_action": 0, "current_player_id": 1}
REFUSED: list[tuple[Any, str]] = [
    # Traces of TextArena.
    (trace(WON, 0, shape="turns", player_id=2), TWICE.format(2)),
    (trace(WON, 0, shape="turns", observations=None), "no observations: expected a trace of Text"),
    (trace(WON, 0, shape="turns", observations=["hello"]), "the observations do not describe each"),
    (trace(WON, 1, shape="turns", observations=[{"observation": "a board", "action": "[0]"}]),
     "the observations do not describe each move, as in"),
    (trace(WON, 0, shape="messages", observations=messages(WON)[2:]),
     "the observations describe moves that are not in turn"),
    (trace(WON, 0, shape="turns", rewards="much"), "rewards is 'much': expected a score for each"),
    (trace(WON, 0, shape="turns", rewards=0.5), "rewards is 0.5, which says nothing of the opp"),
    # Replays of OpenSpiel in Kaggle.
    (openspiel(WON, name="open_spiel_chess"), f"a replay of 'open_spiel_chess': {REPLAYS}"),
    (openspiel(WON, info={"actionHistory": ["4"]}), "actionHistory has other actions than the"),
    (openspiel(WON, configuration={"initialActions": [4]}), f"{NOT_EMPTY}, but with initial"),
    (openspiel(WON, info={"initialActions": [4], "actionHistory": ["4"]}), NOT_EMPTY),
    (MARKED, f"{NOT_EMPTY}, but with marks on it"),
    (openspiel(WON, rewards=[1]), "expected a replay as env.toJSON() gives it, with name, conf"),
    # Episodes of verifiers.
    (verifiers(), 'the traces of the episode hold no games: expected one as "marubatsu_game" in'),
    (verifiers(KEPT, KEPT), "the traces of the episode hold 2 games: expected one as"),
    (verifiers(KEPT), '"marubatsu_game" has no "players", a list of two, or no "moves", a list'),
    (verifiers({**KEPT, "moves": ["b2"]}), '"moves" of "marubatsu_game": expected the numbers of'),
    (verifiers({**KEPT, "moves": [], "board": "o........"}), NOT_EMPTY),
    # Episodes of OpenEnv.
    (episode([({"text": "hi"}, None)]), "the calls hold no move: expected one argument for the"),
    (episode([({"cell": 4, "move": 4}, None)]), "the calls hold cell and move: expected one arg"),
    (episode([({"cell": 4}, {"board": "o........"})]), "the calls hold the moves of one player: "),
    (episode([REPLIES[1], REPLIES[0]]), "the opponent makes no move after '8'"),
    (episode([({"action_id": 4}, OPPONENT_FIRST)]), "the opponent moves first, and the calls do"),
    (episode([({}, {"opponent_last_action": 4}), *REPLIES]),
     "the opponent moves in a call that holds no move"),
    ({"episode_id": "x", "tool_trace": 5}, 'expected an episode of OpenEnv with "tool_trace", a'),
]  # fmt: skip


@pytest.mark.parametrize(("row", "message"), REFUSED)
def test_a_log_that_does_not_hold_a_game_is_refused(row: Any, message: str) -> None:
    assert refusal(lines(row)).startswith(f"line 1 of 'log': {message}")


def test_a_second_trace_of_a_player_and_one_of_another_game_are_refused() -> None:
    one, other = trace(WON, 0, shape="turns"), trace([0, 1, 2, 3], 1, shape="turns")
    assert "the two players of the game saw different moves" in refusal(lines(one, other))
    assert refusal(lines(one, one)) == f"line 2 of 'log': {TWICE.format(0)}"
    error = refusal(lines({**one, "env_name": "Poker-v0"}))
    assert error.startswith("line 1 of 'log': 'Poker-v0' is not the name of a game")
    assert error.endswith("; the option game names another")


def test_columns_of_another_game_are_refused() -> None:
    (game,) = games_of(lines(openspiel(COLUMNS, connect_four=True)))
    with pytest.raises(UsageError, match="its moves are columns, which tictactoe does not have: "):
        GameLog(Game("tictactoe")).add(game, 0, 1)


DAMAGED = {
    "textarena": trace(WON, 0, shape="messages"),
    "kaggle": openspiel(WON, fails=True),
    "openenv": episode(REPLIES, task={"game_name": "tic_tac_toe"}),
    "jsonl": {"players": {"X": "ann", "O": "bob"}, "moves": [[1, 1], [0, 0]], "rewards": [1, 0]},
    "moves of a game": {"moves": [{"player": "X", "row": 1, "col": 1, "winner": None}]},
}


@pytest.mark.parametrize("form", DAMAGED)
def test_a_damaged_log_of_a_framework_is_read_or_refused_with_its_line(form: str) -> None:
    random = Random(form)

    def read_one() -> None:
        log = GameLog(Game("tictactoe"))
        for game in games_of(lines(damaged_json(DAMAGED[form], random))):
            log.add(game, 0, 1)

    assert refusals(read_one, 300, "log") > 30
