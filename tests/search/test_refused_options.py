"""What the commands of the laboratory cannot do is told in one sentence, with exit code 2."""

from pathlib import Path

import pytest

from tests.helpers.processes.commands import run_here


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("prove 2x2k2 --side cross", "--side cross: circle wins 2x2k2, so expected --side circle"),
        ("prove 2x2k2 --strategy best", "--strategy best: circle wins 2x2k2"),
        ("prove 2x2k2 --time -1", "--time -1: expected 0 to 86,400 seconds"),
        ("prove 2x2k2 --time nan", "--time nan: expected 0 to 86,400 seconds"),
        ("prove 4x4k4", "4x4k4 has about"),
        ("prove 2x2k2 --side both", "'both' is not one of 'circle', 'cross'"),
        ("compare 2x2k2 --limit 0", "--limit 0: expected 1 to 1,000,000,000,000 nodes"),
        ("compare 2x2k2 --time nan", "--time nan: expected 0 to 86,400 seconds"),
        ("compare 8x4k4", "8x4k4 has 32 cells: expected at most 31"),
        ("book tictactoe", "tictactoe is not searched"),
        ("book 8x7k4-gravity", "8x7k4-gravity is too large to be searched"),
        ("book 4x5k4 --plies -1", "--plies -1: expected 0 to 19"),
        ("book 4x5k4 --plies 20", "--plies 20: expected 0 to 19"),
        ("book 4x5k4 --time -1", "--time -1: expected 0 or more seconds"),
        ("book 4x5k4 --memory much", "'much' is no amount of memory"),
        ("conform Board", "names no board: expected file.py:Class"),
        ("conform nowhere.py:Board", "there is no file 'nowhere.py'"),
        (
            "conform examples/dict_board.py:Dict",
            "Dict is not there: examples/dict_board.py has DictBoard",
        ),
        ("conform examples/corners.py:choose", "choose makes no board of 3x3k3: TypeError"),
        ("conform json:JSONDecoder", "JSONDecoder is no board: expected a subclass"),
        ("conform marubatsu.engine.boards.board:Board", "Board makes no board of 3x3k3: TypeError"),
        ("bench boards --pairs 0", "--pairs 0: expected 1 to"),
        ("bench boards --repeats -1", "--repeats -1: expected 1 to"),
        ("bench boards --plot boards.gif", "names no picture"),
        ("bench boards --plot nowhere/boards.svg", "there is no folder 'nowhere'"),
        ("bench boards --board Bitboard", "names no board"),
        ("bench boards --board BitBoard3x3 --game 4x4", "BitBoard3x3 plays 3x3k3"),
        ("conform-env ENV:Right --sample 0", "--sample 0: expected 1 to 1,000,000 games"),
        (
            "conform-env ENV:Right --accept luck",
            "--accept 'luck': expected one of errors, legal moves, turn",
        ),
        ("conform-env ENV:Right --game 0x0", "'0x0' is not a game"),
        (
            "conform-env pgx:tic_tac_toe --game 3x3k3",
            "'pgx:tic_tac_toe' names its game itself: leave out --game",
        ),
    ],
)
def test_wrong_wishes_are_sentences(command: str, told: str, tmp_path: Path) -> None:
    words = command.replace("ENV", "tests.helpers.broken.broken_environments").split()
    done = run_here(*words, data=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
