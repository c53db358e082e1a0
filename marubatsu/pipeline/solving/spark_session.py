"""Start Spark for one run, silence it, stop it; turn its errors into one sentence."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.support.errors import DataError, MarubatsuError, UsageError
from marubatsu.pipeline.support.importing import EXTRAS
from marubatsu.pipeline.support.machine import half_the_memory
from marubatsu.pipeline.tables.parquet import WRITER
from marubatsu.version import __version__

_QUICK = "-XX:TieredStopAtLevel=1"
"""Java compiles its code only once: it carries bytes, and better code is not worth the time."""

SETTINGS = {
    "spark.app.name": "marubatsu",
    "spark.cleaner.periodicGC.interval": "5min",  # Removes shuffle files of finished plies.
    "spark.driver.defaultJavaOptions": _QUICK,
    "spark.executor.defaultJavaOptions": _QUICK,
    "spark.speculation": "false",  # Two tasks would write the same part at the same time.
    "spark.ui.showConsoleProgress": "false",
}
LOCAL_SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
}
"""The settings of a Spark inside this machine; no other machine connects to it."""

INSTALLED = f"marubatsu {__version__}, {WRITER}, {VERSION}"
"""What must be the same on the driver and on all executors."""

_CAUSE = re.compile(  # What Java and Python say.
    r'^(?:(?:Caused by:|Exception in thread "[^"]+") (?:[\w.$]+: )*|(?=\w+Error: ))(.+)$',
    re.MULTILINE,
)


def require_spark() -> None:
    """Raise ModuleNotFoundError without PySpark, UsageError, with the remedy, without Java."""
    for library in EXTRAS["spark"]:
        import_module(library)
    home = os.environ.get("JAVA_HOME")
    if not shutil.which("java", path=str(Path(home, "bin")) if home else None):
        where = "JAVA_HOME" if home else "PATH"
        raise UsageError(
            f"the engine spark needs Java, and {where} has none: install a JRE of version 17 or 21"
        )


def require_installed(version: str) -> None:
    """Raise DataError on an executor where something else is `INSTALLED` than on the driver."""
    if version != INSTALLED:
        raise DataError(
            "the executors have another version of marubatsu or pyarrow than the driver: "
            "install the same on all machines"
        )


@contextmanager
def session(master: str | None, memory: int | None, log: Path, kept: str) -> Iterator[Any]:
    """Start Spark, with its own JVM that prints nothing on the terminal; stop both at the end.

    Raises DataError for errors in them, also inside the block; it says what is ``kept``.
    """
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    given = dict(SETTINGS)
    if master:
        given["spark.master"] = master
    if memory:
        given |= dict.fromkeys(("spark.driver.memory", "spark.executor.memory"), f"{memory >> 20}m")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_DRIVER_MEMORY", f"{half_the_memory() >> 20}m")
    launched = SparkConf(loadDefaults=False).setAll(list(given.items()))
    with log.open("wb") as out, _told(log, kept):
        gateway = launch_gateway(launched, {"stdout": out, "stderr": subprocess.STDOUT})
        try:
            with _told(log, kept):  # Java still runs here and can report the error.
                SparkContext._ensure_initialized(gateway=gateway)  # noqa: SLF001
                conf = SparkConf()  # It now includes Spark's own configuration.
                if conf.get("spark.master", "local").startswith("local"):
                    conf.setAll(list(LOCAL_SETTINGS.items()))
                context = SparkContext(conf=conf)
                try:
                    yield context
                finally:
                    context.stop()
        finally:
            SparkContext._gateway = SparkContext._jvm = None  # noqa: SLF001
            gateway.shutdown()
            gateway.proc.stdin.close()
            gateway.proc.wait()


@contextmanager
def _told(log: Path, kept: str) -> Iterator[None]:
    """Turn an error of Spark into a DataError that says what is kept."""
    try:
        yield
    except (MarubatsuError, OSError):
        raise
    except Exception as error:
        raise DataError(f"{cause(error, log)}; {kept}") from error


def cause(error: Exception, log: Path) -> str:
    """Return the cause of an error: our own sentence, else the innermost cause in Spark's text."""
    text = str(error)
    if ours := re.search(r"errors\.(?:Data|Damaged)Error: (.+?)(?:; the plies that are done.*)?$",
                         text, re.MULTILINE):  # fmt: skip
        return ours[1]
    if "JAVA_GATEWAY_EXITED" in text:  # The log holds what Java printed before.
        text = log.read_text(errors="replace")
    causes = _CAUSE.findall(text) or [line for line in text.splitlines() if line.strip()]
    return f"Spark failed: {(causes or [type(error).__name__])[-1][:300]}"
