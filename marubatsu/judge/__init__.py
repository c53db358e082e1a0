"""What uses the data: the oracle, agents in their boxes, audits, reviews, items for models."""
