"""The searches of engine.search once more, compiled, for many positions at a time."""
