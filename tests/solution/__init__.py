"""Solutions of large games: solved, looked up, checked, compared with known numbers."""
