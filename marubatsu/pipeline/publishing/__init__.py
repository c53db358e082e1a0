"""Data sets as a folder for a data hub, with documents that describe them."""
