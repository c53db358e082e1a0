-- grain: the number of the higher cells of a choice of a ply, with lists of index_form
-- A binary search: the last entry of the ply that does not count more choices before it.
create or replace macro index_half(choice_number, ply, high_cells, high_starts, choices_before) as
list_reduce(range(high_cells[ply + 1] - 1, -1, -1), lambda number, power: case
    when choices_before[number + (1 << power)] <= choice_number then number + (1 << power)
    else number
end, high_starts[ply + 1] + 1);
