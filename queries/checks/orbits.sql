-- question: Does each class hold exactly the images of its representative?
-- grain: one position whose class, symmetry or orbit differs from its images
-- examines: positions
with
images as (
    select
        positions.position,
        symmetry_cells.symmetry,
        sum(case when circle & (1::bigint << cell) <> 0 then 1::bigint << image else 0 end)
            ::bigint as circle,
        sum(case when "cross" & (1::bigint << cell) <> 0 then 1::bigint << image else 0 end)
            ::bigint as "cross",
    from positions, symmetry_cells
    group by positions.position, symmetry_cells.symmetry
),

found as (
    select
        images.position,
        count(distinct images.symmetry) as symmetries,
        count(members.position) as found,
        count(distinct members.position) as orbit,
        min(members.position) as representative,
        min_by(images.symmetry, (members.position, images.symmetry)) as symmetry,
    from images
    left join positions as members
        on images.circle = members.circle and images.cross = members.cross
    group by images.position
),

final as (
    select
        positions.position,
        positions.board,
        positions.class,
        positions.symmetry,
        classes.position as representative,
        classes.orbit,
        found.representative as derived_representative,
        found.symmetry as derived_symmetry,
        found.orbit as derived_orbit,
    from positions
    left join classes using (class)
    left join found on positions.position = found.position
    where
        (found.found, classes.position, positions.symmetry, classes.orbit)
        is distinct from
        (found.symmetries, found.representative, found.symmetry, found.orbit)
)

from final
order by position
