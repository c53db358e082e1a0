"""Support for all rooms: errors, events, signals, progress, processes, the machine."""
