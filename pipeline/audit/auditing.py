"""Judge an AI by what is known about a game: its tables where they fit, else its solution."""

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.agents.address import Ours, Subject
from marubatsu.pipeline.agents.agent_process import AgentLimits
from marubatsu.pipeline.audit import by_solution, by_tables, saved
from marubatsu.pipeline.audit.verdicts import Audit
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.errors import UsageError

DEFAULT_SAMPLE = 10_000
"""Classes that an audit by a solution asks about."""


def run(
    data_set: DataSet,
    whom: Subject,
    limits: AgentLimits,
    repeats: int = 1,
    sample: int | str | None = None,
    seed: int = 0,
    save_as: str | None = None,
) -> Audit:
    """Judge an AI in every position by the tables, or in a sample of classes by the solution.

    With a sample, a number of classes or ``all``, the solution judges in any case; the seed draws
    it. Under the name ``save_as``, the answers of a foreign AI are kept beside the tables. Raises
    DataError when the data is missing or damaged, before or after, or when the AI does not load;
    UsageError for numbers that make no sense, and for an AI that cannot be saved.
    """
    if not 1 <= repeats <= 1000:
        raise UsageError(f"--repeat {repeats}: expected 1 to 1000")
    if seed < 0:
        raise UsageError(f"--seed {seed}: expected 0 or more")
    if save_as is not None:
        saved.require_name(save_as)
        if isinstance(whom, Ours):
            raise UsageError(f"--save keeps a foreign AI; {whom.name} is one of ours")
    if sample is None and by_tables.has_tables_of_ais(data_set):
        return by_tables.run(data_set, whom, limits, repeats, save_as)
    if save_as is not None:
        raise UsageError(
            "--save keeps answers in every position of a game with tables of AIs, not in classes "
            f"of a solved one: leave out --sample, or ask about a smaller game than "
            f"{data_set.game.name}"
        )
    size = _size(str(DEFAULT_SAMPLE if sample is None else sample))
    return by_solution.run(data_set, whom, limits, repeats, size, seed)


def _size(sample: str) -> int | None:
    """Return the size of a sample, None for all classes. Raises UsageError."""
    if sample == "all":
        return None
    if not (sample.isascii() and sample.isdecimal() and int(sample[:19]) > 0):
        raise UsageError(f"--sample {quote(sample)}: expected a number of classes, or all")
    return int(sample[:19])
