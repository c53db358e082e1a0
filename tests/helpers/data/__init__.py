"""Data sets that tests share, positions to test on, and numbers known from elsewhere."""
