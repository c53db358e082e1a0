"""AIs by their address; those of others run in boxes; what they return is read; matches."""
