"""What a user is told when something is wrong: one sentence, and an exit code."""


class MarubatsuError(Exception):
    """A fault that a user can understand and mend; ``exit_code`` goes to the shell."""

    exit_code = 1


class UsageError(MarubatsuError):
    """The command was asked for something that does not exist or makes no sense."""

    exit_code = 2


class DataError(MarubatsuError):
    """The data set is missing, damaged, or cannot be read or written."""
