"""Check kept proofs by the rules alone: it imports nothing of ours, and reads no other table.

``marubatsu sql "from proofs" --game GAME --format csv | python tools/checker/check_proof.py GAME``
prints a line for each proof. Exit code 1 says that one is none, and names a board where it fails.
"""

import csv
import re
import sys
from collections.abc import Iterator
from functools import cache


class Rules:
    """The rules of a game; a board is a text of . o x, row by row."""

    def __init__(self, name: str) -> None:
        name = {"tictactoe": "3x3k3", "connect4": "7x6k4-gravity"}.get(name, name)
        match = re.fullmatch(r"(\d+)x(\d+)k(\d+)(-gravity)?(-misere)?", name)
        if not match:
            sys.exit(f"{name!r}: expected COLUMNSxROWSkRUN, -gravity, -misere, as in 3x3k3-misere")
        self.columns, self.rows, run = map(int, match.groups()[:3])
        self.gravity, self.misere = map(bool, match.groups()[3:])
        cells = [(x, y) for y in range(self.rows) for x in range(self.columns)]
        ways = [(x, y, *step) for x, y in cells for step in ((1, 0), (0, 1), (1, 1), (-1, 1))]
        lines = [[(x + i * right, y + i * down) for i in range(run)] for x, y, right, down in ways]
        self.lines = [[cells.index(c) for c in line] for line in lines if set(line) <= {*cells}]
        self.shown, self.value = cache(self._shown), cache(self._value)

    def _shown(self, board: str) -> str:
        """Return the least image of a board, which represents its class."""
        grid = [board[start : start + self.columns] for start in range(0, len(board), self.columns)]
        grids = [grid, [row[::-1] for row in grid]]
        if not self.gravity:
            grids += [each[::-1] for each in grids]
        if not self.gravity and self.columns == self.rows:
            grids += [["".join(column) for column in zip(*each, strict=True)] for each in grids]
        return min("".join(each) for each in grids)

    def score(self, board: str) -> int | None:
        """Return 1 when circle has won, -1 when cross has, 0 for a draw, None before the end."""
        for mark, score in (("o", 1), ("x", -1)):
            if any(all(board[cell] == mark for cell in line) for line in self.lines):
                return -score if self.misere else score
        return None if "." in board else 0

    def after(self, board: str, move: str = "") -> Iterator[str]:
        """Yield the classes after all legal moves, or after one if it is legal."""
        for cell in [int(move)] if move else range(len(board)):
            below = board[cell + self.columns :][:1] if self.gravity else ""
            if board[cell : cell + 1] == "." and below != ".":
                yield self.shown(board[:cell] + turn(board) + board[cell + 1 :])

    def _value(self, board: str) -> int:
        score = self.score(board)
        best = max if turn(board) == "o" else min
        return best(map(self.value, self.after(board))) if score is None else score


def turn(board: str) -> str:
    """Return the mark that is set next."""
    return "o" if board.count("o") == board.count("x") else "x"


def wrong(rules: Rules, rows: list[dict[str, str]]) -> str:
    """Return why the rows are no proof; nothing when they are one."""
    prover, bound, is_best = rows[0]["prover"], int(rows[0]["claim"]), rows[0]["strategy"] == "best"
    side, mark = {"circle": (1, "o"), "cross": (-1, "x")}[prover]
    of = {rules.shown(row["board"]): row for row in rows}
    needed: set[str] = set()
    waiting = {rules.shown("." * (rules.columns * rules.rows))}
    while waiting:
        board = waiting.pop()
        if board not in of:
            return f"no row shows {board}, which is needed"
        needed.add(board)
        shown, move, score = of[board]["board"], of[board]["move"], rules.score(board)
        is_own = score is None and turn(board) == mark
        after = set(rules.after(shown, move)) if score is None else set()
        if is_own != bool(move) or (score is None and not after):
            return f"{shown} has the move {move!r}, which {prover} cannot make"
        if score is not None and score * side < bound * side:
            return f"{shown} ends with the score {score}, the claim is {bound}"
        if is_best and is_own and {rules.value(board)} != set(map(rules.value, after)):
            return f"{shown} has the move {move!r}, which is not a best one"
        waiting |= after - needed
    if {len(rows), len(of), *(int(row["nodes"]) for row in rows)} != {len(needed)}:
        return f"{len(needed)} classes are needed, {len(rows)} rows are there"
    return ""


if __name__ == "__main__":
    proofs: dict[str, list[dict[str, str]]] = {}
    for each in csv.DictReader(sys.stdin):
        proofs.setdefault(each["proof"], []).append(each)
    whys = {name: wrong(Rules(sys.argv[1]), rows) for name, rows in proofs.items()}
    for name, why in whys.items():
        print(f"{name}: {why or f'proved by {len(proofs[name])} classes'}")
    sys.exit(not whys or any(whys.values()))
