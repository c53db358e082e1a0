"""Support for all rooms: errors, signals, progress, rows, processes, the machine."""
