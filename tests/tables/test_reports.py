"""Reports a second way, by plain loops over the rows of the tables that they read."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from math import sqrt
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import report
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.slow.slow_figures import half_up

Row = dict[str, Any]
Of = Callable[[str], list[Row]]
"""Returns all rows of a table or a view."""

AIS = ("ai2", "ai4", "ai11s", "ai14s", "perfect")
"""The AIs whose moves are looked at; loops over all would be long."""

OPTIONS = ("ordering", "order_all", "shortest_victory", "init_window", "use_table")


def grouped(rows: Iterable[Row], *names: str) -> Iterator[tuple[tuple[Any, ...], list[Row]]]:
    """Yield the values of some columns, in ascending order, with the rows that have them."""

    def key(row: Row) -> list[tuple[bool, Any]]:
        return [(row[name] is not None, row[name]) for name in names]

    for values, found in groupby(sorted(rows, key=key), key):
        yield tuple(value for _, value in values), list(found)


def total(rows: Iterable[Row], name: str = "nodes") -> Any:
    return sum(row[name] for row in rows)


def by_position(of: Of) -> dict[int, Row]:
    """Return the positions by number, with the moves of each."""
    positions = {row["position"]: {**row, "moves": []} for row in of("positions")}
    for move in of("moves"):
        positions[move["position"]]["moves"].append(move)
    return positions


def percent(part: float, whole: float, digits: int = 2) -> float:
    return half_up(100 * Fraction(part) / Fraction(whole), digits)


def critical(of: Of) -> Iterator[Row]:
    rows = [row for row in by_position(of).values() if row["moves"]]
    for ply, found in [*((ply, each) for (ply,), each in grouped(rows, "ply")), (None, rows)]:
        losses = [[move["loss"] for move in row["moves"]] for row in found]
        wrong = [row for row in found if row["critical"]]
        yield {
            "ply": ply, "unfinished_positions": len(found), "critical_positions": len(wrong),
            "critical_classes": len({row["class"] for row in wrong}),
            "can_lose_a_won_game": sum(2 in each for each in losses),
            "only_one_best_move": sum(0 < any(each) == each.count(0) for each in losses),
            "moves_with_loss": sum(loss > 0 for each in losses for loss in each),
            "legal_moves": sum(map(len, losses)),
        }  # fmt: skip


def critical_classes(of: Of) -> list[Row]:
    positions, rows = by_position(of), []
    for row in of("classes"):
        shown = positions[row["position"]]
        losses = [move["loss"] for move in shown["moves"]]
        if any(losses):
            rows.append({
                "class": row["class"], "board": row["board"], "turn": shown["turn"],
                "score": row["score"], "distance": row["distance"],
                "best_moves": shown["best_moves"], "best": losses.count(0), "legal": len(losses),
                "worst_loss": max(losses), "orbit": row["orbit"],
            })  # fmt: skip
    return sorted(rows, key=lambda r: (r["best"] / r["legal"], -r["worst_loss"], r["class"]))


def lengths(of: Of) -> Iterator[Row]:
    ended = [row for row in of("positions") if row["status"] != "playing"]
    for (ply, status), found in grouped(ended, "ply", "status"):
        yield {
            "length": ply, "result": status, "positions": len(found),
            "classes": len({row["class"] for row in found}), "games": total(found),
            "games_percent": percent(total(found), total(ended)),
        }  # fmt: skip


def openings(of: Of) -> Iterator[Row]:
    positions, sizes = by_position(of), dict[int, int]()
    for position in sorted(positions, reverse=True):
        sizes[position] = 1 + sum(sizes[move["child"]] for move in positions[position]["moves"])
    for move in positions[0]["moves"]:
        row = positions[move["child"]]
        yield {
            "opening": move["move"],
            **{name: row[name] for name in ("board", "score", "score_sv", "distance")},
            "subtree": sizes[move["child"]],
            **{f"random_{end}_percent": percent(row[f"random_{end}"], 1)
               for end in ("circle", "draw", "cross")},
        }  # fmt: skip


def plies(of: Of) -> Iterator[Row]:
    rows, classes = of("positions"), Counter(row["ply"] for row in of("classes"))
    for ply, found in [*((ply, each) for (ply,), each in grouped(rows, "ply")), (None, rows)]:
        ends = Counter({end: total(each) for (end,), each in grouped(found, "status")})
        yield {
            "ply": ply, "nodes": ends.total(), "positions": len(found),
            "classes": classes.total() if ply is None else classes[ply],
            "finished_games": ends.total() - ends["playing"], "won_by_circle": ends["circle"],
            "won_by_cross": ends["cross"], "drawn": ends["draw"],
        }  # fmt: skip


def scores(of: Of) -> Iterator[Row]:
    rows = of("positions")
    for (score_sv, score), found in reversed([*grouped(rows, "score_sv", "score")]):
        yield {
            "score": score, "score_sv": score_sv, "positions": len(found),
            "classes": len({row["class"] for row in found}), "nodes": total(found),
            "finished_positions": sum(row["status"] != "playing" for row in found),
            "greatest_distance": max(row["distance"] for row in found),
            "positions_percent": percent(len(found), len(rows)),
        }  # fmt: skip


def pairs(of: Of) -> Iterator[Row]:
    for row in of("matches"):
        chances = {f"{name[2:]}_percent": percent(row.pop(name), 1, 3)
                   for name in ("p_circle", "p_draw", "p_cross")}  # fmt: skip
        yield {**row, **chances}


def results(of: Of, opponent: str | None = None) -> dict[tuple[str, str], list[list[float]]]:
    """Return each AI's chances to win, to lose and to draw on each side, in each match."""
    found: dict[tuple[str, str], list[list[float]]] = {}
    for row in of("matches"):
        for side, other in (("circle", "cross"), ("cross", "circle")):
            if opponent in (None, row[f"{other}_ai"]):
                chances = [row[f"p_{end}"] for end in (side, other, "draw")]
                found.setdefault((row[f"{side}_ai"], side), []).append(chances)
    return found


