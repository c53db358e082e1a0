"""Games on the page, in a real browser: played, taken back, saved, watched, in the address."""

import json
from pathlib import Path

from tests.helpers.page import pages
from tests.helpers.page.browser import Visit
from tests.helpers.page.pages import at, board_of, control, drop, hash_of, is_over, status_of, until


def test_a_game_is_played_by_mouse_and_its_address_keeps_all_of_it(visit: Visit) -> None:
    with visit("cross=ai14s") as page:
        last = pages.play_out(page, lambda cell: page.click(at(pages.name_of(cell))))
        assert is_over(status_of(page))
        assert page.locator(".moves-so-far li").count() == 9 - last.count(".")
        shown = hash_of(page)
        for pane in (*pages.PANES[1:], "moves"):  # No pane throws the game away.
            pages.click_pane(page, pane)
            assert board_of(page) == last
        page.click("#languages [lang=ja]")
        page.wait_for_selector("html[lang=ja]")
        page.go_back()
        page.go_forward()
        page.reload()
        page.wait_for_selector("html[lang=ja] [data-cell]")
        until(page, lambda: any(message in status_of(page) for message in ("勝ち", "負け", "引き")))
        kept = {**shown, "lang": "ja"}  # The panes may have added what they show.
        assert kept.items() <= hash_of(page).items()
        page.click("#languages [lang=en]")
        until(page, lambda: board_of(page) == last)
        seeds = set()
        for _ in range(2):
            page.click(control("new"))
            until(page, lambda: board_of(page) == "." * 9)
            seeds.add(hash_of(page)["seed"])
            assert page.input_value(control("seed")) == hash_of(page)["seed"]
        assert len({*seeds, shown.get("seed", "0")}) > 1


def test_a_game_is_played_by_keyboard(visit: Visit) -> None:
    pad = "789456123"
    with visit("cross=ai14s") as page:
        until(page, lambda: pages.is_settled(page, ""))  # What is hidden takes no focus.
        page.focus(at("a3"))
        pages.play_out(page, lambda cell: page.keyboard.press(pad[cell]))
        assert is_over(status_of(page))
        page.click(control("new"))
        until(page, lambda: board_of(page) == "." * 9)
        page.focus(at("a3"))
        for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft", "Enter"):
            page.keyboard.press(key)
        until(page, lambda: board_of(page)[3] == "o")


