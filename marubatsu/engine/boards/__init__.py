"""Positions changed in place, move by move: the protocol and the two boards in use."""
