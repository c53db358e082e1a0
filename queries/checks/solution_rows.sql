-- question: Does each ply have all of its blocks, and each block all of its rows?
-- grain: one ply with other blocks or rows than it must have, or without the ply before it
-- examines: solution_parts
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
        sum(rows_of_file) as rows_found,
        max(first_key + rows_of_file) - 1 as last_key,
        count(*) filter (rows_of_file is distinct from rows) as other_rows,
    from solution_parts
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
        other_rows,
        case when ply = 0 then (select count(value) from solution_files where ply = 0) end as roots,
        blocks * offsets as expected_rows,
    from expected
    left join blocks_found using (ply)
    left join rows_found using (ply)
    where
        ply <= (select max(ply) from rows_found)
        and (blocks_found.masks, rows_found, last_key, other_rows, coalesce(roots, 1))
        is distinct from
        (expected.masks, expected_rows, expected_rows - 1, 0, 1)
)

from final
order by ply
