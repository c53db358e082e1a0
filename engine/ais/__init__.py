"""What an AI is, and the AIs by rule and by evaluation."""
