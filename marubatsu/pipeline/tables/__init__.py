"""Tables: declared columns, Parquet files, and the formats in which rows are shown."""
