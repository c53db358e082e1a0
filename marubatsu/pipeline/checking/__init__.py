"""Checks: of the data, of numbers known from elsewhere, of a board against the laws."""
