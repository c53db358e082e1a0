-- question: What does each main technique save, with all others on and off?
-- grain: one technique with another one off, with it on, and over both
with
compared as (
    select
        board,
        nodes,
        algorithm = 'scout' as scout,
        contains(techniques, 'by_lines') as by_lines,
        use_table as "table",
        contains(techniques, 'killers') as killers,
        contains(techniques, 'history') as history,
    from techniques
    where score is not null
        and algorithm in ('alphabeta', 'scout')
        and ordering is null
        and not init_window
        and list_has_all(['', 'by_lines', 'history', 'killers'], string_split(techniques, ' '))
),

-- Positions that all 32 settings have solved, so that every mean is over the same positions.
solved as (
    select board
    from compared
    group by board
    having count(*) = 32
),

long as (
    unpivot (
        select
            board,
            nodes,
            columns(* exclude (board, nodes))::int,
            [scout, by_lines, "table", killers, history]::int[] as every,
        from compared
        semi join solved using (board)
    )
    on scout, by_lines, "table", killers, history
    into name technique value is_on
),

numbered as (
    select
        *,
        list_position(['scout', 'by_lines', 'table', 'killers', 'history'], technique) as number,
    from long
),

-- The same search without the technique.
paired as (
    select
        one.technique,
        one.board,
        one.every,
        ln(one.nodes / other.nodes) as change,
    from numbered as one
    join numbered as other
        on one.technique = other.technique
        and one.board = other.board
        and one.is_on = 1
        and other.is_on = 0
        and list_where(one.every, [one.number <> i for i in range(1, 6)])
        = list_where(other.every, [one.number <> i for i in range(1, 6)])
),

-- One mean for each position: its 16 pairs are not independent of one another.
by_position as (
    select
        technique,
        board,
        'all' as others,
        avg(change) as change,
    from paired
    group by technique, board

    union all

    select
        technique,
        board,
        concat(if(every[number] = 1, 'with ', 'without '), name) as others,
        avg(change) as change,
    from paired
    cross join (
        select unnest(['scout', 'by_lines', 'table', 'killers', 'history']) as name,
            unnest(range(1, 6)) as number
    )
    where name <> technique
    group by all
),

summed as (
    select
        technique,
        others,
        count(*) as positions,
        avg(change) as mean,
        1.96 * stddev_samp(change) / sqrt(count(*)) as margin,
    from by_position
    group by technique, others
),

final as (
    select
        technique,
        others,
        positions,
        round(exp(mean), 3) as times_without,
        round(exp(mean - margin), 3) as low_95,
        round(exp(mean + margin), 3) as high_95,
    from summed
)

from final
order by technique, others
