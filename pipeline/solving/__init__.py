"""How a solution is computed: on this machine or on Apache Spark, ply by ply, resumable."""
