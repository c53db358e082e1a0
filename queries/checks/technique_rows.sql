-- question: Do the settings agree about each position, and do the nodes of each type add up?
-- grain: one search that contradicts itself, or another search of the position
-- examines: techniques
with
numbered as (
    select
        *,
        string_split(techniques, ' ') as names,
        algorithm in ('proof_number', 'df_pn', 'uct') as has_no_window,
        row_number() over () as row,
    from techniques
),

-- Every setting searches the same positions; the empty board is one of them.
together as (
    select
        row,
        count(*) over (partition by setting, board) as same,
        count(*) over (partition by setting) as of_setting,
        count(*) filter (ply = 0) over (partition by setting) as roots,
        count(distinct board) over () as boards,
        min(score) over (partition by board) as least_score,
        max(score) over (partition by board) as greatest_score,
        count(distinct (
            algorithm, ordering, order_all, init_window, use_table, seed, techniques, step,
            node_limit
        )) over (partition by setting) as facts,
        count(distinct setting) over (partition by step) as on_step,
    from numbered
),

final as (
    select
        setting,
        ply,
        board,
        score,
        nodes,
        leaves,
        answered,
        pv_nodes,
        cut_nodes,
        all_nodes,
        first_cuts,
        node_limit,
        numbered.row,
    from numbered
    join together using (row)
    where
        same <> 1
        or of_setting <> boards
        or roots <> 1
        or facts <> 1
        or (step is not null and on_step <> 1)
        or least_score is distinct from greatest_score and score is not null
        or (
            ply = length(replace(board, '.', ''))
            and ply - 2 * length(translate(board, '.o', '')) = ply % 2
            and (
                score in (-1, 0, 1) and nodes between 1 and node_limit
                or score is null and nodes > node_limit
                -- These stop also when their tree or table has no room for more.
                or score is null and has_no_window
            )
            and setting = concat_ws(
                ' ',
                algorithm,
                ordering,
                if(order_all, 'all', null),
                if(init_window, 'init_window', null),
                if(use_table, 'table', null),
                'seed=' || seed,
                nullif(techniques, '')
            )
            and names = list_sort(names)
            -- Stopped searches have left nodes whose type is not known.
            and has_no_window = (leaves is null)
            and if(
                leaves is null,
                (answered, pv_nodes, cut_nodes, all_nodes, first_cuts)
                is not distinct from
                (null, null, null, null, null),
                (leaves + answered + pv_nodes + cut_nodes + all_nodes = nodes or score is null)
                and least(leaves, answered, pv_nodes, cut_nodes, all_nodes, first_cuts) >= 0
                and first_cuts <= cut_nodes
                and (use_table or answered = 0)
                and (algorithm <> 'minimax' or cut_nodes + all_nodes = 0)
            )
        ) is distinct from true
)

from final
order by setting, ply, board, row