def test_a_game_is_taken_back_replayed_branched_saved_and_loaded(
    visit: Visit, tmp_path: Path
) -> None:
    saved = tmp_path / "game.json"
    with visit("line=a3.b2.c1.b3&cross=person") as page:
        until(page, lambda: board_of(page) == "ox..x...o")
        page.click(at("b1"))
        until(page, lambda: board_of(page) == "ox..x..oo")
        for name, board in (("previous", "ox..x...o"), ("next", "ox..x..oo"),
                            ("undo", "ox..x...o"), ("undo", "o...x...o"),
                            ("redo", "ox..x...o"), ("undo", "o...x...o"),
                            ("previous", "o...x...."), ("redo", "ox..x...o"),
                            ("redo", "ox..x..oo")):  # fmt: skip
            page.click(control(name))
            until(page, lambda board=board: board_of(page) == board)  # type: ignore[misc]
        page.click(".moves-so-far li:nth-child(3) button")
        until(page, lambda: board_of(page) == "o...x...o")
        page.fill(control("slider"), "2")
        until(page, lambda: board_of(page) == "o...x....")
        with page.expect_download() as download:
            page.click(control("more"))
            page.click(control("save"))
        download.value.save_as(saved)
        game = json.loads(saved.read_text())
        assert (game["cells"], game["players"]["cross"]) == ([0, 4, 8, 1, 7], "person")
        page.click(at("c3"))
        until(page, lambda: board_of(page) == "o.o.x....")
        assert hash_of(page)["line"] == "a3.b2.c3"
        saved.write_text(json.dumps({**game, "players": {"cross": "ai2s", "circle": 5}, "seed": 7}))
        page.set_input_files(control("file"), saved)
        until(page, lambda: board_of(page) == "ox..x..oo")
        assert page.input_value(control("seed")) == "7"
        assert page.inner_text(".players .who") == "You are 〇 against ai2s"
        absent = "tictactoe has no AI 5 here: you move in its place."
        until(page, lambda: page.inner_text("[role=alert]") == absent)
        drop(page, json.dumps({**game, "seed": -1}))
        page.wait_for_selector(
            "[role=alert]:text-is('Not used, because it means nothing here: seed=-1.')"
        )
        drop(page, json.dumps({**game, "players": {"cross": "ai1"}}))
        until(page, lambda: page.inner_text(".players .who") == "You are 〇 against ai1")
        odd: list[dict[str, object]] = [
            {"cells": [0, 0]}, {"cells": [None]}, {"start": 5}, {"start": "<b>"},
            {"players": {"cross": {}}}, {"seed": {}},
        ]  # fmt: skip
        for number, wrong in enumerate((
            "{}", "no JSON", json.dumps(game) + " " * 100_000,
            *(json.dumps({**game, **other}) for other in odd),
        )):  # fmt: skip
            saved.write_text(wrong)
            page.set_input_files(control("file"), saved)
            page.wait_for_selector("[role=alert]:not([hidden])")
            assert "holds no saved game of tictactoe" in page.inner_text("[role=alert]")
            page.click(control(("previous", "next")[number % 2]))
            page.wait_for_selector("[role=alert]", state="hidden")
        drop(page, json.dumps({**game, "game": "3x3k3-misere"}))
        page.wait_for_selector("[role=alert]:has-text('holds no saved game of tictactoe')")
        assert "part=file" not in page.url


def test_players_are_chosen_from_cards_and_watched(visit: Visit) -> None:
    with visit() as page:
        until(page, lambda: pages.is_settled(page, ""))
        page.click(control("players"))
        page.wait_for_selector("dialog[open]")
        page.click(control("swap"))
        until(page, lambda: page.inner_text(".players .who") == "You are × against Perfect")
        until(page, lambda: board_of(page).count("o") == 1)
        assert "Your move." in status_of(page)
        pages.go(page, "")
        page.click(control("players"))
        page.wait_for_selector("dialog[open]")
        assert page.get_attribute('[data-side="cross"]', "aria-pressed") == "true"
        until(page, lambda: "right in" in page.inner_text('[data-card="ai14s"]'))  # Then sorted.
        names = page.locator("[data-card]").evaluate_all("all => all.map(e => e.dataset.card)")
        assert names[:2] == ["person", "perfect"]
        assert names.index("ai14s") < names.index("ai7s") < names.index("ai2") < len(names) == 34
        assert "right in 3,139 of the 3,191" in page.inner_text('[data-card="ai14s"]')
        page.click('[data-card="ai2"]')
        until(page, lambda: hash_of(page) == {"cross": "ai2"})
        page.click(control("players"))
        page.click('[data-mode="watch"]')  # Two AIs play without a click, until one clicks.
        until(page, lambda: len(board_of(page).strip(".")) > 0)
        page.click(control("go"))
        assert page.inner_text(control("go")).startswith("Let ai2 play")
        before = board_of(page)
        page.wait_for_timeout(700)  # Twice as long as an AI thinks.
        assert board_of(page) == before
        page.click(at(pages.name_of(before.index("."))))
        until(page, lambda: board_of(page)[before.index(".")] != ".")
        until(page, lambda: is_over(status_of(page)))
        page.click(control("players"))
        page.click('[data-mode="study"]')
        until(page, lambda: hash_of(page)["circle"] == hash_of(page)["cross"] == "person")
    with visit("start=o........&cross=ai2s") as page:
        until(page, lambda: board_of(page) == "o........")
        page.wait_for_timeout(700)
        assert board_of(page) == "o........"  # The linked position stays until a move.
        page.click(at("b2"))  # A click is a person's move, also for the side of an AI.
        until(page, lambda: board_of(page) == "o...x....")
