"""ExtractDocuments for Beam YAML: rows in, rows out, every option a plain value.

A row has the columns of the dataset's schema, as far as YAML's own transforms take them: moments are ISO 8601 texts, each
warning is one text, and `pages` is left out. docs/runners/yaml.md has the provider's lines.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Optional

import apache_beam as beam
import pyarrow as pa
from apache_beam.typehints.row_type import RowTypeConstraint

from docbeam.schemas.arrow import DOCUMENTS, QUARANTINE
from docbeam.schemas.errors import UsageError
from docbeam.schemas.options import ExtractOptions, WorkOptions
from docbeam.schemas.records import Row
from docbeam.schemas.rows import EngineStamp, row_columns
from docbeam.transforms.documents import ExtractDocuments

LEFT_OUT = "pages"
ERRORS = "quarantine"


class ExtractRows(beam.PTransform):
    """Rows with a column of URIs to rows of both datasets, as outputs `documents` and `quarantine`.

    `uri` names the column. The other arguments are docbeam's options by their names, and `scratch`, `passwords` and
    `storage_options` as in ExtractDocuments. Raises: UsageError for an unknown one.
    """

    def __init__(
        self,
        uri: str = "uri",
        scratch: str | None = None,
        passwords: str | None = None,
        storage_options: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._uri = uri
        extract, work = (_of(kind, options) for kind in (ExtractOptions, WorkOptions))
        unknown = sorted({*options} - _names(ExtractOptions) - _names(WorkOptions))
        if unknown:
            raise UsageError(f"unknown option {unknown[0]!r}; docs/options.md lists them")
        self._extract = ExtractDocuments(
            ExtractOptions(**extract),
            work=WorkOptions(**work),
            storage_options=storage_options,
            scratch=scratch,
            passwords=passwords,
        )

    def expand(self, rows: beam.PCollection) -> dict[str, beam.PCollection]:
        """Return the outputs by their names."""
        column = self._uri
        uris = rows | "Uris" >> beam.Map(lambda row: str(getattr(row, column))).with_output_types(str)
        found = uris | "Extract" >> self._extract
        stamp = self._extract.stamp
        return {
            "documents": found.documents | "DocumentRows" >> _rows(DOCUMENTS, stamp),
            ERRORS: found.quarantine | "QuarantineRows" >> _rows(QUARANTINE, stamp),
        }


def _rows(schema: pa.Schema, stamp: EngineStamp) -> beam.PTransform:
    names = [field.name for field in schema if field.name != LEFT_OUT]
    types = [(field.name, _type(field)) for field in schema if field.name != LEFT_OUT]

    def as_row(row: Row) -> beam.Row:
        _, columns = row_columns(row, stamp, datetime.now(UTC))
        return beam.Row(**{name: _plain(name, columns[name]) for name in names})

    return beam.Map(as_row).with_output_types(RowTypeConstraint.from_fields(types))


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if name == "metadata":
        return dict(value)
    if name == "warnings":
        return [f"{notice['code']}: {notice['part']}: {notice['message']}" for notice in value]
    return list(value) if isinstance(value, tuple) else value


def _type(field: pa.Field) -> Any:
    kind = field.type
    if pa.types.is_map(kind):
        return Mapping[str, str]
    if pa.types.is_list(kind):
        return Sequence[str]
    plain = str
    if pa.types.is_integer(kind):
        plain = int  # type: ignore[assignment]
    elif pa.types.is_boolean(kind):
        plain = bool  # type: ignore[assignment]
    elif pa.types.is_floating(kind):
        plain = float  # type: ignore[assignment]
    return Optional[plain] if field.nullable else plain  # noqa: UP045  Beam reads this form


def _names(kind: type) -> set[str]:
    return {field.name for field in dataclasses.fields(kind)}


def _of(kind: type, options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name in _names(kind)}
