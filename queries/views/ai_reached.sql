-- grain: one AI on one side, and one position that it can reach against any opponent
create or replace view ai_reached as
with recursive
-- One step is one ply, so each position comes up once, with the smallest of its lines.
reached as (
    select
        ai,
        side,
        0 as ply,
        0::bigint as position,
        0::bigint as line,
    from (select distinct ai from ai_moves) as names,
        (values ('circle'), ('cross')) as sides (side)

    union all

    select
        reached.ai,
        reached.side,
        reached.ply + 1 as ply,
        moves.child as position,
        min(reached.line * 10 + moves.move + 1) as line,
    from reached
    join positions using (position)
    join moves using (position)
    left join ai_moves
        on reached.ai = ai_moves.ai
        and reached.position = ai_moves.position
        and moves.move = ai_moves.move
    where (positions.turn <> reached.side or ai_moves.is_candidate) and reached.ply < 9
    group by reached.ai, reached.side, reached.ply, moves.child
)

from reached;
