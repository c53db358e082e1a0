"""Facts and laws. `known_counts.csv` is the one home of magic numbers, each with its source."""
