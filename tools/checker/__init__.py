"""Programs that derive the values of a solution again, without its engine."""
