"""Support for `import marubatsu`: data built on demand, tables as relations.

A module whose name ends in ``_here`` does its work here: in the process of the user's program,
where a command would be a process of its own.
"""
