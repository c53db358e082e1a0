"""Where the command starts: quiet about Ctrl-C from the first moment that is ours."""

import signal


def main() -> None:
    """Load the commands and run one; Ctrl-C while they load just ends the process."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from pipeline.cli import main as run

    signal.signal(signal.SIGINT, handler)
    run()


if __name__ == "__main__":
    main()
