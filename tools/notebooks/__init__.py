"""The notebooks of docs/notebooks: read, run, and written for Jupyter and for the site."""
