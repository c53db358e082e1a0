"""Games in the terminal: AI against AI, and a person against an AI."""
