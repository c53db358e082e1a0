"""Reviews of recorded games: the formats of logs, and how well each player played.

The way of a log: `game_logs` finds its format, and `game_texts`, `csv_tables`, `json_games` (both
by `table_games`, whose columns `layouts` finds) or `framework_logs` reads each `recorded_game`.
`game_logs` replays them, `player_tables` judges and counts, `review` reports.
"""
