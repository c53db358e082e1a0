"""Code that is wrong on purpose: boards, environments, AIs, and defects to plant in tables."""
