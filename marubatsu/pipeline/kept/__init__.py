"""Tables that commands keep beside those of a game: answers, proofs, techniques."""
