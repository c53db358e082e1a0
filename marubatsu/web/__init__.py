"""The page, its documents, and the HTTP API."""
