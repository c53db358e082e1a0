"""Documents and the architecture."""
