"""A program that speaks GTP: the lowest empty vertex of the first column that has one.

Audit it: marubatsu audit "command:python examples/gtp_filler.py" --as gtp --game 4x4k3-gravity
"""

import sys

board: dict[str, str] = {}  # each vertex, with the colour of its mark


def answer(command: str, *given: str) -> str:
    """Return the answer to a command."""
    if command in ("boardsize", "rectangular_boardsize"):
        columns, rows = "abcdefgh"[: int(given[0])], range(1, int(given[-1]) + 1)
        board.update({f"{column}{row}": "" for column in columns for row in rows})
    elif command == "clear_board":
        board.update(dict.fromkeys(board, ""))
    elif command == "play":
        board[given[1]] = given[0]
    elif command == "genmove":
        return next((vertex for vertex, mark in board.items() if not mark), "pass")
    else:
        raise ValueError("unknown command")
    return ""


if __name__ == "__main__":
    for line in sys.stdin:
        try:
            print(f"= {answer(*line.split())}\n", flush=True)
        except ValueError as error:
            print(f"? {error}\n", flush=True)
