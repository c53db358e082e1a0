"""Adapters to other frameworks: their agents and environments here, our oracle and AIs there."""
