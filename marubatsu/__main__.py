"""The entry point of the command, which handles signals from the start."""

import os
import signal
import sys
from types import FrameType, TracebackType


def main() -> None:
    """Load the commands and run one.

    Ctrl-C while they load just ends the process. SIGTERM raises SystemExit, so that open
    blocks end their processes and remove partial files.
    """
    # Nothing here multiplies matrices. The threads for that, one a core, would wait busily whenever
    # NumPy is imported, and take a third of the processor time of a short command.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.excepthook = _tell
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from marubatsu.pipeline.support.events import mend_streams

    mend_streams()
    from marubatsu.cli.commands import main as run

    signal.signal(signal.SIGINT, handler)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _end)
    try:
        run()
    except KeyboardInterrupt:  # A second Ctrl-C, during the handling of the first.
        sys.exit(128 + signal.SIGINT)
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):  # The process is ending.
            signal.signal(number, signal.SIG_IGN)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Show an error that nothing handled, unless it is one more Ctrl-C while the process ends."""
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


if __name__ == "__main__":
    main()
