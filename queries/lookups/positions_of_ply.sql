-- question: What does the page show of the positions of this ply?
-- grain: one position, with its moves as lists
-- needs: positions, classes, moves
-- parameters: ply
with
moves_of as (
    select
        position,
        list(move order by move) as moves,
        list(child order by move) as children,
        list(loss order by move) as loss,
    from moves
    group by position
)

select
    positions.position,
    positions.board,
    positions.status,
    positions.turn,
    positions.class,
    positions.symmetry,
    classes.orbit,
    classes.board as representative,
    positions.nodes,
    nodes_below as subtree,
    positions.score,
    positions.score_sv,
    positions.score_svrd,
    positions.distance,
    positions.critical,
    positions.random_circle,
    positions.random_draw,
    positions.random_cross,
    positions.best_moves,
    positions.best_moves_sv,
    positions.best_moves_svrd,
    coalesce(moves, []) as moves,
    coalesce(children, []) as children,
    coalesce(loss, []) as loss,
from positions
join subtree_sizes on positions.position = subtree_sizes.position
join classes on positions.class = classes.class
left join moves_of on positions.position = moves_of.position
where positions.ply = ?
order by positions.position
