-- grain: one known count of the game that the tables belong to
create or replace view known_counts_here as
select known_counts.*
from known_counts, game
where case known_counts.game when 'tictactoe' then '3x3k3' else known_counts.game end = notation;
