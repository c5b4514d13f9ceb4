"""ExtractDocuments in a pipeline of somebody else's."""

from __future__ import annotations

from pathlib import Path

import apache_beam as beam
from apache_beam.testing.test_pipeline import TestPipeline as BeamPipeline
from apache_beam.testing.util import assert_that, equal_to
from apache_beam.transforms.window import FixedWindows, TimestampedValue

from docbeam.runners.direct import pipeline_options
from docbeam.schemas.options import ExtractOptions
from docbeam.transforms import ExtractDocuments


def test_each_uri_ends_in_documents_or_quarantine(samples: Path) -> None:
    names = ["notes/MARKDOWN.md", "contracts/WORD_various.docx", "broken/empty.txt", "no/such.pdf"]
    with BeamPipeline(options=pipeline_options()) as pipeline:
        found = (
            pipeline | beam.Create([f"file://{samples}/{name}" for name in names]) | ExtractDocuments(ExtractOptions(ocr=False))
        )
        documents = found.documents | "Names" >> beam.Map(lambda row: row.identity.uri.rsplit("/", 1)[1])
        quarantine = found.quarantine | "Categories" >> beam.Map(lambda row: row.category.value)
        assert_that(documents, equal_to(["MARKDOWN.md", "WORD_various.docx"]), label="documents")
        assert_that(quarantine, equal_to(["empty", "transient_io"]), label="quarantine")


def test_rows_keep_the_window_of_their_own_element(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number}.txt").write_text(str(number))
    with BeamPipeline(options=pipeline_options()) as pipeline:
        found = (
            pipeline
            | beam.Create([TimestampedValue(f"file://{tmp_path}/{number}.txt", number) for number in range(40)])
            | beam.WindowInto(FixedWindows(10))
            | ExtractDocuments(ExtractOptions(ocr=False))
        )
        counts = (
            found.documents
            | "Tens"
            >> beam.Map(lambda row, window=beam.DoFn.WindowParam: (int(row.extracted.content) // 10, int(window.start) // 10))
            | "Count" >> beam.combiners.Count.PerElement()
        )
        assert_that(counts, equal_to([((ten, ten), 10) for ten in range(4)]))
