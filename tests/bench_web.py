"""`make bench`, fourth part: the explorer's server and its page.

Every answer is counted: a server that drops requests is no server.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from tests.browser import browsing, executable, serving, watched

AT_ONCE, SECONDS = 200, 30.0
BOARDS = [".........", "o........", "....o....", "o...x....", "ox.......", "zzz"]


def hammer(port: int) -> None:
    """Ask for positions, 200 at a time for 30 seconds, each over a connection that stays open."""
    until = time.monotonic() + SECONDS

    def client(number: int) -> tuple[int, list[float]]:
        lost, waits = 0, []
        with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            while time.monotonic() < until:
                board = BOARDS[number % len(BOARDS)]
                start = time.perf_counter()
                connection.request("GET", f"/api/v1/position/{board}")
                response = connection.getresponse()
                response.read()
                waits.append(time.perf_counter() - start)
                lost += response.status != (404 if board == "zzz" else 200)
        return lost, waits

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(client, range(AT_ONCE)))
    waits = sorted(wait for _, each in found for wait in each)
    assert sum(lost for lost, _ in found) == 0
    assert all(each for _, each in found)
    print(
        f"{AT_ONCE} requests at a time for {SECONDS:.0f} s: {len(waits) / SECONDS:,.0f} a second, "
        f"median {1e3 * statistics.median(waits):.0f} ms, "
        f"95 % within {1e3 * waits[len(waits) * 95 // 100]:.0f} ms, none lost"
    )


def first_view(data: Path) -> None:
    """Time a cold start of the server, and the page until it can be played on."""
    waits = []
    with browsing() as browser:
        for _ in range(5):
            start = time.perf_counter()
            with serving(data) as port, watched(browser, f"http://127.0.0.1:{port}/") as page:
                page.wait_for_selector(".moves tbody tr")
                waits.append(time.perf_counter() - start)
    print(f"server and first view, cold: {min(waits):.2f} s to {max(waits):.2f} s")


def main() -> None:
    """Measure, print, assert."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        build = [sys.executable, "-m", "pipeline", "build", "--data", folder]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        print()
        with serving(data) as port:
            hammer(port)
        if executable():
            first_view(data)
        else:
            print("there is no chromium: the page is not timed")


if __name__ == "__main__":
    main()
