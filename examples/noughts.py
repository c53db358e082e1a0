"""An environment of one's own, for ``marubatsu conform-env examples/noughts.py:Noughts``.

It imports nothing of marubatsu: six methods are all that the command asks for.
"""

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


class Noughts:
    """Tic-tac-toe on a list of marks."""

    def __init__(self) -> None:
        """Begin a game."""
        self.reset()

    def reset(self) -> None:
        """Begin a new game."""
        self.marks = [""] * 9

    def play(self, cell: int) -> None:
        """Fill a cell for the side to move. Raises ValueError when it may not be filled."""
        if cell not in self.legal_moves():
            raise ValueError(f"cell {cell} may not be filled")
        self.marks[cell] = self.turn()

    def legal_moves(self) -> list[int]:
        """List the empty cells while the game goes on."""
        return [] if self.over() else [cell for cell in range(9) if not self.marks[cell]]

    def turn(self) -> str:
        """Return the side to move; circle begins."""
        return "cross" if self.marks.count("") % 2 == 0 else "circle"

    def over(self) -> bool:
        """Return whether a side has a line, or the board is full."""
        return "" not in self.marks or self.rewards() != (0, 0)

    def rewards(self) -> tuple[int, int]:
        """Return circle's reward and cross's."""
        for line in LINES:
            first, *others = (self.marks[int(cell)] for cell in line)
            if first and others == [first, first]:
                return (1, -1) if first == "circle" else (-1, 1)
        return 0, 0
