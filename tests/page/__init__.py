"""The explorer: its server, and its page in a real browser."""
