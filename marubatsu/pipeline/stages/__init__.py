"""The stages, one per table, and the build that runs those that are not up to date."""
