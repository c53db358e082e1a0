-- question: Does every technique find the right score, and visit the nodes that it must?
-- grain: one search with a wrong score, of a position that is none, or with too few nodes
-- examines: techniques
with
by_board as (
    select
        board,
        positions.score as right_score,
        positions.status,
        least_nodes.nodes as least,
    from positions
    join least_nodes using (position)
),

final as (
    select
        setting,
        ply,
        board,
        score,
        right_score,
        nodes,
        least,
    from techniques
    left join by_board using (board)
    where
        status is distinct from 'playing'
        or score <> right_score
        -- The least tree holds for alpha-beta without a table and without a root window.
        or (
            algorithm in ('minimax', 'alphabeta')
            and not use_table
            and not init_window
            and not contains(techniques, 'aspiration')
            and not contains(techniques, 'deepening')
            and score is not null
            and nodes < least
        )
)

from final
order by setting, ply, board
