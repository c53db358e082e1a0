"""Judge anybody's AI: ask it about every position in a process of its own, and let SQL decide.

Modules, each standing on those above it
----------------------------------------
confine  what keeps a foreign process from harm: limits, a file system that it cannot write
worker   the process in which a foreign AI runs
spec     what a user names as an AI
foreign  a foreign AI from our side: asked with a time limit, restarted when it is gone
answers  every position asked, what was answered, and what was wrong with it
judge    the verdicts, from the same SQL that judges our own AIs
runner   an audit from beginning to end, by the tables of a small game
solved   the same by the solution of a large one: every class, or a sample
report   the audit as text or JSON
page     the audit as one page of HTML
"""
