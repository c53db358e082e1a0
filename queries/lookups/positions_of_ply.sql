-- question: What does the page show of the positions of this ply?
-- grain: one position, with its moves as lists
-- needs: positions, moves
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
    position,
    board,
    status,
    turn,
    class,
    symmetry,
    nodes,
    nodes_below as subtree,
    score,
    score_sv,
    score_svrd,
    distance,
    critical,
    random_circle,
    random_draw,
    random_cross,
    best_moves as best,
    best_moves_sv as best_sv,
    best_moves_svrd as best_svrd,
    coalesce(moves, []) as moves,
    coalesce(children, []) as children,
    coalesce(loss, []) as loss,
from positions
join subtree_sizes using (position)
left join moves_of using (position)
where positions.ply = ?
order by position
