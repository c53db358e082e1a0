-- question: Do all known counts of this game agree with the tables?
-- grain: one known count that differs from the tables, or that no query counts
-- examines: known_counts_here
-- empty when: no count of the game is published
with
final as (
    select
        known.quantity,
        known.ply,
        known.count as expected,
        found.count as got,
        known.source,
    from known_counts_here as known
    left join table_quantities as found
        on known.quantity = found.quantity
        and known.ply is not distinct from found.ply
    where found.count is distinct from known.count
)

from final
order by quantity, ply
