"""Agents and games of other frameworks, and stand-ins for their packages."""
