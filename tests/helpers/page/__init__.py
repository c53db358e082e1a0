"""A browser, the server of the page, and how tests read it."""
