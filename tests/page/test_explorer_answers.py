"""Answers that come late, never, or for something else: what the page shows meanwhile.

The tests hold the requests and let them go, so that no speed matters.
"""

import pytest

from tests.helpers.page.browser import Route, Visit, hold
from tests.helpers.page.pages import at, board_of, click_pane, go, is_settled, status_of, until

MOMENT = 300
"""Milliseconds after which the page says that an answer is late."""

MISSING = "/api/v2/games/tictactoe/tables.json: 404 Not Found"
"""What the page says of a file that a host does not have."""

LOST = {"en-US": "No answer came: the connection may be lost.", "ja-JP": "応答がありません。"}


LOSSES = [
    ("ja-JP", "pane=leaderboard", "**/leaderboard-view.js*", None, "#pane", ".verdicts tbody tr"),
    ("en-US", "pane=leaderboard", "**/reports/*", None, "#pane", ".verdicts tbody tr"),
    ("ja-JP", "pane=data&report=plies", "**/reports/plies.json", "<p>", "#pane",
     ".result tbody tr"),
    ("en-US", "pane=data", "**/tables.json", "<404>", "#pane", ".schemas details"),
    ("en-US", "game=3x3k3-misere&line=b2", "**/games/3x3k3-misere/game.json", "{", "#workspace",
     ".rules:has-text('loses')"),
]  # fmt: skip
"""The language, address, lost request, its body, place of the error, and content after a retry."""


@pytest.mark.parametrize("loss", LOSSES)
def test_a_lost_answer_shows_an_error_and_is_requested_again(
    visit_failing: Visit, loss: tuple[str, str, str, str | None, str, str]
) -> None:
    locale, place, lost, instead, where, ready = loss

    def lose(route: Route) -> None:
        if instead is None:
            route.abort()
        else:
            route.fulfill(body=instead, status=404 if instead == "<404>" else 200)

    with visit_failing(locale=locale) as page:
        page.route(lost, lose)
        go(page, place)
        text = page.locator(f"{where} [role=alert]:visible").inner_text()
        assert text.startswith(MISSING if instead == "<404>" else LOST[locale])
        assert page.locator(".board-view:visible").count() == (where != "#workspace")
        page.unroute(lost)
        page.click(f'{where} .notice [data-control="again"]')
        page.wait_for_selector(ready)
        until(page, lambda: page.locator(f"{where} > .notice, #pane .notice").count() == 0)
        if "b2" in place:
            until(page, lambda: board_of(page) == "....o....")


def test_an_answer_of_another_shape_is_told_in_a_sentence(visit_failing: Visit) -> None:
    with visit_failing() as page:
        for place, request in (
            ("pane=ais", "**/ais/ai1/**"), ("pane=data", "**/tables.json"),
            ("pane=data&sql=select+1", "**/sql"), ("game=3x3k3-misere", "**/game.json"),
        ):  # fmt: skip
            page.route(request, lambda route: route.fulfill(json={}))
            go(page, f"hints=on&{place}")
            page.wait_for_selector("text=The host sent an answer that this page cannot read")
            page.unroute(request)
            go(page, "pane=poster")


def test_a_move_without_an_answer_shows_an_error(visit_failing: Visit) -> None:
    with visit_failing() as page:
        until(page, lambda: is_settled(page, ""))
        page.route("**/{positions/*x*,ais/**}", lambda route: route.abort())
        page.click(at("a3"))
        text = page.locator("[role=alert]:visible").inner_text()
        assert text.startswith(LOST["en-US"])


def test_a_slow_ai_does_not_hide_what_the_others_play(visit_failing: Visit) -> None:
    with visit_failing("hints=on&pane=ais") as page:
        with hold(page, "**/ais/ai14s/positions/*"):
            go(page, "hints=on&pane=ais&line=a3")
            page.wait_for_selector('.choices [data-ai="ai1"] td span')
            page.wait_for_timeout(MOMENT)
            assert page.is_visible('.choices [data-ai="ai1"] td span')
            assert page.inner_text('.choices [data-ai="ai14s"] td >> nth=0') == "Asking…"
        page.wait_for_selector('.choices [data-ai="ai14s"] td span')


LATE = """async () => {
  const { Latest } = await import(new URL('elements/latest.js', document.scripts[0].src));
  const place = document.createElement('div');
  place.id = 'late';
  place.innerHTML = '<input><p>not in use</p>';
  document.body.append(place);
  place.querySelector('input').focus();
  new Latest(place).take(() => new Promise(() => {}), () => {});
}"""
"""Wait in a place where the reader types."""


def test_a_late_answer_keeps_the_focus(visit_failing: Visit) -> None:
    with visit_failing() as page:
        page.evaluate(LATE)
        page.wait_for_selector("#late > .waiting")
        assert page.locator("#late input:focus:visible").count() == 1
        assert page.locator("#late p:not(.notice):visible").count() == 0


def test_no_game_is_changed_before_it_is_known(visit_failing: Visit) -> None:
    with visit_failing() as page:
        with hold(page, "**/games/3x3k3-misere/positions/*"):
            go(page, "game=3x3k3-misere")
            page.wait_for_selector(".rules:has-text('loses')")
            for control in ("undo", "new", "players"):
                page.locator(f'[data-control="{control}"]').click(force=True)
            assert page.locator("dialog:visible, [role=alert]:visible").count() == 0
        until(page, lambda: "Your move." in status_of(page))
        page.click(at("b2"))
        until(page, lambda: "o" in board_of(page))


