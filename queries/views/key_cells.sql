-- grain: one cell as in key_weights, with the weights of its images, by symmetry
create or replace view key_cells as
select
    key_weights.*,
    list(images.weight order by symmetry) as images,
from key_weights
join symmetry_cells using (cell)
join key_weights as images on symmetry_cells.image = images.cell
group by all;
