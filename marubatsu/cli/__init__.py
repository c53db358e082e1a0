"""The commands. Each is thin: validation, one call, one way to write the answer."""
