"""Solvers of large games, on this machine or on Spark, ply by ply; the files of solutions."""
