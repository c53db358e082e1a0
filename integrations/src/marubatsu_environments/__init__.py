"""Exact rewards of marubatsu as environments of other frameworks.

Each framework has a module of its own, which imports it; ``judged_replies``, ``play`` and ``proof``
need none. `docs/training.md` of marubatsu shows how to run each.
"""
