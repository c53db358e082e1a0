"""Data sets as a folder for a data hub: one module for each document beside the tables."""
