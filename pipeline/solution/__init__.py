"""Strong solutions of large games: every class with its value, ply by ply, out of core.

    forward    from the empty board, the classes of each ply: children of all classes, sorted,
               each once. They wait on disk as plain keys.
    backward   from the last ply, the value of each class from those of the next ply. Each ply is
               written when it is done.

`local` does it on this machine, `spark` on Apache Spark; `making` is what both have in common;
`files` knows what is where; `journal` what is done already; `cost` what it takes.
"""
