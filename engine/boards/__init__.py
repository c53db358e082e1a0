"""How a board can be stored: one protocol, several representations, one suite of laws.

Modules, each standing on those above it
----------------------------------------
board          what a board is: one position, changed in place move by move
counters       boards that may keep the marks of every line up to date
list_board     columns of lists
list1d_board   one flat list, column by column
bit_board      two integers
bit_board_3x3  two integers and tables of all that nine cells can show
numpy_board    an array of booleans
registry       all of them by name, and the one that the pipeline uses
laws           what every board must keep, and who breaks it

Every ``make`` ends and every ``unmake`` begins with the same three lines, on purpose: a call to a
method that they share would take a tenth of their time.
"""
