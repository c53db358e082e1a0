"""What makes each table, and the build that runs the stages that are not up to date."""
