"""AIs by their address: ours, functions in files, programs; strangers run confined."""
