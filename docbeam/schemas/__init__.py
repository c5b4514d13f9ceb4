"""What flows and what is written: vocabularies, records, options and the Arrow schemas of both datasets."""
