"""The direct preset: one process on this machine, its cores kept busy by the sandbox children.

Plain `DirectRunner` is Prism if its binary can be downloaded and FnApiRunner if not, so the same command would behave
differently online and offline. The preset names FnApiRunner. One worker is right: the work is done by the children.
"""

from __future__ import annotations

from collections.abc import Sequence

from apache_beam.options.pipeline_options import PipelineOptions

DIRECT_OPTIONS = ("--runner=FnApiRunner", "--direct_running_mode=in_memory", "--direct_num_workers=1")


def pipeline_options(given: Sequence[str] = ()) -> PipelineOptions:
    """Return the options of the direct preset; those that are given come last, so they win."""
    return PipelineOptions([*DIRECT_OPTIONS, *given])
