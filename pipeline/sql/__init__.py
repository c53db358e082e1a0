"""DuckDB over a verified data set: the SQL files, our own queries, and the sandbox for others."""
