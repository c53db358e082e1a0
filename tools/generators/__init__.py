"""Generators of documents, pictures and content hashes from the code."""
