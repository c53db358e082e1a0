"""More ways to store a board, and the laws that every board must keep."""
