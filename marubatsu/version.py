"""The version, and when this process began to run our code."""

import time

STARTED = time.perf_counter()
"""Commands print the time since then."""

__version__ = "0.3.0"
