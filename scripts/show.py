"""What `make run` ends with: a query on the datasets that the run has written."""

from __future__ import annotations

import sys

import duckdb

QUERY = """
SELECT parse_filename(uri) AS document, media_type, branch, char_count AS chars, confidence, len(warnings) AS warnings,
       left(regexp_replace(content, '\\s+', ' ', 'g'), 44) AS beginning
FROM read_parquet('{out}/documents/*/*.parquet')
ORDER BY media_type, uri
"""
REASONS = """
SELECT parse_filename(uri) AS document, error_category, is_retryable, left(error_message, 60) AS message
FROM read_parquet('{out}/quarantine/*/*.parquet')
ORDER BY error_category, uri
"""


def main(out: str) -> None:
    """Print both datasets."""
    for title, query in (("documents", QUERY), ("quarantine", REASONS)):
        print(f"\n{title}:")
        print(duckdb.sql(query.format(out=out)))


if __name__ == "__main__":
    main(sys.argv[1])