def test_answers_are_about_the_game_that_was_asked(visit_failing: Visit) -> None:
    """Two games are open at a time, and one asks while the other is shown."""
    message = """async () => {
        const { openGame } = await import(new URL('answers/api.js', document.scripts[0].src));
        const [one, other] = await Promise.all([openGame(), openGame('3x3k3-misere')]);
        const requests = [one, other, one].map((game) => game.position('oxo......'));
        const lost = (answer) => answer.moves.filter(({ loss }) => loss > 0).length;
        return (await Promise.all(requests)).map((answer) => [answer.game, lost(answer)]);
    }"""
    with visit_failing() as page:
        with hold(page, "**/games/3x3k3-misere/game.json"):
            go(page, "game=3x3k3-misere")
            page.wait_for_selector("#workspace > .waiting")
            assert page.locator(".board-view:visible").count() == 0  # It shows another game.
            go(page, "line=b2")
            until(page, lambda: board_of(page) == "....o....")
            page.wait_for_selector("#workspace:not([aria-busy])")
        (one, other, again) = page.evaluate(message)
        assert (one[0], other[0]) == ("tictactoe", "3x3k3-misere")
        assert one == again != other


LATE_PANES = [
    ("leaderboard", "**/leaderboard-view.js*"), ("leaderboard", "**/reports/*"),
    ("search", "**/traces/*"), ("map", "**/plies/*"),
]  # fmt: skip
"""Panes, and what each of them asks for."""


@pytest.mark.parametrize(("pane", "pattern"), LATE_PANES)
def test_a_late_pane_does_not_replace_the_next_one(
    visit_failing: Visit, pane: str, pattern: str
) -> None:
    with visit_failing("hints=on") as page:
        page.wait_for_selector(".moves-pane")
        with hold(page, pattern):
            page.click(f'#panes [data-pane="{pane}"]')
            if "leaderboard-view" in pattern:  # The reader waits for a while.
                page.wait_for_selector("#pane > .waiting")
                assert page.get_attribute("#pane", "aria-busy") == "true"
                assert page.locator(".moves-pane:visible").count() == 0
            page.click('#panes [data-pane="moves"]')
            page.wait_for_selector(".moves-pane:visible")
        page.wait_for_load_state("networkidle")
        # The search writes its step into the address with a delay.
        page.wait_for_timeout(900 if pane == "search" else 100)
        assert page.locator("#pane > *").count() == page.locator("#pane > .moves-pane").count() == 1
        assert page.locator("#pane:not([aria-busy])").count() == 1
        assert page.get_attribute("#panes [aria-current]", "data-pane") == "moves"
        assert "pane=" not in page.url
        click_pane(page, pane)


def test_an_older_address_that_is_wrong_says_nothing(visit_failing: Visit) -> None:
    """The empty board in its place comes after the next address was opened."""
    shown = "o........"
    with visit_failing("game=3x3k3-misere") as page:
        with hold(page, "**/tictactoe/positions/........."):
            go(page, f"game=tictactoe&start={shown}")
            until(page, lambda: board_of(page) == shown)
            with page.expect_response("**/tictactoe/positions/zzz"):
                go(page, "game=tictactoe&start=zzz")
            page.wait_for_timeout(200)  # The page reads the answer.
            go(page, f"game=tictactoe&start={shown}")
        page.wait_for_timeout(300)
        assert board_of(page) == shown
        assert page.locator("#board [role=alert]:visible").count() == 0


def test_the_line_below_the_board_is_about_the_game_shown(visit_failing: Visit) -> None:
    """A move that comes late, or never, says nothing of the game that was begun meanwhile."""
    both = """() => {
        document.querySelector('[data-cell=a3]').click();
        document.querySelector('[data-control=new]').click();
    }"""
    with visit_failing("cross=person&pane=data") as page:
        until(page, lambda: "Circle to move." in status_of(page))
        before = status_of(page)
        with hold(page, "**/positions/o........") as lost:
            page.evaluate(both)
            page.wait_for_timeout(400)
            assert status_of(page) == before
            lost.pop().abort()
            page.wait_for_timeout(200)
        assert status_of(page) == before
        assert page.locator("#board [role=alert]:visible").count() == 0


def test_a_card_to_share_is_of_the_game_that_ended(visit_failing: Visit) -> None:
    """It is there at once; no picture is waited for."""
    never = "() => { HTMLCanvasElement.prototype.toBlob = () => {}; }"
    with visit_failing("line=a3.b2.b3.c3.a2.a1") as page:
        page.evaluate(never)
        until(page, lambda: status_of(page).startswith("You lost."))
        page.click('[data-control="share"]')
        page.wait_for_selector(".share[open] img", timeout=5000)
        page.wait_for_timeout(400)
        assert status_of(page).startswith("You lost.")


def test_the_last_of_several_statements_is_answered(visit_failing: Visit) -> None:
    """Also when a report is opened while a statement runs."""
    endless = "select count(*) from tree_bfs a, tree_bfs b, tree_bfs c"
    ask = "sql => { location.hash = new URLSearchParams({ pane: 'data', sql }).toString(); }"
    with visit_failing() as page:
        for place, answer in (("select 7 as seven", "seven"), ("report", "opening")):
            page.evaluate(ask, endless)
            page.get_by_role("button", name="Cancel", disabled=False).wait_for()
            if place == "report":
                go(page, "pane=data&report=openings")
            else:
                page.evaluate(ask, place)
            page.wait_for_selector(f".result th:has-text('{answer}')", timeout=20_000)
            if place != "report":
                assert page.input_value(".sql-box") == place
            assert page.locator(".sql-view .error:visible").count() == 0
            assert page.get_by_role("button", name="Cancel").is_disabled()
