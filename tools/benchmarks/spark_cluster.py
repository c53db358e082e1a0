"""`make cluster`: solve a game on a Spark cluster of two workers here, and compare the bytes.

Master and workers are processes of their own and listen on 127.0.0.1 only; the driver is the
command itself. ``python -m tools.benchmarks.spark_cluster GAME`` solves another game than
4x4k4-gravity.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving import local_engine
from tests.helpers.data.data_sets import contents

WORKERS = 2
HOST = "127.0.0.1"
PATIENCE = 120.0  # seconds


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


@contextmanager
def started(log: Path, kind: str, *arguments: str) -> Iterator[None]:
    """Run a master or a worker until the block ends."""
    from pyspark.find_spark_home import _find_spark_home

    name = f"org.apache.spark.deploy.{kind.lower()}.{kind}"
    command = [str(Path(_find_spark_home(), "bin", "spark-class")), name, *arguments]
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out) as process:
        try:
            yield
        finally:
            process.terminate()


def alive(page: str) -> int:
    """Return the number of live workers that a master knows."""
    try:
        with urlopen(page) as answer:  # noqa: S310, it is our own
            return int(json.load(answer)["aliveworkers"])
    except (URLError, json.JSONDecodeError):  # The master, or its page, is still starting.
        return 0


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """Start a master and its workers, one core each; yield the master's URL."""
    port, page = free_port(), free_port()
    url = f"spark://{HOST}:{port}"
    here = ["--host", HOST, "--webui-port"]
    with ExitStack() as stack:
        master = started(folder / "master.log", "Master", *here, str(page), "--port", str(port))
        stack.enter_context(master)
        for number in range(WORKERS):
            name = f"worker-{number}"
            takes = ["--cores", "1", "--memory", "2g", "--work-dir", str(folder / name)]
            stack.enter_context(started(folder / f"{name}.log", "Worker", url, *here, "0", *takes))
        until = time.monotonic() + PATIENCE
        while alive(f"http://{HOST}:{page}/json/") < WORKERS:
            assert time.monotonic() < until, f"the workers do not come: see {folder}"
            time.sleep(0.2)
        yield url


def main(name: str) -> None:
    """Solve a game on a cluster and here; compare every byte."""
    os.environ["SPARK_LOCAL_IP"] = HOST  # The address that all processes bind to, web pages too.
    game = Game(name)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with cluster(folder) as url:
            command = [sys.executable, "-m", "marubatsu", "solve", game.name, "--engine", "spark"]
            command += ["--master", url, "--memory", "1GB", "--data", str(folder / "spark")]
            subprocess.run(command, check=True)
        took_part = [list(folder.glob(f"worker-{number}/app-*")) for number in range(WORKERS)]
        assert all(took_part), took_part
        local_engine.solve(folder / "local", game, 10**9)
        spark, here = (contents(folder / engine / game.name) for engine in ("spark", "local"))
        assert spark == here
    print(f"{WORKERS} workers wrote {len(here)} files, the same bytes as the local engine")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["4x4k4-gravity"])
