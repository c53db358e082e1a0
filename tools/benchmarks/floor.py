"""The floor under `make tree`: only import numpy and pyarrow, and write finished tables.

Run by `tools.benchmarks.bench_tree` as a process of its own: ``floor.py FOLDER`` reads
``FOLDER/*.arrow`` and ``FOLDER/options.json``, and writes ``FOLDER/written/*.parquet`` with the
same encodings.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def main() -> None:
    """Write every finished table."""
    folder = Path(sys.argv[1])
    options = json.loads((folder / "options.json").read_text())
    (folder / "written").mkdir(exist_ok=True)
    assert np.__version__
    for name, how in options.items():
        ready = pa.ipc.open_file(pa.memory_map(str(folder / f"{name}.arrow"))).read_all()
        pq.write_table(ready, folder / "written" / f"{name}.parquet", **how)


if __name__ == "__main__":
    main()
