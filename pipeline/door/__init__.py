"""Support for `import marubatsu`: data built on demand, tables as relations."""
