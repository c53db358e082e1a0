"""What writes documents, pictures and golden hashes from the code."""
