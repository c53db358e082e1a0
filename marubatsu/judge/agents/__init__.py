"""AIs by their address: ours, functions in files, programs; foreign ones run confined."""
