"""Forms of answers: what a function returned or raised, read as moves or as a fault."""
