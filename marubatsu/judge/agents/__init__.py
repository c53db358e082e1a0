"""AIs by their address; those of others run in boxes; what they return is read; matches.

The way of a foreign AI: `address` reads its name, `agent_settings` the options. `players` makes it
an `agent` with a `responder`: a function, in terms of `interfaces`; a process (`agent_process`),
in whose `box` `agent_worker` loads it; or a table (`reply_table`). `reply_reader` reads replies.
"""
