"""DuckDB over a verified data set: the SQL files, our own queries, a sandbox for users' SQL."""
