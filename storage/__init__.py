"""Pictures by content hash, Parquet parts, and the lineage in DuckDB."""
