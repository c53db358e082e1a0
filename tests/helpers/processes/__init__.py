"""Commands, servers and builds as processes: run, watched, interrupted, on small disks."""
