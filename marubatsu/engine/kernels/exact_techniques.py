"""The techniques of the exact search."""

from typing import NamedTuple


class ExactTechniques(NamedTuple):
    """The techniques of the search; each can be switched off."""

    window: bool = True  # ask whether a value is at least some number, instead of for the value
    table: bool = True  # remember bounds of values
    ordering: bool = True  # first the moves after which most cells would complete a line
    threats: bool = True  # see a line that the next mark completes, instead of setting it
    forced: bool = True  # answer threats, and leave out moves that allow a line at once
    blocked: bool = True  # see that a side can complete no line any more
    symmetry: bool = True  # remember one position of each class, in the first half of the game
    cutoffs: bool = True  # with gravity: look all children up before the first is searched
    chains: bool = True  # with gravity: make a move that is the only one, and search what follows
    follow_up: bool = True  # with gravity: see that a side need only play above the other's marks
