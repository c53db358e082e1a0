"""The AI type and its registry, and the AIs by rule and by evaluation."""
