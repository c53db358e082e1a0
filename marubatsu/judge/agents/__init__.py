"""AIs by their address; those of others run in boxes, and what they return is read here."""
