-- question: What does each technique alone change, compared with alpha-beta with a table?
-- grain: one setting, paired with alpha-beta with a table over the positions that both have solved
with
compared as (
    select
        setting,
        board,
        nodes,
    from techniques
    where score is not null
        and ordering is null
        -- One technique, or one that needs the move of the table as well; or another algorithm.
        and (
            algorithm in ('alphabeta', 'scout')
            and use_table
            and (init_window::int + (algorithm = 'scout')::int + len(
                list_filter(
                    string_split(techniques, ' '),
                    lambda name: name not in ('', 'table_move') and not starts_with(name, 'replac')
                )
            )) <= 1
            or algorithm not in ('minimax', 'alphabeta', 'scout')
            and techniques = ''
            or setting = 'alphabeta'
        )
),

paired as (
    select
        compared.setting,
        compared.nodes,
        ln(compared.nodes / base.nodes) as change,
    from compared
    join compared as base using (board)
    where base.setting = 'alphabeta table'
),

summed as (
    select
        setting,
        count(*) as positions,
        sum(nodes)::bigint as nodes,
        count(*) filter (change < 0) as fewer,
        count(*) filter (change > 0) as more,
        avg(change) as mean,
        1.96 * stddev_samp(change) / sqrt(count(*)) as margin,
    from paired
    group by setting
),

final as (
    select
        setting,
        positions,
        nodes,
        fewer,
        more,
        round(exp(mean), 3) as times_base,
        round(exp(mean - margin), 3) as low_95,
        round(exp(mean + margin), 3) as high_95,
    from summed
)

from final
order by times_base, setting
