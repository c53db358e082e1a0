-- question: Does each class agree with all of its members?
-- grain: one class that does not
-- examines: classes
with
members as (
    select
        class,
        count(*) as orbit,
        sum(nodes) as nodes,
        min(position) as position,
        count(distinct (ply, status, score, score_sv, score_svrd, distance, critical))
            as different,
        min((ply, status, score, distance, critical)) as values,
    from positions
    group by class
),

numbered as (
    select
        *,
        row_number() over (order by position) - 1 as expected_class,
    from classes
),

final as (
    select
        class,
        board,
        expected_class,
        different,
        values as values_of_members,
        members.orbit as members,
    from numbered
    full join members using (class)
    left join (select position, board as first_board from positions) as first
        on members.position = first.position
    where
        different is distinct from 1
        or class is distinct from expected_class
        or board is distinct from first_board
        or (numbered.position, numbered.orbit, numbered.nodes)
        is distinct from (members.position, members.orbit, members.nodes)
        or (numbered.ply, status, score, distance, critical) is distinct from values
)

from final
order by class
