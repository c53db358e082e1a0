"""The files of a solution, and the one flat file that it can be exported to."""
