-- question: Which order of the moves is best for alpha-beta, without a table and with it?
-- grain: one ordering with or without a table, over positions that all orderings have solved
with
compared as (
    select
        use_table,
        concat_ws(
            ' ', coalesce(ordering, nullif(techniques, ''), 'ascending'), if(order_all, 'all', null)
        ) as ordering,
        board,
        nodes,
        score is not null as is_solved,
    from techniques
    where algorithm = 'alphabeta'
        and not init_window
        and (ordering is not null or techniques in ('', 'by_lines', 'killers', 'history'))
),

solved as (
    select
        use_table,
        board,
    from compared
    group by use_table, board
    having bool_and(is_solved)
),

ranked as (
    select
        *,
        ln(nodes / min(nodes) over (partition by use_table, board)) as excess,
        rank() over (partition by use_table, board order by nodes) as place,
    from compared
    semi join solved using (use_table, board)
),

summed as (
    select
        use_table,
        ordering,
        count(*) as positions,
        sum(nodes)::bigint as nodes,
        count(*) filter (place = 1) as best_in,
        avg(excess) as mean,
        1.96 * stddev_samp(excess) / sqrt(count(*)) as margin,
    from ranked
    group by use_table, ordering
),

final as (
    select
        use_table,
        rank() over (partition by use_table order by round(mean, 9)) as place,
        ordering,
        positions,
        nodes,
        best_in,
        round(exp(mean), 3) as times_best,
        round(exp(greatest(mean - margin, 0)), 3) as low_95,
        round(exp(mean + margin), 3) as high_95,
    from summed
)

from final
order by use_table, place, ordering
