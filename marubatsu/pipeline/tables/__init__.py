"""Tables: declared columns, Parquet files, data sets published together or not at all."""