def standings(of: Of) -> list[Row]:
    found, rows = results(of), []
    for ai in {ai for ai, _ in found}:
        matches = found[ai, "circle"] + found[ai, "cross"]
        win, lose, draw = map(fmean, zip(*matches, strict=True))
        shares = {"points": win + draw / 2, "win": win, "draw": draw, "lose": lose}
        rows.append({
            "ai": ai, **{f"{name}_percent": round(100 * each, 3) for name, each in shares.items()},
            "matches_never_lost": [chances[1] for chances in matches].count(0),
            "matches": len(matches),
        })  # fmt: skip
    return sorted(rows, key=lambda row: (-row["points_percent"], row["ai"]))


def matches_ai2(of: Of) -> list[Row]:
    found, rows = results(of, "ai2"), []
    for ai in {ai for ai, _ in found}:
        found[ai, "total"] = found[ai, "circle"] + found[ai, "cross"]
    samples = of("published_matches") if is_published(of) else []
    for (ai, side), matches in found.items():
        win, lose, draw = map(fmean, zip(*matches, strict=True))
        chances = {"win": win, "lose": lose, "draw": draw}
        for sample in [row for row in samples if (row["ai"], row["side"]) == (ai, side)] or [{}]:
            games = sample.get("games")
            far = games and any(
                abs(sample[f"{end}_percent"] / 100 - p) > 4 * sqrt(p * (1 - p) / games) + 0.0005
                for end, p in chances.items()
                if sample[f"{end}_percent"] is not None
            )
            why = "further than 4 standard errors" if far else "a sample, within 4 standard errors"
            rows.append({
                "ai": ai, "side": side,
                **{f"{end}_percent": percent(chance, 1, 3) for end, chance in chances.items()},
                **{f"published_{end}": sample.get(f"{end}_percent") for end in chances},
                "published_games": games, "agrees": games and not far,
                "why": games and (sample["note"] or why),
            })  # fmt: skip
    return sorted(rows, key=lambda row: (row["ai"], row["side"]))


def weak(of: Of) -> list[Row]:
    positions, rows = by_position(of), []
    known = {row["ai"]: row["weakly_solved"] for row in of("published_verdicts")}
    for (ai,), moves in grouped(of(f"ai_moves where ai in {AIS} and is_candidate"), "ai"):
        pairs = {(move["position"], move["move"]) for move in moves}
        counts = {}
        for side, other in (("circle", "cross"), ("cross", "circle")):
            reached = {0: positions[0]}
            for number, here in positions.items():  # by ply
                for move in here["moves"] if number in reached else ():
                    if here["turn"] == other or (number, move["move"]) in pairs:
                        reached[move["child"]] = positions[move["child"]]
            lost = [row["status"] for row in reached.values()].count(other)
            counts[side] = lost, len(reached)
        solved = counts["circle"][0] == counts["cross"][0] == 0
        rows.append({
            "ai": ai, **{f"as_{side}": lost == 0 for side, (lost, _) in counts.items()},
            "weakly_solved": solved,
            **{f"lost_positions_as_{side}": lost for side, (lost, _) in counts.items()},
            **{f"positions_as_{side}": reached for side, (_, reached) in counts.items()},
            "published": known.get(ai),
            "agrees": known[ai] == solved if is_published(of) and ai in known else None,
        })  # fmt: skip
    sides = "lost_positions_as_circle", "lost_positions_as_cross"
    return sorted(rows, key=lambda r: (not r["weakly_solved"], sum(r[n] for n in sides), r["ai"]))


