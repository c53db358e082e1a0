"""The AIs: each maps a board to the moves that it may choose.

Modules, each standing on those above it
----------------------------------------
after        what an evaluation sees: a board just after a move
ai           what an AI is, and the registry
rules        ai1 to ai7: a rule names the moves
evaluations  ai1s to ai14s: the moves after which the board is worth most
tables       perfect play looked up
searches     every search as an AI
registry     all of them by name
"""
