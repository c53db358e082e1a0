-- question: What does each technique save when they are added one by one?
-- grain: one step of the ladder; the steps begin with minimax
with
steps as (
    select
        step,
        setting,
        board,
        ply,
        score,
        nodes,
        cut_nodes,
        first_cuts,
    from techniques
    where step is not null
),

-- Only positions that both steps have searched to the end can be compared.
paired as (
    select
        steps.*,
        ln(steps.nodes / before.nodes) as change,
    from steps
    left join steps as before
        on steps.step = before.step + 1
        and steps.board = before.board
        and before.score is not null
        and steps.score is not null
),

final as (
    select
        step,
        setting,
        count(*) as searches,
        count(*) filter (score is null) as stopped,
        sum(nodes)::bigint as nodes,
        any_value(nodes) filter (ply = 0 and score is not null) as from_empty_board,
        count(change) as compared,
        round(exp(avg(change)), 3) as times_before,
        round(100 * sum(first_cuts) / nullif(sum(cut_nodes), 0), 1) as first_move_cuts_percent,
    from paired
    group by step, setting
)

from final
order by step
