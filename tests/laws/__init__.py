"""Laws of the engine: rules, boards, trees, AIs, matches."""
