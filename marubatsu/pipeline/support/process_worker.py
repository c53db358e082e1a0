"""A process that computes for another one. Only `pipeline.support.processes` starts it.

Standard input brings pickled (function, arguments). Standard output takes the pickled results, each
(success, result or exception). The worker ends when standard input ends.
"""

import os
import pickle
import sys


def main() -> None:
    """Run requests until standard input ends."""
    requests, results = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # Printed text must not mix with the results.
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
        except OSError:  # The parent has ended.
            os._exit(1)


if __name__ == "__main__":
    main()
