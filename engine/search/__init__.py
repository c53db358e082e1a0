"""Searches: one driver with options, the same result everywhere.

A node here is what the tutorial series counts: an entry into the recursive function.

Modules, each standing on those above it
----------------------------------------
options      what to search with, and what comes out
branches     the moves of a position in the order searched, with the values of its leaves
kernel       the recursion, and the table around it
trace        the events of a search
monte_carlo  random playouts
run          kernel, table, trace and stop put together
driver       a search with its options, ready to be run
"""
