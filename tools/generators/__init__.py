"""What writes documents, pictures and content hashes from the code."""
