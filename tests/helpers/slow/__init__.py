"""Second ways to the same answers, written from their sources, as slowly as these read."""
