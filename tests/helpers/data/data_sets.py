"""Data sets and solutions: which games the tests build and solve, and how."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from marubatsu.engine.kernels.exact_search import ExactSearch
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.pipeline.checking.verify import verify
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.stage import TREE_STAGES, Stage, stages_of
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.integrity import Problem
from marubatsu.pipeline.tables.manifest import Manifest
from tests.helpers.data.shared import Shared

TREE_GAMES = (
    "tictactoe", "3x3k3-misere", "3x3k3-gravity", "2x2k2", "2x4k2", "3x2k2", "1x9k3", "3x2k3-torus",
)  # fmt: skip
"""Games of at most nine cells, whose trees are built."""

AI_GAMES = ("tictactoe", "3x3k3-gravity", "3x2k2", "2x2k2")
"""Those of them whose tables of AIs and searches are built."""

LARGER_GAMES = ("4x3k3", "4x4k4-gravity", "8x4k2-gravity")
"""Games with positions, classes and moves only; the last one's masks need 64 bits."""

GAMES = TREE_GAMES + LARGER_GAMES

BUILD_ORDER = sorted(GAMES, key=lambda name: name not in ("tictactoe", "3x3k3-gravity"))
"""First those that take long, so that two workers build them at the same time."""

MEMORY = 10**9
"""The bytes of memory for solving in the tests."""


def build_tree(root: Path, name: str) -> DataSet:
    """Build the tables of a game itself under a root."""
    data_set = DataSet(root, Game(name))
    build(data_set, tree_stages(data_set.game))
    return data_set


def tree_stages(game: Game) -> list[Stage]:
    """List the stages of the tables of a game itself, without AIs and searches."""
    return stages_of(game, TREE_STAGES)


def shared_stages(name: str) -> list[Stage]:
    """List the stages of the tables of one of GAMES that all tests share."""
    stages = stages_of(Game(name))
    return [each for each in stages if name in AI_GAMES or "engine.ais" not in each.rooms]


def build_shared(shared: Shared) -> Path:
    """Return a folder with every one of GAMES built."""
    makers = {f"data/{name}": partial(_build, name) for name in BUILD_ORDER}
    return shared.make_all(makers)[0].parent


def build_one(shared: Shared, name: str) -> Path:
    """Return a folder with one of GAMES built; others may be there."""
    return shared.make(f"data/{name}", partial(_build, name)).parent


def _build(name: str, folder: Path) -> None:
    """Build a data set, and leave its files in a folder."""
    game = Game(name)
    data_set = DataSet(folder / "root", game)
    build(data_set, shared_stages(name))
    _take_out(data_set.folder, folder)


SMALLEST = "2x2k2"


def build_smallest(shared: Shared) -> Path:
    """Return a folder with the smallest game, with every table and solved."""

    def make(folder: Path) -> None:
        data_set = DataSet(folder, Game(SMALLEST))
        build(data_set, stages_of(data_set.game))
        solve(folder, data_set.game, MEMORY)

    make_kernels(shared)
    return shared.make("smallest", make)


class Solutions:
    """Solutions that tests share, each made when the first test asks for it."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared

    def of(self, *names: str) -> Path:
        """Return a root in which these games are solved, and perhaps others."""
        names = tuple(Game(name).name for name in names)
        made = self.shared.make_all({f"solved/{name}": partial(_solve, name) for name in names})
        return made[0].parent

    def copy(self, name: str, root: Path) -> DataSet:
        game = Game(name)
        copied(self.of(game.name) / game.name, root / game.name)
        return DataSet(root, game)

    def contents(self, name: str) -> dict[str, bytes]:
        return contents(self.of(name) / Game(name).name)


def _solve(name: str, folder: Path) -> None:
    """Solve a game, and leave its files in a folder."""
    game = Game(name)
    solve(folder / "root", game, MEMORY)
    _take_out(folder / "root" / game.name, folder)


def make_kernels(shared: Shared) -> None:
    """Compile what is compiled; otherwise every worker would do so at the same time."""
    shared.make("kernels", compile_kernels)


def compile_kernels(folder: Path) -> None:
    """Call each kernel; the compiled ones are kept next to their modules."""
    for name in ("2x2k2", "2x2k2-gravity"):
        _solve(name, folder / name)
    ExactSearch(Game("2x2k2"), memory=1).value(EMPTY)


def _take_out(made: Path, folder: Path) -> None:
    for path in made.iterdir():
        path.rename(folder / path.name)
    shutil.rmtree(folder / "root")


def copied(folder: Path, into: Path) -> Path:
    """Copy a shared folder for a test that writes to it."""
    return Path(shutil.copytree(folder, into))


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file of a folder, which may not be there, and of those in it."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def manifest_of(data_set: DataSet) -> Manifest:
    """Return the manifest of a data set, which must be there."""
    manifest = data_set.manifest()
    assert manifest
    return manifest


def verified(data_set: DataSet) -> list[Problem]:
    """Verify a data set that no living process holds."""
    with data_set.lock(write=False, on_wait=pytest.fail):
        return verify(data_set)


def damage(path: Path, share: float, bit: int = 0) -> None:
    """Flip a bit of the byte that has a share of a file before it."""
    data = bytearray(path.read_bytes())
    data[round(share * (len(data) - 1))] ^= 1 << bit
    path.write_bytes(data)


def stop_solving(root: Path, game: Game, step: str) -> None:
    """Solve a game up to a step, as ``backward, ply 3``, and leave the unfinished solution."""

    def reached(what: str, share: float, classes: int) -> None:
        if what == step:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(root, game, MEMORY, progress=reached)
