"""Measure boards side by side: matches, searches and single calls.

measure  what is measured, and how: in turn, after a warm-up, with the answers compared
report   the figures as tables, beside the published ones
plot     the figures as a picture
page     the page that explains every board, with its figures
"""
