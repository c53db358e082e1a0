"""The leaderboard of the page: every number, where it leads, puzzles, audits of files."""

import json
from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.engine.search.roster import all_ais
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import report
from tests.helpers import CHECKOUT
from tests.helpers.page import pages
from tests.helpers.page.browser import Page, Visit, hold
from tests.helpers.page.pages import at, board_of, drop, go, is_over, rows_of, status_of, until
from tests.helpers.processes.commands import run_here

FOREIGN = f"{CHECKOUT}/examples/corners.py:choose"


def records(catalog: Catalog, name: str) -> list[dict[str, Any]]:
    return catalog.ask(report(name)).records()


@pytest.fixture(scope="module")
def audit(root: Path) -> dict[str, Any]:
    """Return the audit of a foreign AI, as the command writes it."""
    done = run_here("audit", FOREIGN, "--format", "json", data=root)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_gallery_shows_every_blunder(visit: Visit, catalog: Catalog) -> None:
    expected = [row for row in records(catalog, "blunders_by_class") if row["ai"] == "ai14s"]
    with visit("pane=leaderboard&ai=ai14s&part=blunders") as page:
        page.wait_for_selector(".audit-view .board-picture")
        assert f"{len(expected)} of {len(expected)} blunders" in page.inner_text(".audit-view")
        labels = page.locator(".gallery .board-picture").evaluate_all(
            "pictures => pictures.map(picture => picture.getAttribute('aria-label'))"
        )
    shown = [label.rpartition(" ")[2].strip(".") for label in labels]
    assert shown == [row[name].strip(".") for row in expected for name in ("board_after", "board")]


def test_the_matrix_is_that_of_the_report_and_seats_players(visit: Visit, catalog: Catalog) -> None:
    read = """rows => rows.map((row) => {
        const [circle, ...cells] = row.cells;
        return [circle.innerText, ...cells.map((cell) => cell.title)];
    })"""
    with visit("pane=leaderboard&part=matches&line=b2") as page:
        page.wait_for_selector(".matrix tbody td")
        order = page.locator(".matrix thead th").all_inner_texts()
        shown = {
            (circle, cross): label
            for circle, *labels in page.locator(".matrix tbody tr").evaluate_all(read)
            for cross, label in zip(order, labels, strict=True)
        }
        page.click('[title^="ai3 (circle) \u2013 ai6s (cross)"]')
        until(page, lambda: board_of(page) == "." * 9)
        assert page.inner_text(".players .who").split()[1::3] == ["ai3", "ai6s"]
    pairs = records(catalog, "pairs")
    assert len(shown) == len(pairs)
    for row in pairs:
        label = shown[row["circle_ai"], row["cross_ai"]]
        results = [str(row[f"fraction_{result}"]) for result in ("circle", "draw", "cross")]
        for part in (row["circle_ai"], row["cross_ai"], *results):
            assert part in label


def test_the_bars_are_those_of_the_report(visit: Visit, catalog: Catalog) -> None:
    options = ("order_all", "shortest_victory", "init_window", "use_table")
    rows = [row for row in records(catalog, "orderings")
            if row["scope"] == "empty board" and not any(map(row.get, options))]  # fmt: skip
    with visit("pane=leaderboard&part=orderings") as page:
        page.wait_for_selector(".audit-view svg.bars")
        found = page.locator(".audit-view svg.bars title").evaluate_all(
            "titles => titles.map(title => title.textContent)"
        )
    assert len(found) == len(rows) > 5
    for row in rows:
        name = row["ordering"] or "no ordering"
        assert any(name in text and f"{row['nodes']:,}" in text for text in found), row


DOTS = """() => [...document.querySelectorAll('[data-dot]')].map(row => [
  row.dataset.dot, row.querySelector('.value').textContent.replace('\\u00a0', ' '),
  ...[...row.querySelectorAll('circle')].map(circle => parseFloat(circle.getAttribute('cx')))])"""


