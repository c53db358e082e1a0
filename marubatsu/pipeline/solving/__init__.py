"""Solvers of large games: on this machine or on Apache Spark, ply by ply, resumable."""
