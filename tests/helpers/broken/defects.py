"""Defects to plant in copies of the tables, by the check that must notice each by itself."""

import pyarrow as pa

from marubatsu.pipeline.checking.checks import run_check
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import checks


def _figures(replaced: str, which: str = "") -> str:
    """Return a defect in the figures of AIs, all or some."""
    return f"""
        alter view ai_figures rename to figures;
        create view ai_figures as select * replace ({replaced}) from figures {which}
    """  # noqa: S608, it is ours


def replaced(table: str, columns: dict[str, str]) -> dict[str, str]:
    """Return queries that find other columns in all rows of a table, by their names."""
    return {name: f"select * replace ({each}) from {table}" for name, each in columns.items()}  # noqa: S608


def notices(catalog: Catalog, check: str, table: str, defect: str) -> bool:
    """Return whether a check fails while a table has the rows that a defect finds."""
    right = catalog.run(f"from {table}").records()
    wrong = catalog.run(defect).records()
    assert wrong != right
    kept = pa.Table.from_pylist(right)
    catalog.replace(table, pa.Table.from_pylist(wrong, schema=kept.schema))
    try:
        return run_check(catalog, checks()[check]).verdict == "fail"
    finally:
        catalog.replace(table, kept)


DEFECTS = {
    "splits": [
        "update splits set split = 'test' where split = 'train'",
        "update splits set hardness = 0 where hardness > 0",
        "update splits set score = 1 where score = 0",
        "update splits set board = 'x........' where class = 1",
        "delete from splits where class = 0",
        """
        create table turned as from splits order by class desc;
        delete from splits;
        insert into splits from turned
        """,
    ],
    "splits_apart": [
        "update splits set board = 'x........' where class = 1",
        "update splits set class = 3 - class where class in (1, 2)",
    ],
    "only_moves": [
        "update splits set only_moves = only_moves + 1 where class = 0",
        "update splits set only_moves = null where class = 0",
        "update moves set is_best = true where is_best = false",
    ],
    "best_moves": [
        "update positions set best_moves = list_reverse(best_moves) where len(best_moves) > 1",
        "update positions set best_moves_sv = [] where position = 0",
        "update positions set best_moves_svrd = [0, 0] where position = 0",
        "update positions set best_moves = [0] where status = 'draw'",
        "update positions set critical = not critical where position = 5",
        "update moves set is_best = not is_best where position = 7 and move = 1",
        "update moves set is_best_sv = not is_best_sv where position = 7 and move = 1",
        "update moves set score = score - 1 where position = 7 and move = 1",
        "update moves set score_sv = score_sv + 1 where position = 7 and move = 1",
        "update moves set loss = -loss where loss = 2",
    ],
    "boards": [
        "update positions set board = 'x........' where position = 1",
        "update positions set ply = ply + 1 where position = 5",
        "update positions set status = 'draw' where position = 5",
        "update positions set circles = crosses, crosses = circles where position = 1",
        "update positions set turn = null where position = 0",
        # Circle and cross share a cell, and the text admits it.
        """
        update positions
        set crosses = crosses | (circles & -circles), board = regexp_replace(board, 'o', '?')
        where ply = 3
        """,
        # Text, masks and ply agree, but circle has moved twice.
        """
        update positions
        set circles = circles | crosses, crosses = 0, board = replace(board, 'x', 'o')
        where ply = 2
        """,
    ],
    "class_values": [
        "update classes set position = 3 where class = 1",
        "update classes set board = 'x........' where class = 1",
        "update classes set ply = 2 where class = 1",
        "update classes set orbit = orbit + 1 where class = 1",
        "update classes set nodes = nodes - 1 where class = 1",
        "update classes set status = 'draw' where class = 1",
        "update classes set distance = distance - 1 where class = 1",
        "update classes set critical = not critical where class = 1",
        "update positions set score_sv = score_sv + 1 where position = 1",
        "update positions set score_svrd = score_svrd + 0.5 where position = 1",
        "update positions set class = 2 where position = 1",
        "delete from classes where class = 5",
        "insert into classes from classes where class = 5",
    ],
    "first_created": [
        # Two positions exchange their numbers, wherever these stand.
        """
        update positions set position = 3 - position where position in (1, 2);
        update moves set position = 3 - position where position in (1, 2);
        update moves set child = 3 - child where child in (1, 2)
        """,
        "update moves set child = 3 - child where child in (1, 2)",
        "delete from positions where position = 20",
    ],
    "known_counts": [
        "update known_counts set count = count + 1 where game = 'tictactoe' and quantity = 'games'",
        "update known_counts set count = null where quantity = 'nodes without stopping at wins'",
        "update known_counts set quantity = 'horses' where quantity = 'games'",
        "delete from positions where position = 5477",
        "delete from classes where class = 764",
        "update positions set nodes = nodes + 1 where position = 20",
        "update positions set critical = not critical where position = 20",
        "update classes set critical = not critical where class = 20",
        # A move that leads back to where it was made.
        "update moves set child = position where position = 100",
    ],
    "moves_legal": [
        "delete from moves where position = 0 and move = 7",
        # Moves onto marks, moves after the end, and every first move twice.
        "insert into moves select * replace (child as position) from moves where position = 0",
        """
        insert into moves
        select * replace ((select max(position) from positions) as position)
        from moves where position = 1
        """,
        "insert into moves from moves where position = 0",
        "update moves set child = child - 1 where position = 0 and move = 7",
        "update positions set status = 'draw', turn = null where position = 0",
    ],
    "orbits": [
        "update positions set class = class + 1 where position = 20",
        "update positions set symmetry = 0 where position = 3",
        "update classes set position = position + 1 where class = 2",
        """
        update positions set class = 1 where position = 2;
        update classes set orbit = 3 where class = 1;
        delete from classes where class = 2
        """,
        # The masks hold a mark outside the board.
        "update positions set circles = circles + 512",
        # A board is there twice, and its class counts both.
        """
        insert into positions
        select * replace (position + 1 as position)
        from positions order by position desc limit 1;
        update classes set orbit = orbit + 1
        where class = (select class from positions order by position desc limit 1)
        """,
    ],
    "random_play": [
        # Small errors, and sums as they should be.
        """
        update positions
        set random_circle = random_circle + 1e-12, random_draw = random_draw - 1e-12
        where position = 5
        """,
        "update positions set random_circle = random_cross, random_cross = random_circle",
        "update positions set random_circle = 'nan' where position = 5",
        "delete from moves where position = 20",
        "update positions set random_draw = null where position = 5",
    ],
    "reachable": [
        "update positions set nodes = nodes + 1 where position = 20",
        "update positions set nodes = 2 * nodes",
        "update positions set ply = ply + 1 where position = 20",
        "delete from moves where child = 20",
        "insert into moves from moves where child = 20",
        "update moves set child = child + 1 where child = 20",
        # A first move leads to the last ply, and is counted there.
        """
        insert into moves
        select * replace ((select max(position) from positions) as child)
        from moves where position = 0 and move = 7;
        update positions set nodes = nodes + 1
        where position = (select max(position) from positions)
        """,
        """
        insert into positions
        select * replace (position + 1 as position)
        from positions order by position desc limit 1
        """,
    ],
    "recalculated_draws": [
        "update positions set score_svrd = 0 where score_svrd = 0.5",
        "update positions set score_svrd = 0 where score_svrd = -0.5",
        "update positions set score_svrd = 0.5 where score_svrd = 0 and status = 'draw'",
        "update positions set score_svrd = score_svrd + 1 where score <> 0",
        "update positions set score_sv = score_sv + 1 where position = 20",
        "delete from moves where position in (select position from positions where ply = 5)",
    ],
    "ai_order": [
        "update ais set ai = if(ai = 'ai1', 'ai2', 'ai1') where ai in ('ai1', 'ai2')",
        "update ai_moves set move = 14 - move where ai = 'ai1' and position = 0",
        "update matches set circle_ai = 'perfect' where circle_ai = 'ai1'",
        "update searches set search = 1 - search where search in (0, 1)",
        "update search_trace set event = 3 - event where event in (1, 2)",
    ],
    "row_order": [
        "update positions set position = 3 - position where position in (1, 2)",
        "update classes set position = 3 - position where class in (1, 2)",
        "update moves set move = 14 - move where position = 0",
    ],
    "scores": [
        "update positions set score = -1 where position = 0",
        "update positions set score = -score where status = 'circle'",
        "update positions set score_sv = score_sv + score",
        "update positions set distance = distance + 1",
        # The winner dawdles.
        """
        update positions set distance = 1 + slowest
        from (
            select moves.position, max(after.distance) as slowest
            from moves join positions as after on child = after.position
            where is_best group by moves.position
        ) as best
        where positions.position = best.position and score = if(turn = 'circle', 1, -1)
        """,
        # The loser gives up.
        """
        update positions set distance = 1 + fastest
        from (
            select moves.position, min(after.distance) as fastest
            from moves join positions as after on child = after.position
            where is_best group by moves.position
        ) as best
        where positions.position = best.position and score = if(turn = 'circle', -1, 1)
        """,
        "delete from moves where position = 20",
    ],
    "shortest_victory": [
        "update positions set score_sv = score_sv + score",
        "update positions set score_sv = 1 where status = 'draw'",
        "update positions set distance = distance + 2 where status = 'circle'",
        "update positions set ply = ply + 2 where status = 'cross'",
    ],
    "tree_links": [
        "update tree_bfs set parent = null where node = 20",
        "update tree_bfs set move = 0 where node = 0",
        "update tree_dfs set ply = ply + 1 where node = 20",
        "update tree_dfs set line = line + 1 where node = 20",
        "update tree_bfs set position = position + 1 where node = 20",
        "update tree_dfs set subtree = subtree - 1 where node = 0",
        "insert into tree_dfs from tree_dfs where node = 3277",
        # Parents come after their children.
        """
        update tree_dfs set node = 3278 - node where node > 0;
        update tree_dfs set parent = 3278 - parent where parent > 0
        """,
        # A finished node shows the same move as the finished node before it.
        """
        update tree_bfs as node
        set move = before.move, line = before.line, position = before.position
        from tree_bfs as before
        where
            node.parent = before.parent and node.node = before.node + 1
            and node.subtree = 1 and before.subtree = 1
        """,
        "update moves set child = child + 1 where position = 0 and move = 7",
    ],
    "tree_order": [
        "update tree_bfs set node = node + 1",
        "update tree_dfs set node = 41 - node where node in (20, 21)",
        "update tree_bfs set move = 9 - move where ply = 1",
        "delete from tree_dfs where node = 20",
        # Two whole rows exchange their places.
        """
        update tree_bfs as node
        set node = other.node, parent = other.parent, move = other.move, line = other.line,
            position = other.position, subtree = other.subtree
        from tree_bfs as other
        where node.node in (2, 3) and other.node = 5 - node.node
        """,
        # A tree in the order of the other.
        "update tree_bfs set node = dfs.node from tree_dfs as dfs where tree_bfs.line = dfs.line",
        "update tree_dfs set node = bfs.node from tree_bfs as bfs where tree_dfs.line = bfs.line",
    ],
    "tree_positions": [
        "update tree_bfs set position = position + 1 where node = 20",
        "update tree_dfs set position = position + 1 where node = 20",
        "update tree_bfs set ply = ply + 1 where node = 20",
        "update positions set nodes = nodes + 1 where position = 20",
        "delete from tree_bfs where node = 20",
        "delete from positions where position = 20",
        "insert into tree_dfs from tree_dfs where node = 20",
        "delete from tree_dfs",
    ],
    "trees_equal": [
        "update tree_bfs set parent = 1 where node = 20",
        "update tree_bfs set move = move + 1 where node = 20",
        "update tree_dfs set ply = ply + 1 where node = 20",
        "update tree_bfs set line = line + 1 where node = 20",
        "update tree_dfs set position = position + 1 where node = 20",
        "update tree_bfs set subtree = subtree + 1 where node = 20",
        "delete from tree_bfs",
    ],
    "ai_choices": [
        "delete from ai_moves where ai = 'ai2' and position = 0 and move = 6",
        "insert into ai_moves from ai_moves where ai = 'ai3' and position = 5",
        "update ai_moves set move = move + 1 where ai = 'ai4' and position = 0 and move = 8",
        "update ai_moves set is_candidate = not is_candidate where ai = 'ai14s' and position = 0",
        "update ai_moves set probability = probability / 2 where ai = 'ai2' and position = 3",
        (
            "update ai_moves set ai_score = ai_score + 1 "
            "where ai = 'ai14s' and position = 0 and move = 6"
        ),
        "delete from ais where ai = 'ai2'",
        "update ais set family = 'rule' where ai = 'ai2s'",
        "update ais set family = 'magic' where ai = 'ai2s'",
    ],
    "ai_values": [
        "update ai_moves set ai_score = -ai_score where ai = 'perfect'",
        "update ai_moves set ai_score = null where ai = 'perfect_sv' and position = 3",
        "delete from ai_moves where ai = 'mtdf' and position = 7",
        "update ais set family = 'table' where ai = 'ai1s'",
    ],
    "ai_figures": [
        "delete from ais where ai = 'ai2'",
        "delete from ai_moves where ai = 'ai2'",
        "update ai_moves set probability = probability / 2 where ai = 'ai3'",
        "update moves set loss = 1 where loss = 2",
        """
        update classes
        set position = (select max(position) from positions where positions.class = classes.class)
        """,
        # Representatives count as classes, classes as representatives, and one position too many.
        _figures("representatives_right as classes_right"),
        _figures("classes_right as representatives_right"),
        _figures("positions_right + 1 as positions_right", "where ai = 'ai1'"),
        _figures("round(best_move_percent, 2) as best_move_percent"),
        _figures("expected_loss / 2 as expected_loss", "where ai = 'ai2'"),
        _figures("null as mean_plies_lost", "where ai = 'perfect'"),
    ],
    "match_chances": [
        "delete from matches where circle_ai = 'ai2' and cross_ai = 'ai3'",
        "insert into matches from matches where circle_ai = 'ai2' and cross_ai = 'ai3'",
        "update matches set cross_ai = null where cross_ai = 'ai3'",
        "update matches set p_circle = p_circle + 1e-9 where circle_ai = 'ai3'",
        """
        update matches set p_circle = p_cross, p_cross = p_circle
        where p_circle <> p_cross and circle_ai = 'ai2' and cross_ai = 'ai2'
        """,
        "update matches set fraction_circle = '1/7' where circle_ai = 'ai2'",
        "update matches set fraction_cross = '2/4' where p_cross = 0.5",
        "update matches set fraction_cross = null where circle_ai = 'ai3' and cross_ai = 'ai3'",
        """
        update matches
        set p_circle = p_cross, fraction_circle = fraction_cross,
            p_cross = p_circle, fraction_cross = fraction_circle
        where circle_ai = 'ai3' and cross_ai = 'ai2'
        """,
    ],
    "search_counts": [
        "delete from searches where search = 7 and position = 0",
        "insert into searches from searches where search = 7 and position = 1",
        "update searches set position = 5 where search = 7 and position = 0",
        "update searches set algorithm = 'scout' where search = 7 and position = 0",
        "update searches set ordering = 'ai2s' where search = 60 and position > 0",
        "update searches set order_all = not order_all where search = 20 and position > 0",
        "update searches set shortest_victory = not shortest_victory where search = 20",
        "update searches set seed = seed + 1 where search > 400 and position > 0",
        "update searches set max_depth = 5 where search = 20 and position > 0",
        "update searches set evaluation = 'ai14s' where search = 20 and position > 0",
        "update searches set use_table = not use_table where search = 20 and position > 0",
        "update searches set init_window = null where search = 20 and position > 0",
        "update searches set score = score + 1 where search = 4 and position = 0",
        "update searches set nodes = nodes - 1 where search = 0 and position = 0",
        "update searches set nodes = 1000000 where algorithm = 'alphabeta'",
        "update searches set nodes = 0 where algorithm = 'monte_carlo'",
        "update searches set nodes = nodes + 1 where ordering = 'ai1s' and algorithm = 'scout'",
    ],
    "trace_replays": [
        "delete from search_trace where event = 3",
        "insert into search_trace from search_trace where event = 3",
        "update search_trace set kind = 'leave' where kind = 'cut'",
        "update search_trace set kind = null where event = 9",
        "update search_trace set line = line + 1 where event = 2",
        "update search_trace set position = position + 1 where event = 2",
        """
        update search_trace set position = (select max(position) from positions where ply = 1)
        where kind = 'leave' and line between 1 and 9
        """,
        "update search_trace set score = score + 1 where kind = 'hit'",
        "update ai_moves set ai_score = ai_score + 1 where ai = 'ai14s'",
        """
        update search_trace set alpha = alpha - 1
        where search in (select search from searches where algorithm = 'scout')
        """,
        "update search_trace set beta = beta + 9 where kind = 'cut'",
        "update search_trace set skipped = skipped + 1 where kind = 'cut'",
        "update search_trace set search = 1 where search = (select min(search) from search_trace)",
        "update searches set nodes = nodes + 1 where position = 0 and algorithm = 'alphabeta'",
    ],
}
"""Defects that each check must notice by itself."""
