"""`make bench`, fourth part: the explorer's server and its page.

Every answer is counted, and a lost request fails the benchmark.
"""

import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from tests.helpers.page.browser import browsing, executable, serving, watched
from tools.benchmarks.bench_tree import SHORT
from tools.generators.run_pages import CHECKOUT

AT_ONCE, SECONDS = 200, 0.1 if SHORT else 30.0  # each asks at least once
BOARDS = [".........", "o........", "....o....", "o...x....", "ox.......", "zzz"]

PLAYED, STEPS = 2, 10 if SHORT else 100  # seconds, steps of each replay
REPLAYS = [
    ("building breadth first", "building-bfs"),
    ("building depth first", "building-dfs"),
    ("scoring", "scoring"),
    ("alpha-beta of 18,297 nodes", "alphabeta"),
    ("two searches in step", "alphabeta&beside=scout"),
][-1 if SHORT else 0 :]


def hammer(port: int) -> None:
    """Request positions for some seconds, over 200 connections at a time that stay open."""
    began = time.monotonic()

    def client(number: int) -> tuple[int, list[float]]:
        lost = 0
        waits: list[float] = []
        with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            while not waits or time.monotonic() < began + SECONDS:
                board = BOARDS[number % len(BOARDS)]
                start = time.perf_counter()
                connection.request("GET", f"/api/v2/games/tictactoe/positions/{board}")
                response = connection.getresponse()
                response.read()
                waits.append(time.perf_counter() - start)
                lost += response.status != (404 if board == "zzz" else 200)
        return lost, waits

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(client, range(AT_ONCE)))
    seconds = time.monotonic() - began
    waits = sorted(wait for _, each in found for wait in each)
    assert sum(lost for lost, _ in found) == 0
    print(
        f"{AT_ONCE} requests at a time for {seconds:.0f} s: {len(waits) / seconds:,.0f} a second, "
        f"median {1e3 * statistics.median(waits):.0f} ms, "
        f"95 % within {1e3 * waits[len(waits) * 95 // 100]:.0f} ms, none lost"
    )


def first_view(data: Path) -> None:
    """Time a start of the server and the page in an open browser until it accepts moves."""
    waits = []
    with browsing() as browser:
        for _ in range(1 if SHORT else 5):
            page = browser.new_page()
            start = time.perf_counter()
            with serving(data) as port:
                page.goto(f"http://127.0.0.1:{port}/")
                page.wait_for_selector(".truth:not(:empty)")
                waits.append(time.perf_counter() - start)
                page.close()
    median = statistics.median(waits)
    print(f"server and first view: {median:.2f} s, {min(waits):.2f} s to {max(waits):.2f} s")


def frames(data: Path) -> None:
    """Time each frame of replays, from the frame's start until it is drawn."""
    last = f"""() => {{
        const speed = document.querySelector('.search-pane [data-control=speed]');
        speed.selectedIndex = speed.options.length - 1;
        speed.dispatchEvent(new Event('change'));
        const play = () => document.querySelector('.search-pane [data-control=play]').click();
        play();
        setTimeout(play, {PLAYED * 1000});
    }}"""
    step = "() => document.querySelector('.search-pane [data-control=next]').click()"
    with browsing() as browser, serving(data) as port:
        for name, show in REPLAYS:
            costs = {}
            for way in ("played", "stepped"):
                address = f"http://127.0.0.1:{port}/#pane=search&show={show}&step=0"
                with watched(browser, address) as page:
                    page.wait_for_selector("[data-counter][data-value]", timeout=60_000)
                    page.wait_for_load_state("networkidle")
                    page.evaluate("() => { window.marubatsuFrames.length = 0; }")
                    if way == "played":
                        page.evaluate(last)
                        page.wait_for_timeout(PLAYED * 1000)
                    else:
                        for _ in range(STEPS):
                            page.evaluate(step)
                            page.wait_for_timeout(20)
                    found = sorted(page.evaluate("() => window.marubatsuFrames"))
                assert len(found) >= STEPS // 2, (show, way, len(found))
                costs[way] = found[len(found) * 95 // 100]
            print(
                f"{name}: 95 % of the frames within {costs['played']:.1f} ms as fast as possible, "
                f"within {costs['stepped']:.1f} ms step by step"
            )


def main() -> None:
    """Measure, print, assert."""
    data = CHECKOUT / "data"
    build = [sys.executable, "-m", "marubatsu", "build", "--data", str(data)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    print()
    with serving(data) as port:
        hammer(port)
    if executable():
        first_view(data)
        frames(data)
    else:
        print("there is no chromium: the page is not timed")


if __name__ == "__main__":
    main()