def test_the_dots_and_verdicts_are_those_of_the_reports(visit: Visit, catalog: Catalog) -> None:
    """Each row leads by key to the worst blunder; of an AI without any, to the hardest position."""
    chances = {row["ai"]: row["best_move_percent"] for row in records(catalog, "expected_loss")}
    weak = {row["ai"]: row for row in records(catalog, "weak")}
    with visit("pane=leaderboard") as page:
        page.wait_for_selector("[data-dot]")
        shown = {name: rest for name, *rest in page.evaluate(DOTS)}
        verdicts = {row[0]: row for row in rows_of(page, ".verdicts")}
        strong = records(catalog, "strong")
        assert len(shown) == len(verdicts) == len(strong) == len(all_ais())
        for row in strong:
            percent = 100 * row["positions_right"] / row["positions"]
            right = f"{row['positions_right']:,} of {row['positions']:,}"
            assert shown[row["ai"]] == [
                f"{percent:.1f} % · {right}",
                pytest.approx(chances[row["ai"]]),
                pytest.approx(percent),
            ]
            cells = verdicts[row["ai"]]
            assert cells[3] == f"{row['classes_right']} of {row['classes']}"
            assert cells[4] == right
            assert cells[5] == ("yes" if row["strongly_solved"] else "no")
            assert cells[8] == ("yes" if weak[row["ai"]]["weakly_solved"] else "no")
            assert float(cells[9]) == pytest.approx(row["mean_plies_lost"], rel=5e-4)
            assert len(cells[9]) <= len("12.3456")
        order = [share for _, _, share in shown.values()]
        assert order == sorted(order, reverse=True)
        blunders = [row for row in records(catalog, "blunders_by_class") if row["ai"] == "ai12s"]
        worst = max(blunders, key=lambda row: (row["loss"], row["chance_percent"]))
        hardest = records(catalog, "critical_classes")[0]
        for ai, board in (("ai12s", worst["board"]), ("perfect", hardest["board"])):
            go(page, "pane=leaderboard")
            page.focus(f'[data-dot="{ai}"]')
            page.keyboard.press("Enter")
            until(page, lambda board=board: board_of(page) == board)  # type: ignore[misc]
            assert f"ai={ai}" in page.url
            page.wait_for_selector(".audit-view dl")


def test_the_map_by_ply_is_that_of_the_report(visit: Visit, catalog: Catalog) -> None:
    wanted: dict[str, dict[int, dict[str, Any]]] = {}
    for row in records(catalog, "blunders_by_ply"):
        wanted.setdefault(row["ai"], {})[row["ply"]] = row
    with visit("pane=leaderboard&part=plies") as page:
        page.wait_for_selector(".matrix tbody td")
        plies = [int(text[4:]) for text in page.locator(".matrix thead th").all_inner_texts()]
        assert plies == sorted(wanted["ai2"])
        shown = {row[0]: row[1:] for row in rows_of(page, ".matrix")}
        assert shown.keys() == wanted.keys()
        for ai, fields in shown.items():
            for ply, text in zip(plies, fields, strict=True):
                row = wanted[ai][ply]
                percent = 100 * (row["critical"] - row["wrong"]) / row["critical"]
                least = ">" in text or "<" in text  # Only exact values are written as 0 or 100.
                assert least or int(text) == round(percent + 1e-9), (ai, ply)
                assert (text == "100") == (row["wrong"] == 0)
        page.focus(".matrix tbody td[tabindex='0']")
        for key in ("End", "Home", "ArrowDown", "ArrowRight", "ArrowUp"):
            page.keyboard.press(key)
        place = page.evaluate("() => document.activeElement.cellIndex")
        assert place == 2
        output = page.inner_text(".readout")
        assert f", ply {plies[1]}: right in" in output
        page.keyboard.press("Enter")
        until(page, lambda: board_of(page).count(".") == 9 - plies[1])
        page.click('[title^="ai14s, ply 2"]')
        blunders = {row["board"] for row in records(catalog, "blunders_by_class")
                    if (row["ai"], row["ply"]) == ("ai14s", 2)}  # fmt: skip
        until(page, lambda: board_of(page) in blunders)


def test_a_phone_shows_the_board_that_a_dot_opens(visit: Visit) -> None:
    """And, on the first screen of a game, the board and what controls it."""
    size = {"width": 360, "height": 740}
    with visit(viewport=size) as page:
        until(page, lambda: pages.is_settled(page, ""))
        for name in ("new", "undo", "hints"):
            box = page.locator(pages.control(name)).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= size["height"]
        go(page, "pane=leaderboard")
        page.click('[data-dot="ai2"]')
        until(page, lambda: board_of(page) != "." * 9)
        top = "each => each.getBoundingClientRect().top"
        board = page.locator("[data-cell]").first
        until(page, lambda: 0 <= board.evaluate(top) < size["height"])