def ordering_accuracy(of: Of) -> list[Row]:
    positions, rows = by_position(of), []
    found: dict[tuple[str, str], list[tuple[int, float, int]]] = {}
    for (ai, position), moves in grouped(of(f"ai_moves where ai in {AIS}"), "ai", "position"):
        best = {move["move"]: move["is_best"] for move in positions[position]["moves"]}
        if all(best.values()):
            continue
        ascending = sorted(moves, key=lambda row: row["move"])
        head = [*ascending]
        at = [row["is_candidate"] for row in head].index(True)
        head[0], head[at] = head[at], head[0]
        value = "is_candidate" if ascending[0]["ai_score"] is None else "ai_score"
        chance = sum(row["probability"] for row in moves if best[row["move"]])
        for kind, order in (("head", head), ("all", sorted(ascending, key=lambda r: -r[value]))):
            place = [best[row["move"]] for row in order].index(True) + 1
            found.setdefault((ai, kind), []).append((place, chance, len(moves)))
    for (ai, kind), listed in found.items():
        places, chances, legal = zip(*listed, strict=True)
        rows.append({
            "ordering": ai, "kind": kind, "positions": len(listed), "best_first": places.count(1),
            "best_first_percent": percent(places.count(1), len(listed)),
            "candidate_is_best_percent": round(100 * fmean(chances), 2),
            "mean_place_of_best": round(fmean(places), 3), "worst_place_of_best": max(places),
            "mean_legal_moves": round(fmean(legal), 3),
        })  # fmt: skip
    keys = ("mean_place_of_best", "ordering", "kind")
    return sorted(rows, key=lambda r: (-r["best_first"], *(r[key] for key in keys)))


def in_scope(of: Of, scope: str) -> list[Row]:
    """Return the searches from the empty board, or from critical positions."""
    wrong = {row["position"] for row in of("positions") if row["critical"]}
    inside = {0} if scope == "empty board" else wrong
    return [row for row in of("searches") if row["position"] in inside]


def algorithms(of: Of) -> Iterator[Row]:
    wrong = {row["position"] for row in of("positions") if row["critical"]}
    names = ("algorithm", "ordering", "order_all", "evaluation", "use_table")
    selected = [
        row for row in of("searches")
        if not row["shortest_victory"] and not row["init_window"] and row["max_depth"] is None
        and (row["seed"] is None or (row["algorithm"], row["seed"]) == ("monte_carlo", 0))
    ]  # fmt: skip
    for values, rows in grouped(selected, *names):
        yield {
            **dict(zip(names, values, strict=True)), "nodes": rows[0]["nodes"],
            "nodes_critical_classes": total(row for row in rows if row["position"] in wrong),
            "nodes_all_classes": total(rows),
        }  # fmt: skip


def depths(of: Of) -> Iterator[Row]:
    wrong = {row["position"] for row in of("positions") if row["critical"]}
    names = ("evaluation", "use_table", "max_depth")
    selected = [row for row in of("searches") if row["algorithm"] == "depth_limited"]
    for values, rows in grouped(selected, *names):
        yield {
            **dict(zip(names, values, strict=True)),
            "nodes": rows[0]["nodes"], "score": rows[0]["score"],
            "nodes_critical_classes": total(row for row in rows if row["position"] in wrong),
        }  # fmt: skip


def savings(of: Of) -> Iterator[Row]:
    least = {row["position"]: row["nodes"] for row in of("least_nodes")}
    names = [name for name in OPTIONS if name != "shortest_victory"]
    for scope in ("critical classes", "empty board"):
        selected = [row for row in in_scope(of, scope) if row["algorithm"] == "alphabeta"
                 and row["seed"] is None and not row["shortest_victory"]]  # fmt: skip
        found = {values: (total(rows), rows) for values, rows in grouped(selected, *names)}
        plain, _ = found[None, False, False, False]
        for values, (nodes, rows) in sorted(found.items(), key=lambda each: each[1][0]):
            needed = None if any(values[2:]) else sum(least[row["position"]] for row in rows)
            yield {
                "scope": scope, **dict(zip(names, values, strict=True)), "nodes": nodes,
                "saved_percent": round(100 * (1 - nodes / plain), 2), "least_possible": needed,
                "times_least": needed and round(nodes / needed, 3),
            }  # fmt: skip


