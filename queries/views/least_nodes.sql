-- grain: one position, with the fewest nodes that alpha-beta without a table must visit
create or replace view least_nodes as
with recursive
-- A proof that a score is at least v needs one good move of circle and every move of cross. A
-- proof of at most v needs every move of circle and one of cross. Null where it is not true.
sizes as (
    select
        position,
        ply,
        score,
        case when score >= 1 then 1::bigint end as at_least_1,
        case when score >= 0 then 1::bigint end as at_least_0,
        1::bigint as at_least_minus_1,
        1::bigint as at_most_1,
        case when score <= 0 then 1::bigint end as at_most_0,
        case when score <= -1 then 1::bigint end as at_most_minus_1,
        1::bigint as exact,
    from positions
    where ply = (select max(ply) from positions)

    union all

    select
        parent.position,
        any_value(parent.ply) as ply,
        any_value(parent.score) as parent_score,
        case any_value(parent.turn)
            when 'circle' then 1 + min(ge_1)
            when 'cross' then case when count(ge_1) = count(*) then 1 + sum(ge_1) end
            else case when parent_score >= 1 then 1 end
        end::bigint,
        case any_value(parent.turn)
            when 'circle' then 1 + min(ge_0)
            when 'cross' then case when count(ge_0) = count(*) then 1 + sum(ge_0) end
            else case when parent_score >= 0 then 1 end
        end::bigint,
        case any_value(parent.turn)
            when 'circle' then 1 + min(ge_minus_1)
            when 'cross' then 1 + sum(ge_minus_1)
            else 1
        end::bigint,
        case any_value(parent.turn)
            when 'cross' then 1 + min(le_1)
            when 'circle' then 1 + sum(le_1)
            else 1
        end::bigint,
        case any_value(parent.turn)
            when 'cross' then 1 + min(le_0)
            when 'circle' then case when count(le_0) = count(*) then 1 + sum(le_0) end
            else case when parent_score <= 0 then 1 end
        end::bigint,
        case any_value(parent.turn)
            when 'cross' then 1 + min(le_minus_1)
            when 'circle'
                then case when count(le_minus_1) = count(*) then 1 + sum(le_minus_1) end
            else case when parent_score <= -1 then 1 end
        end::bigint,
        -- One best move is searched exactly. A proof shows that no other move is better.
        coalesce(
            1 + sum(no_better)
            + min(case when child_score = parent.score then exact - no_better end),
            1
        )::bigint,
    from positions as parent
    left join moves on parent.position = moves.position
    left join (
        select
            position,
            score as child_score,
            at_least_1 as ge_1,
            at_least_0 as ge_0,
            at_least_minus_1 as ge_minus_1,
            at_most_1 as le_1,
            at_most_0 as le_0,
            at_most_minus_1 as le_minus_1,
            exact,
        from sizes
    ) as child on moves.child = child.position
    cross join lateral (
        select
            case
                when parent.turn = 'circle' and parent.score = 1 then le_1
                when parent.turn = 'circle' and parent.score = 0 then le_0
                when parent.turn = 'circle' then le_minus_1
                when parent.score = 1 then ge_1
                when parent.score = 0 then ge_0
                else ge_minus_1
            end as no_better
    ) as proof
    where parent.ply = (select max(sizes.ply) from sizes) - 1
    group by parent.position
)

select
    position,
    ply,
    score,
    exact as nodes,
from sizes;
