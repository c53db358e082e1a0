"""Everything that touches disk: schemas, store, stages, catalog, checks and the command line.

Modules, each standing on those above it
----------------------------------------
errors      what a user is told, and the exit code that goes with it
schemas     every table and column, declared once
parquet     arrays into bytes: enforcement of the schema, encodings, content hash
manifest    what was built, from what, by which code
store       the files of a data set: where, lock, atomic publication
verify      what is wrong with the files of the data sets
columns     what a stage hands over, in NumPy
workers     work for all processors, in processes of our own (``worker``)
workshop    what the stages of one build share
fingerprint what the bytes of a table depend on in our own code
stages      what makes each table, from which inputs, with which code
build       run the stages that are not up to date, and publish what they made
catalog     DuckDB over a verified data set: the views and the SQL files of ``queries/``
checks      run the checks and say what each examined
sandbox     SQL from a user, in a process of its own (``sandbox_worker``)
output      rows as a table, JSON, CSV or Markdown
interrupts  Ctrl-C and SIGTERM, held back until nothing is half done
progress    a bar with an estimate, on a terminal only
show        one position, explained
match       AIs played against each other
play        a person against an AI
audit       anybody's AI judged: a package of its own
dictionary  the data dictionary, ``data/README.md``, from the schemas
cli         the commands: a package of its own
"""

import time

__version__ = "0.1.0"

STARTED = time.perf_counter()
"""As near to the start of the process as our code gets: the times that commands print."""