def test_a_foreign_audit_is_read_and_listed_among_ours(
    visit: Visit, audit: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "audit.json"
    file.write_text(json.dumps(audit))
    verdicts, key = audit["verdicts"], f"audit:{FOREIGN}"
    right = f"{verdicts['positions_right']:,} of {verdicts['positions']:,}"
    with visit("pane=leaderboard") as page:
        page.wait_for_selector("[data-dot]")
        page.click('[data-part="file"]')
        page.set_input_files(".drop input", file)
        page.wait_for_selector(".drop ~ div h2 .badge")
        assert right in page.inner_text(".audit-view")
        assert "could read the answers" not in page.inner_text(".audit-view")
        page.click("text=See it among the built-in AIs")
        page.wait_for_selector(f'[data-dot="{key}"] .badge')
        names = page.locator("[data-dot]").evaluate_all("all => all.map(e => e.dataset.dot)")
        assert len(names) == len(all_ais()) + 1
        assert names.index("monte_carlo") < names.index(key) < names.index("ai6")
        assert right in page.inner_text(f'[data-dot="{key}"]')
        page.click('[data-part="matches"]')
        versus = next(row for row in audit["matches"]
                      if (row["opponent"], row["side"]) == ("ai12s", "cross"))  # fmt: skip
        label = page.get_attribute(f'[title^="ai12s (circle) \u2013 {FOREIGN}"]', "title")
        assert f"circle wins {versus['lose']}" in str(label)
        page.click('[data-part="plies"]')
        page.click(f'[title^="{FOREIGN}, ply 1"]')
        first = audit["blunders"][0]
        until(page, lambda: board_of(page) == first["board"])
        page.click('[data-part="blunders"]')
        shown = {row["class"]: row["board"] for row in reversed(audit["blunders"])}
        count = sum(row["board"] == shown[row["class"]] for row in audit["blunders"])
        until(page, lambda: f"of {count} blunders" in page.inner_text(".audit-view"))
        page.click('[data-part="file"]')
        for wrong, sentence in (
            (" " * 6_000_000, "larger than 5 MB"), ("[" * 9_000, "is not JSON"),
            ('{"__proto__": {"schema": 3}}', "schema is missing"), ("null", "object is missing"),
            (json.dumps({**audit, "blunders": "<b>all</b>"}), "blunders is missing"),
            (json.dumps({**audit, "game": "connect4"}), "of the game connect4"),
            *((json.dumps({**audit, "verdicts": {**audit["verdicts"], f"{of}_right": 9**9}}),
               f"verdicts.{of}_right is missing") for of in ("classes", "positions")),
            *((json.dumps({**audit, "blunders_by_ply": [
                {**audit["blunders_by_ply"][0], name: 9**9}]}),
               f"blunders_by_ply.0{where} is missing") for name, where in (
                ("ply", ".ply"), ("wrong", ""), ("loses_a_won_game", ""))),
        ):  # fmt: skip
            file.write_text(wrong)
            page.set_input_files(".drop input", file)
            page.wait_for_selector(f"[role=alert]:not([hidden]):has-text('{sentence}')")
        page.reload()
        page.click('[data-part="blunders"]')
        until(page, lambda: "is gone" in page.inner_text(".audit-view"))
        page.click('[data-part="puzzles"]')
        absent = f"and {FOREIGN} is not among them."
        until(page, lambda: page.inner_text(".audit-view").endswith(absent))


def test_an_audit_without_any_valid_answer_shows_no_verdicts(
    visit: Visit, audit: dict[str, Any]
) -> None:
    silent = {
        name: [] if isinstance(value, list) and name != "findings" else value
        for name, value in audit.items()
    }
    silent["could_read_answers"] = "a <b>box</b> was open"
    counts = ("classes", "positions")
    verdicts = {name: n if name in counts else None for name, n in audit["verdicts"].items()}
    with visit("pane=leaderboard&part=file") as page:
        page.wait_for_selector(".drop")
        drop(page, json.dumps({**silent, "verdicts": verdicts}))
        page.wait_for_selector("text=It is not judged")
        text = page.inner_text(".drop ~ div")
        assert "could read the answers, because" in text
        assert silent["could_read_answers"] in text
        assert "Matches" not in text
        page.click("text=See it among the built-in AIs")
        page.wait_for_selector("[data-dot]")
        assert page.locator("[data-dot]").count() == len(all_ais())
        cells = page.locator("tr.foreign td").all_inner_texts()
        assert cells[-6:] == ["\u2014"] * 6


def test_an_audit_of_a_sample_does_not_say_what_it_does_not_know(visit: Visit, root: Path) -> None:
    sample = mb.audit("perfect", sample=40, data=root)
    silent = mb.audit("perfect", sample=40, matches=False, data=root)
    with visit("pane=leaderboard&part=file") as page:
        page.wait_for_selector(".drop")
        drop(page, json.dumps(sample.to_json()))
        page.wait_for_selector("text=It cannot be beaten")
        text = page.inner_text(".drop ~ div")
        assert "No blunder in the positions that it was asked about" in text
        assert "Matches, in games that were played" in text
        drop(page, json.dumps(silent.to_json()))
        page.wait_for_selector("text=does not decide whether it can be beaten")
        assert "It cannot be beaten" not in page.inner_text(".drop ~ div")


def test_an_audit_may_be_dropped_before_the_first_position_is_there(visit: Visit) -> None:
    with visit() as page:
        with hold(page, "**/positions/*", times=1) as late:
            page.reload()
            page.wait_for_selector("[data-cell]")
            until(page, lambda: bool(late))
            drop(page, "no audit")
        page.wait_for_selector(".audit-view [role=alert]:not([hidden])")
        assert "part=file" in page.url
        page.evaluate(
            "() => { Blob.prototype.text = () => Promise.reject(new Error('a folder')); }"
        )
        drop(page, "")
        page.wait_for_selector(".audit-view [role=alert]:has-text('cannot be read')")


def test_a_game_without_a_pane_for_a_file_says_so(visit: Visit) -> None:
    message = ".board-view .error:not([hidden])"
    for text in ("no audit", '{"content": "search trace"}'):
        with visit("game=4x4k4-gravity") as page:
            page.wait_for_selector("[data-cell]")
            drop(page, text)
            page.wait_for_selector(message)
            assert "has no pane for the file “audit.json”." in page.inner_text(message)
            assert "pane=" not in page.url


CARDS = ".puzzles li a"


def test_each_class_in_which_an_ai_errs_is_a_puzzle(visit: Visit, catalog: Catalog) -> None:
    """The board is that after its mistake; the goal is what the mistake allows."""
    rows = [row for row in records(catalog, "blunders_by_class") if row["ai"] == "ai12s"]
    assert len({row["class"] for row in rows}) == len(rows) == 7
    sides = {"circle": "×", "cross": "〇"}
    expected = [
        f"You are {sides[row['turn']]}: {'win' if row['score_after'] else 'hold the draw'}"
        for row in rows
    ]
    with visit("pane=leaderboard&part=puzzles&ai=ai12s") as page:
        page.wait_for_selector(CARDS)
        goals = page.locator(f"{CARDS} > span:not(.best)").all_inner_texts()
        assert goals == expected
        for card, row in zip(page.locator(CARDS).all()[::3], rows[::3], strict=True):
            card.click()
            until(page, lambda row=row: board_of(page) == row["board_after"])  # type: ignore[misc]
            assert card.get_attribute("aria-current") == "true"


def test_a_puzzle_is_solved_against_the_ai(visit: Visit) -> None:
    """The blunders of an AI lead to its puzzles; who plays best solves each."""
    with visit("pane=leaderboard&part=blunders&ai=ai12s") as page:
        page.click('a:has-text("Beat ai12s")')
        page.wait_for_selector(CARDS)
        assert page.inner_text(".audit-view [role=status]") == "0 of 7 solved"
        for number in (0, 6):
            card = page.locator(CARDS).nth(number)
            card.click()
            until(page, lambda card=card: card.get_attribute("aria-current") == "true")  # type: ignore[misc]
            play_best(page)
            card.locator(".best").wait_for(state="visible")
        assert page.inner_text(".audit-view [role=status]") == "2 of 7 solved"


def play_best(page: Page) -> None:
    """Play the best moves of a person against the AI until the game is over."""
    while True:
        until(page, lambda: is_over(status_of(page)) or "Your move" in status_of(page))
        if is_over(status_of(page)):
            return
        board = board_of(page)
        page.click(at(pages.name_of(mb.answer(board).best_moves[0])))
        until(page, lambda board=board: board_of(page) != board)  # type: ignore[misc]