def orderings(of: Of) -> Iterator[Row]:
    """Compare counts with published ones where there are some, else count them here, too."""
    names = ("scope", *OPTIONS, "is_random")
    counts, known = of("ordering_counts"), dict[tuple[Any, ...], Row]()
    if is_published(of):
        known = {tuple(row[name] for name in names): row for row in of("published_nodes")}
    else:
        counts = [
            {**rows[0], "scope": scope, "is_random": seed is not None, "nodes": total(rows)}
            for scope in ("empty board", "critical classes")
            for (algorithm, seed, _), rows in grouped(
                in_scope(of, scope), "algorithm", "seed", "search"
            )
            if algorithm == "alphabeta"
        ]
    order = ("scope", "ordering", "order_all", "is_random", "shortest_victory", "use_table",
             "init_window")  # fmt: skip
    groups = sorted(grouped(counts, *order), key=lambda each: each[0][0], reverse=True)
    for _, rows in groups:
        options, nodes = rows[0], sorted(row["nodes"] for row in rows)
        key = tuple(options[name] for name in names)
        published = known[key]["nodes"] if key in known else None
        why = is_near = None
        if published is not None:
            spread = stdev(nodes) if len(nodes) > 1 else 0
            is_near = abs(published - fmean(nodes)) <= 4 * spread
            how = "within" if is_near else "more than"
            where = f"{how} 4 standard deviations {'of' if is_near else 'off'} these {len(nodes)}"
            if nodes[0] <= published <= nodes[-1]:
                where = f"within these {len(nodes)}"
            why = f"a random sample, {where}" if options["is_random"] else None
            if not options["is_random"] and not is_near:
                why = known[key]["note"] or "not explained"
        yield {
            **dict(zip(names, key, strict=True)), "runs": len(nodes), "least": nodes[0],
            "nodes": round(median(nodes)), "greatest": nodes[-1], "published": published,
            "agrees": is_near, "why": why,
        }  # fmt: skip


def search_verdicts(of: Of) -> Iterator[Row]:
    positions, names = by_position(of), ("algorithm", *OPTIONS)
    classes = [positions[row["position"]] for row in of("classes") if row["critical"]]
    rights: list[Row] = []
    for (_, evaluation), rows in grouped(of("searches"), "search", "evaluation"):
        if evaluation is not None or rows[0]["algorithm"] == "monte_carlo":
            continue
        known = {positions[row["position"]]["class"]: row["score"] for row in rows}
        ended, right = "score_sv" if rows[0]["shortest_victory"] else "score", 0
        for here in classes:
            after = [positions[move["child"]] for move in here["moves"]]
            sign = 1 if here["turn"] == "circle" else -1
            worth = [sign * known.get(child["class"], float(child[ended])) for child in after]
            pairs = zip(here["moves"], worth, strict=True)
            right += all(move["is_best"] for move, value in pairs if value == max(worth))
        rights.append({**rows[0], "right": right})
    for values, rows in grouped(rights, *names):
        least = min(row["right"] for row in rows)
        yield {
            **dict(zip(names, values, strict=True)), "runs": len(rows),
            "representatives_right": least, "representatives": len(classes),
            "all_right": least == len(classes),
        }  # fmt: skip


def is_published(of: Of) -> bool:
    """Return whether the tutorial series has figures of the game."""
    return bool(of("game")[0]["notation"] == "3x3k3")


DERIVED = (
    critical, critical_classes, lengths, openings, plies, scores, pairs, standings, matches_ai2,
    weak, ordering_accuracy, orderings,
)  # fmt: skip
SEARCHED = (algorithms, depths, savings, search_verdicts)


@pytest.mark.parametrize(
    ("name", "derive", "table", "change"),
    [
        *(("tictactoe", derive, "", "") for derive in DERIVED),
        *(("3x2k2", derive, "", "") for derive in (*DERIVED, *SEARCHED)),
        *(("2x2k2", derive, "", "") for derive in (*DERIVED, algorithms, depths, search_verdicts)),
        *(("tictactoe", matches_ai2, "matches", f"p_{end} * 0.8 as p_{end}")
          for end in ("circle", "cross", "draw")),
        ("tictactoe", orderings, "published_nodes", "(nodes * 0.9)::int as nodes"),
        ("3x2k2", search_verdicts, "searches", "if(search % 5 = 0, -score, score) as score"),
    ],
)  # fmt: skip
def test_a_report_is_what_loops_count(
    root: Path, name: str, derive: Callable[[Of], Iterable[Row]], table: str, change: str
) -> None:
    """With the tables as they are, and with wrong values, which nothing may agree with."""
    planted = f"(select * replace ({change}) from {table})"  # noqa: S608
    statement = report(derive.__name__).statement
    if table:
        statement = re.sub(rf"\b(from|join) {table}\n", rf"\1 {planted} as {table}\n", statement)
    with open_catalog(DataSet(root, Game(name))) as catalog:

        def of(relation: str) -> list[Row]:
            return catalog.run(f"from {planted if relation == table else relation}").records()

        found = catalog.run(statement).records()
        if derive in (weak, ordering_accuracy):
            found = [row for row in found if row.get("ai", row.get("ordering")) in AIS]
        assert found == list(derive(of))
    verdicts = {row.get("agrees", row.get("all_right")) for row in found}
    assert (False in verdicts) == bool(table)
