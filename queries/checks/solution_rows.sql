-- question: Does each ply have all of its blocks, and each block all of its rows?
-- grain: one ply with other blocks or rows than it must have, or without the ply before it
-- examines: solution_files
with
-- Ways to stack so many marks, without those where some columns are too high.
stacked as (
    select
        ply,
        sum(
            (1 - too_high % 2 * 2) * choose(columns, too_high)
            * choose(ply - too_high * (rows + 1) + columns - 1, columns - 1)
        ) as ways,
    from game, ply_shapes, unnest(range(columns + 1)) as numbers (too_high)
    group by ply
),

expected as (
    select
        ply,
        offsets,
        case when gravity then ways else choose(cells, marks) end as masks,
    from game, ply_shapes
    join stacked using (ply)
),

-- Each mask is an image of one block.
blocks_found as (
    select
        ply,
        count(*) as blocks,
        sum(symmetries // (1 + len(kept_by))) as masks,
    from placed_blocks, index_form
    group by ply
),

rows_found as (
    select
        ply,
        count(*) as rows_found,
        max(key) as last_key,
        count(value) filter (ply = 0) as roots,
    from solution_files
    group by ply
),

final as (
    select
        ply,
        blocks,
        blocks_found.masks,
        expected.masks as expected_masks,
        rows_found,
        last_key,
        roots,
        blocks * offsets as expected_rows,
    from expected
    left join blocks_found using (ply)
    left join rows_found using (ply)
    where
        ply <= (select max(ply) from rows_found)
        and (blocks_found.masks, rows_found, last_key, roots)
        is distinct from
        (expected.masks, expected_rows, expected_rows - 1, (ply = 0)::int)
)

from final
order by ply
