-- question: Is each key the smallest of its images, listed once, at the right ply?
-- grain: one class with a wrong key, ply or orbit, or whose ply has no ply before it
-- needs: solution
-- examines: solution_files
-- for each: ply
with
derived as (
    select
        ply,
        key,
        orbit,
        bit_count(circles) as circles,
        bit_count(crosses) as crosses,
        circles & crosses <> 0 as is_shared,
        list_min(keys) as smallest_key,
        len(list_distinct(keys)) as images,
    from solution_marks
    where ply = getvariable('ply')
),

doubled as (
    select key
    from solution_files
    where ply = getvariable('ply')
    group by key
    having count(*) > 1
),

final as (
    select
        * exclude (is_shared),
        key in (from doubled) as is_doubled,
        exists (from solution_files where ply = getvariable('ply') - 1) as has_ply_before,
    from derived
    where
        (circles, crosses, is_shared, smallest_key, images, is_doubled, has_ply_before)
        is distinct from
        ((ply + 1) // 2, ply // 2, false, key, orbit, false, ply > 0)
)

from final
order by key
