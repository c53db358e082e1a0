"""A search path on which some programs are missing, as on a bare machine.

``python -m tools.bare_path FOLDER PATTERN...`` prints PATH without the programs whose names match.
A folder of PATH that has such a program is replaced by one inside of FOLDER, with links to its
other programs.
"""

import os
import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path


def bare_path(folder: Path, patterns: Sequence[str]) -> str:
    """Return PATH without the programs whose names match a pattern; links go into a folder."""
    places = []
    for number, place in enumerate(os.environ["PATH"].split(os.pathsep)):
        programs = list(Path(place).iterdir()) if Path(place).is_dir() else []
        kept = [path for path in programs if not any(fnmatch(path.name, p) for p in patterns)]
        if len(kept) == len(programs):
            places.append(place)
            continue
        links = folder / str(number)
        links.mkdir()
        for path in kept:
            (links / path.name).symlink_to(path)
        places.append(str(links))
    return os.pathsep.join(places)


if __name__ == "__main__":
    print(bare_path(Path(sys.argv[1]), sys.argv[2:]))
