"""Speed and memory, measured; every benchmark asserts its answers."""
