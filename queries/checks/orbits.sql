-- question: Does each class hold exactly the images of its representative?
-- grain: one position whose class, symmetry or orbit differs from its images
-- examines: positions
with
images as (
    select
        positions.position,
        symmetry_cells.symmetry,
        sum(case when circles & (1::bigint << cell) <> 0 then 1::bigint << image else 0 end)
            ::bigint as circles,
        sum(case when crosses & (1::bigint << cell) <> 0 then 1::bigint << image else 0 end)
            ::bigint as crosses,
    from positions, symmetry_cells
    group by positions.position, symmetry_cells.symmetry
),

from_images as (
    select
        images.position,
        count(distinct images.symmetry) as symmetries,
        count(members.position) as matches,
        count(distinct members.position) as orbit,
        min(members.position) as representative,
        min_by(images.symmetry, (members.position, images.symmetry)) as symmetry,
    from images
    left join positions as members
        on images.circles = members.circles and images.crosses = members.crosses
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
        from_images.representative as derived_representative,
        from_images.symmetry as derived_symmetry,
        from_images.orbit as derived_orbit,
    from positions
    left join classes using (class)
    left join from_images on positions.position = from_images.position
    where
        (from_images.matches, classes.position, positions.symmetry, classes.orbit)
        is distinct from
        (
            from_images.symmetries, from_images.representative, from_images.symmetry,
            from_images.orbit
        )
)

from final
order by position
