"""What makes the data: tables, stages, SQL, checks, solutions, publications."""
