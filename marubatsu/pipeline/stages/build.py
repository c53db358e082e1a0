"""Run the stages that are not up to date, and publish their tables; say why each one runs.

Stages compute in this thread. Another thread encodes, hashes and writes each finished table under
a partial name, while the next stage computes.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.input_error import counted
from marubatsu.engine.rules.size_limits import require_few
from marubatsu.pipeline.stages.stage import BuildContext, Stage
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.events import held_back, step
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.manifest import Entry, Manifest, entry_of
from marubatsu.pipeline.tables.schemas import Columns
from marubatsu.version import __version__

_WRITERS = 2


@dataclass(frozen=True)
class Built:
    """The result of a build: the tables made, the tables kept, and the manifest."""

    made: tuple[str, ...]
    kept: tuple[str, ...]
    manifest: Manifest
    rewritten: bool  # whether any file was rewritten


def manifest_or_blank(data_set: DataSet) -> Manifest:
    """Read the manifest; return an empty one when it is missing or damaged."""
    try:
        manifest = data_set.manifest()
    except DataError:
        manifest = None
    return manifest or Manifest(data_set.game.notation, __version__, {})


def why_make(
    data_set: DataSet, stage: Stage, old: Manifest, contents: Callable[[], Mapping[str, str]]
) -> str:
    """Say why a stage has to make its table; "" where its file is up to date.

    ``contents`` returns the hashes of the rows of its inputs.
    """
    entry = old.files.get(stage.table.file)
    if entry is None:
        return "there is no such file yet"
    from marubatsu.pipeline.stages.staleness import difference, origin_of_stage
    from marubatsu.pipeline.tables.integrity import Problem, file_or_problem  # reads layouts

    file = file_or_problem(data_set, old, stage.table.file, is_copied=False)
    if isinstance(file, Problem):
        return f"its file is {file.kind}: {file.reason}"
    stale = difference(data_set, origin_of_stage(stage), entry, contents)
    return stale.reason if stale else ""


def build(
    data_set: DataSet,
    stages: Sequence[Stage],
    *,
    progress: Callable[[float], None] = lambda share: None,
) -> Built:
    """Bring the tables of some stages up to date; current tables stay untouched.

    A stage runs when its file is missing or damaged, or when its code, its table's
    declaration, or the content of its inputs differ from the manifest.
    Raises DataError when the two trees or two readings of a rule differ, or the folder cannot be
    written, and TooLargeError for a game out of reach; the data set then stays as it was (or the
    error says that it did not). Raises Interrupted after Ctrl-C or SIGTERM, when no step is half
    done.
    """
    with held_back() as signals:

        def reached(share: float) -> None:
            signals.stop_if_asked()
            progress(share)

        # The first stage, or its first part, enumerates the positions.
        size = min(require_few(data_set.game), MAX_POSITIONS)
        first = stages[0].seconds(size) if stages else 1.0
        total = first + sum(stage.seconds(size) for stage in stages)
        with BuildContext(data_set.game, lambda share: reached(share * first / total)) as context:
            if not data_set.folder.exists():
                _ = context.positions  # A game out of reach must not leave an empty folder.
            with data_set.lock(write=True, waiting=signals.at_once):
                data_set.remove_partials()
                try:
                    shares = [stage.seconds(size) / total for stage in stages]
                    return _build(data_set, stages, context, shares, reached)
                finally:
                    data_set.remove_partials()


def _build(
    data_set: DataSet,
    stages: Sequence[Stage],
    context: BuildContext,
    shares: Sequence[float],
    progress: Callable[[float], None],
) -> Built:
    """Run the stages; each takes its share of the whole build, and what is left comes before."""
    old = manifest_or_blank(data_set)
    entries: dict[str, Callable[[], Entry]] = {}
    made = []
    with ThreadPoolExecutor(_WRITERS) as writers:
        done = 1.0 - sum(shares)
        for stage, share in zip(stages, shares, strict=True):
            context.progress = partial(_within, progress, done, share)
            context.progress(0.0)
            done += share
            inputs = {table.name: entries[table.name] for table in stage.inputs}
            why = why_make(data_set, stage, old, partial(_contents, inputs))
            if not why:
                entries[stage.table.name] = partial(old.files.__getitem__, stage.table.file)
                step("stage", f"{stage.table.name} is up to date", table=stage.table.name)
                continue
            step("stage", f"making {stage.table.name}: {why}", table=stage.table.name, why=why)
            made.append(stage.table.name)
            columns = stage.make(context)
            written = writers.submit(_write, data_set, stage, columns, inputs)
            entries[stage.table.name] = written.result
        new = {stage.table.file: entries[stage.table.name]() for stage in stages}
    progress(1.0)
    manifest = old.with_files(__version__, new)
    rewritten = bool(made) or manifest != old or bool(data_set.wrong_dictionary(manifest))
    if rewritten:
        data_set.publish(
            [stage.table.file for stage in stages if stage.table.name in made], manifest
        )
    kept = tuple(stage.table.name for stage in stages if stage.table.name not in made)
    return Built(tuple(made), kept, manifest, rewritten)


def _within(progress: Callable[[float], None], before: float, whole: float, share: float) -> None:
    progress(min(1.0, before + share * whole))


def _contents(inputs: Mapping[str, Callable[[], Entry]]) -> dict[str, str]:
    """Wait for the inputs of a stage, and return the hashes of their rows."""
    return {name: entry().content for name, entry in inputs.items()}


def _write(
    data_set: DataSet, stage: Stage, columns: Columns, inputs: Mapping[str, Callable[[], Entry]]
) -> Entry:
    from marubatsu.pipeline.tables.parquet import encode

    encoded = encode(stage.table, data_set.game, columns)
    data = memoryview(encoded.data)
    data_set.write_partial(stage.table.file, data)
    step(
        "file",
        f"wrote {stage.table.file}: {encoded.rows:,} rows, {len(data):,} bytes",
        file=stage.table.file,
        rows=encoded.rows,
        bytes=len(data),
    )
    return entry_of(encoded, stage.made_by, _contents(inputs))


def summary(data_set: DataSet, built: Built) -> str:
    """Write for people which tables a build made and kept, and their sizes."""
    tables = built.manifest.tables
    rows = [
        f"{name:<13}{counted(tables[name].rows, 'row'):>12}{tables[name].bytes:>11,} bytes  "
        + ("built" if name in built.made else "kept")
        for name in (*built.made, *built.kept)
    ]
    lines = [f"{data_set.game.name} in {near(data_set.folder)}", *rows]
    nodes = next((tables[t].rows for t in ("tree_bfs", "tree_dfs") if t in tables), 0)
    if nodes:
        lines.append(f"{nodes:,} nodes with the root, {nodes - 1:,} made by a move")
    if not built.rewritten:
        lines.append("everything was up to date, nothing was rewritten")
    return "\n".join(lines)
