"""What `import marubatsu` needs besides: data made on demand, tables as relations."""
