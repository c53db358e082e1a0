-- question: How small is a proof of the game's value, compared with the least tree of alpha-beta?
-- grain: one proof that is kept
with
counted as (
    select
        proof,
        prover,
        claim,
        strategy,
        nodes,
        lower_bound,
        is_optimal,
        count(move) as own_turns,
        count(*) filter (status = 'playing') as inner_classes,
    from proofs
    group by all
),

final as (
    select
        proof,
        prover,
        claim,
        strategy,
        counted.nodes,
        own_turns,
        inner_classes,
        lower_bound,
        is_optimal,
        (select count(*) from classes) as classes,
        least_nodes.nodes as least_tree,
    from counted
    cross join least_nodes
    where least_nodes.ply = 0
)

from final
order by proof
