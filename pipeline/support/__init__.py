"""What every room leans on: errors, signals, progress, rows, processes, the machine."""
