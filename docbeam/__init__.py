"""docbeam: piles of documents in, one Parquet dataset of plain text and one of reasons out."""

__version__ = "0.1.0"
