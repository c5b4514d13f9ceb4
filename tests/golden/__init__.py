"""Golden pairs: a document and the text that a reader sees in it. `make golden` rewrites the texts; the diff is the review."""
