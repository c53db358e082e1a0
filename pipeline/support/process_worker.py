"""A process that computes for another one. Only `pipeline.support.processes` starts it.

Standard input brings pickled (function, arguments) and standard output takes the pickled results,
each (whether it went well, result or exception). The end of standard input is the worker's end.
"""

import os
import pickle
import sys


def main() -> None:
    """Do what one is told until nobody is there to tell."""
    requests, results = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # Whatever prints must not get between the results.
    while True:
        try:
            function, arguments = pickle.load(requests)  # noqa: S301, our parent wrote it
        except EOFError:
            return
        try:
            answer = True, function(*arguments)
        except Exception as error:  # noqa: BLE001, it is raised where the result is wanted
            answer = False, error
        try:
            pickle.dump(answer, results, pickle.HIGHEST_PROTOCOL)
            results.flush()
        except OSError:  # Nobody is there to hear it.
            os._exit(1)


if __name__ == "__main__":
    main()
