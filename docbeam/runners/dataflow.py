"""The Dataflow preset: Runner v2 with docbeam's own image; docs/runners/dataflow.md has the reasons and the commands."""

from __future__ import annotations

from collections.abc import Sequence

from apache_beam.options.pipeline_options import PipelineOptions

DATAFLOW_OPTIONS = (
    "--runner=DataflowRunner",
    "--sdk_location=container",  # the image has Beam and docbeam: workers install nothing
    "--experiments=no_use_multiple_sdk_containers",  # one Python process a machine: its sandbox children use the cores
)
OCR_HINTS = {"min_ram": "8GB"}  # four sandbox children of 2 GiB each at their most; only the OCR stage needs it


def pipeline_options(given: Sequence[str] = ()) -> PipelineOptions:
    """Return the options of the Dataflow preset; those that are given come last, so they win."""
    return PipelineOptions([*DATAFLOW_OPTIONS, *given])
