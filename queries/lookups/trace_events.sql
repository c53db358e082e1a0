-- question: What happens in this search?
-- grain: one event; the digit is the last move plus 1, or 0 before any move
-- parameters: search
select
    kind,
    alpha,
    beta,
    score,
    skipped,
    line % 10 as digit,
from search_trace
where search = ?
order by event
