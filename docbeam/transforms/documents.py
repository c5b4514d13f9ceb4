"""ExtractDocuments: the public transform, for other people's pipelines."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from typing import Any, NamedTuple

import apache_beam as beam
from apache_beam.utils.shared import Shared

from docbeam import __version__
from docbeam.extractors.fingerprint import engine_parts, fingerprint_of
from docbeam.extractors.ocr import check_languages, find_engine
from docbeam.schemas.options import ExtractOptions, WorkOptions
from docbeam.schemas.records import BlobRef, Document, Row
from docbeam.schemas.rows import EngineStamp
from docbeam.transforms.copies import Candidate
from docbeam.transforms.dedupe import FindCopies
from docbeam.transforms.extract import TASKS, ExtractNative, Job
from docbeam.transforms.password_file import PasswordFile
from docbeam.transforms.places import local_bytes_of, local_ref
from docbeam.transforms.recognise import RecognisePages
from docbeam.transforms.scratch import Scratch


class Extractions(NamedTuple):
    """What ExtractDocuments returns: PCollections of Document and of Quarantined."""

    documents: beam.PCollection
    quarantine: beam.PCollection


class ExtractDocuments(beam.PTransform):
    """URIs (str) or BlobRefs to documents and quarantine: each input ends in exactly one of the two.

    `scratch` is a folder, by any fsspec URL that all workers reach, for pages that wait to be put together. On a
    single machine the default will do. `passwords` is the path or URL of a file with passwords for encrypted documents, which
    every worker reads for itself: no password is in the pipeline. Languages that are not installed, and a file of passwords
    that can't be read, raise UsageError when the pipeline is built.
    """

    def __init__(
        self,
        options: ExtractOptions | None = None,
        *,
        work: WorkOptions | None = None,
        storage_options: Mapping[str, Any] | None = None,
        scratch: str | None = None,
        passwords: str | None = None,
    ) -> None:
        super().__init__()
        job, _ = make_job(
            options or ExtractOptions(),
            work or WorkOptions(),
            storage_options or {},
            scratch or f"{tempfile.gettempdir()}/docbeam-scratch",
            run_id="transform",
            passwords=passwords,
        )
        self._job = job

    @property
    def stamp(self) -> EngineStamp:
        """Version and fingerprint of what makes the rows."""
        return self._job.stamp

    def expand(self, inputs: beam.PCollection) -> Extractions:
        """Return documents and quarantine."""
        shared = Shared()
        refs = inputs | "Reference" >> beam.Map(_as_ref)
        if self._job.options.dedupe:
            refs = refs | "MayHaveCopies" >> beam.Map(Candidate) | "FindCopies" >> FindCopies(self._job, is_spread=True)
        native = refs | "ExtractNative" >> ExtractNative(self._job, shared)
        recognised = native[TASKS] | "Recognise" >> RecognisePages(self._job, shared)
        rows = (native.rows, recognised) | "AllInputs" >> beam.Flatten() | "AllRows" >> beam.FlatMap(list)
        documents, quarantine = rows | "SplitRows" >> beam.Partition(_is_quarantined, 2)
        return Extractions(documents, quarantine)


def make_job(
    options: ExtractOptions,
    work: WorkOptions,
    storage_options: Mapping[str, Any],
    scratch: str,
    run_id: str,
    passwords: str | None = None,
) -> tuple[Job, dict[str, object]]:
    """Return what every step of a run needs, and what its fingerprint is made of. Raises: UsageError."""
    engine = find_engine() if options.ocr else None
    if engine is not None:
        check_languages(engine, options.ocr_languages)
    password_file = PasswordFile(passwords, storage_options)
    password_file.check_lasting()
    password_file.load()
    parts = engine_parts(options)
    stamp = EngineStamp(version=__version__, fingerprint=fingerprint_of(parts))
    job = Job(
        options=options,
        storage_options=storage_options,
        scratch=Scratch(scratch, stamp.fingerprint, storage_options),
        children=work.max_concurrent_extractions,
        pages_per_task=work.pages_per_task,
        has_engine=engine is not None,
        run_id=run_id,
        stamp=stamp,
        passwords=password_file,
    )
    return job, parts


def _as_ref(given: str | BlobRef) -> BlobRef:
    if isinstance(given, BlobRef):
        return given
    path = local_bytes_of(given)
    return local_ref(path) if path is not None else BlobRef(uri=given)


def _is_quarantined(row: Row, _: int) -> int:
    return 0 if isinstance(row, Document) else 1
