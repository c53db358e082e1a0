-- question: Is each search to the end right, with all of its options?
-- grain: one search with its options, as an AI; asked in the representative of each critical class
with
-- The AI takes the moves whose child the search scores best. Searches start from representatives;
-- the score of one holds for all members of its class.
scored as (
    select
        search,
        class,
        searches.score,
    from searches
    join classes using (position)
),

options as (
    from search_options
    where to_the_end
),

tested as (
    select
        options.search,
        moves.position,
        moves.is_best,
        coalesce(
            scored.score,
            case when shortest_victory then child.score_sv else child.score end
        ) * case before.turn when 'circle' then 1 else -1 end as score_mover,
    from options
    cross join moves
    join classes on moves.position = classes.position
    join positions as before on moves.position = before.position
    join positions as child on moves.child = child.position
    left join scored on options.search = scored.search and child.class = scored.class
    where classes.critical and (child.turn is null or scored.score is not null)
),

judged as (
    select
        search,
        position,
        bool_and(is_best) as is_right,
    from (
        from tested
        qualify score_mover = max(score_mover) over (partition by search, position)
    )
    group by search, position
),

rated as (
    select
        options.*,
        count(*) filter (is_right) as representatives_right,
        count(position) as representatives,
    from options
    left join judged using (search)
    group by all
),

final as (
    select
        algorithm,
        ordering,
        order_all,
        shortest_victory,
        init_window,
        use_table,
        count(*) as runs,
        min(representatives_right) as representatives_right,
        max(representatives) as representatives,
        min(representatives_right) = max(representatives) as all_right,
    from rated
    group by algorithm, ordering, order_all, shortest_victory, init_window, use_table
)

from final
order by algorithm, ordering nulls first, order_all, shortest_victory, init_window, use_table
