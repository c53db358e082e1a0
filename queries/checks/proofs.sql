-- question: Is each kept proof a proof, by the rules and the moves alone?
-- grain: one class of a proof that is wrong, lacks a child, or is of no use
-- examines: proofs
with
sided as (
    select
        proofs.*,
        case prover when 'circle' then 1 when 'cross' then -1 end as sign,
        row_number() over () as row,
    from proofs
),

-- The tables' own view of each class; null where there is no such class.
of_tables as (
    select
        sided.row,
        positions.position,
        positions.board,
        positions.ply,
        positions.turn,
        positions.status,
        positions.score * sign as value, -- The prover's view.
    from sided
    join classes using (class)
    join positions on classes.position = positions.position
),

steps as (
    select distinct
        sided.row,
        sided.proof,
        moves.move,
        after.class as child,
        of_tables.turn = prover as is_own,
        after.score * sign as value_after,
    from sided
    join of_tables using (row)
    join moves on of_tables.position = moves.position
    join positions as after on moves.child = after.position
),

-- The moves that the proof has to answer for: all of the opponent, one of the prover.
needed as (
    select
        steps.*,
        sided.class is not null as is_there,
    from steps
    join sided as before on steps.row = before.row
    left join sided on steps.proof = sided.proof and steps.child = sided.class
    where not is_own or steps.move = before.move
),

followed as (
    select
        row,
        count(*) as steps,
        bool_and(is_there) as is_complete,
        min(value_after) as least_after,
    from needed
    group by row
),

reached as (
    select distinct
        proof,
        child,
    from needed
),

counted as (
    select
        proof,
        count(*) as rows,
        count(distinct class) as classes,
        count(*) filter (ply = 0) as roots,
        count(
            distinct (prover, claim, strategy, nodes, lower_bound, is_optimal)
        ) as facts,
    from proofs
    group by proof
),

final as (
    select
        sided.proof,
        sided.class,
        sided.board,
        of_tables.board as board_of_class,
        sided.move,
        is_complete,
        sided.row,
    from sided
    left join counted on sided.proof = counted.proof
    left join of_tables on sided.row = of_tables.row
    left join followed on sided.row = followed.row
    left join reached on sided.proof = reached.proof and sided.class = reached.child
    where
        -- What the row says of its class.
        (sided.board, sided.ply, sided.turn, sided.status)
        is distinct from
        (of_tables.board, of_tables.ply, of_tables.turn, of_tables.status)
        -- What it says of the proof.
        or (
            prover in ('circle', 'cross')
            and strategy in ('any', 'best')
            and claim * sign in (0, 1)
            and sided.proof = concat(
                prover,
                if(claim * sign = 1, '-wins', '-holds'),
                if(strategy = 'best', '-best', '')
            )
            and (rows, classes, roots, facts) = (nodes, nodes, 1, 1)
            and lower_bound between 1 and nodes
            and is_optimal = (lower_bound = nodes)
        ) is distinct from true
        -- The prover has one legal move in each turn; nothing is needed twice or for nothing.
        or (sided.move is not null) <> coalesce(of_tables.turn = prover, false)
        or (of_tables.turn is not null) <> coalesce(steps >= 1 and is_complete, false)
        or (sided.ply > 0 and reached.child is null)
        -- All classes keep the claim; finished ones prove it by the rules.
        or (value >= claim * sign) is distinct from true
        or (strategy = 'best' and of_tables.turn = prover and least_after < value)
)

from final
order by proof, class, row
