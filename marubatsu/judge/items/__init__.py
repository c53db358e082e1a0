"""Items: positions as questions for language models, and the judge of what they reply."""
