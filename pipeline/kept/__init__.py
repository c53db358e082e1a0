"""Tables that commands keep beside those of a game: answers of searches, and proofs."""
