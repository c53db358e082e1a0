"""The errors that users see: one sentence and an exit code."""


class MarubatsuError(Exception):
    """An error that a user can understand and fix; ``exit_code`` goes to the shell."""

    exit_code = 1


class UsageError(MarubatsuError):
    """A request for something that does not exist or makes no sense."""

    exit_code = 2


class DataError(MarubatsuError):
    """The data set is missing, damaged, or cannot be read or written."""
