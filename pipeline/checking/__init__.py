"""Checks: the problems of the data, the games built, and the numbers known from elsewhere."""
