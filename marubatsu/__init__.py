"""Solve a small game completely, publish it as data, judge any AI against it."""

import time

__version__ = "0.1.0"

STARTED = time.perf_counter()
"""As near to the start of the process as our code gets: the times that commands print."""
