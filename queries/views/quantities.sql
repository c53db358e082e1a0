-- grain: one quantity that `tally` counts, at a ply or, where that is null, in all
create or replace macro quantities(tally) as table
with
counted as (
    select
        ply,
        status,
        score,
        critical,
        unnest(['positions', 'classes', 'nodes']) as things,
        unnest([positions, classes, nodes]) as count,
    from query_table(tally)
),

kinds as (
    select
        ply,
        count,
        unnest(case things
            when 'nodes' then [
                {'quantity': 'nodes', 'is_so': true},
                {'quantity': 'nodes made by a move', 'is_so': ply > 0},
                {'quantity': 'games', 'is_so': status <> 'playing'},
                {'quantity': 'games won by circle', 'is_so': status = 'circle'},
                {'quantity': 'games won by cross', 'is_so': status = 'cross'},
                {'quantity': 'games drawn', 'is_so': status = 'draw'},
            ]
            else [
                {'quantity': things, 'is_so': true},
                {'quantity': things || ' with score +1', 'is_so': score = 1},
                {'quantity': things || ' with score 0', 'is_so': score = 0},
                {'quantity': things || ' with score -1', 'is_so': score = -1},
                {'quantity': 'unfinished ' || things, 'is_so': status = 'playing'},
                {'quantity': 'critical ' || things, 'is_so': critical},
                {'quantity': 'finished ' || things, 'is_so': status <> 'playing'},
                {'quantity': 'finished ' || things || ' won by circle', 'is_so': status = 'circle'},
                {'quantity': 'finished ' || things || ' won by cross', 'is_so': status = 'cross'},
                {'quantity': 'finished ' || things || ' drawn', 'is_so': status = 'draw'},
            ]
        end, recursive := true),
    from counted
),

summed as (
    select
        quantity,
        ply,
        sum(count * is_so::int) as count,
    from kinds
    group by grouping sets ((quantity, ply), (quantity))
)

-- Leave out what the tally does not count.
from summed
where count is not null

union all

select 'value', null, score
from query_table(tally)
where ply = 0

union all

-- Lines of play that ignore wins: the cells in any order.
select
    'nodes without stopping at wins',
    null,
    sum(factorial(cells::int) // factorial((cells - ply)::int)),
from game, unnest(range(cells + 1)) as numbers (ply)
where not gravity and cells <= 20;
