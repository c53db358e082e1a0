"""The commands. Each is thin: validation, one call, one way to write the answer.

options  what commands share: the application, their options, where rows go
making   tree, build, verify, check, games
asking   query, sql, show
playing  audit, match, play
anchoring  anchors
main     the way in: errors become one sentence and an exit code
"""
