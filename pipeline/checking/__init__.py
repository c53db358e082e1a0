"""What is wrong with the data, what is there, and what is known from elsewhere."""
