"""The answers of the HTTP API: games, positions, AIs, documents, tables, and their description."""
