"""Pure game logic: no files but the cache of kernels, no printing, no clock, no global state."""
