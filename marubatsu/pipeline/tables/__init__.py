"""Every table declared, and its rows as the bytes of a Parquet file."""
