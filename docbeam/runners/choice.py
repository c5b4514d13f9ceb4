"""A runner by its name: a preset, or any runner that Beam knows, with raw Beam options behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from apache_beam.options.pipeline_options import FlinkRunnerOptions, PipelineOptions, PortableOptions

from docbeam.runners import dataflow, direct, flink
from docbeam.schemas.errors import UsageError

PRESETS: dict[str, Callable[[Sequence[str]], PipelineOptions]] = {
    "direct": direct.pipeline_options,
    "flink": flink.pipeline_options,
    "dataflow": dataflow.pipeline_options,
}


@dataclass(frozen=True)
class Choice:
    """Where a run runs. `is_spread`: by many processes, so that references are reshuffled, and counted elsewhere.

    `where` is for people: the runner, and its address if it has one. `ocr_hints` are for the recognition step.
    """

    options: PipelineOptions
    is_spread: bool
    where: str
    ocr_hints: Mapping[str, str]


def chosen(name: str, raw: Sequence[str], job_name: str) -> Choice:
    """Return the options of a preset or of a runner by Beam's name for it. Raises: UsageError."""
    for one in raw:
        if not one.startswith("--"):
            raise UsageError(f"raw Beam option {one!r}: write --name=value, such as --parallelism=4")
    preset = PRESETS.get(name)
    if preset is None and not name.endswith("Runner"):
        raise UsageError(f"--runner {name!r}: not {', '.join(PRESETS)}, nor the name of a Beam runner, such as PrismRunner")
    given = [f"--job_name={job_name}", *raw]
    try:
        options = preset(given) if preset else PipelineOptions([f"--runner={name}", *given])
    except SystemExit as error:  # Beam's argparse has said why
        raise UsageError("raw Beam options: Beam can't read them") from error
    hints = dataflow.OCR_HINTS if name == "dataflow" else {}
    return Choice(options, is_spread=name != "direct", where=_where(options, name), ocr_hints=hints)


def _where(options: PipelineOptions, name: str) -> str:
    if endpoint := options.view_as(PortableOptions).job_endpoint:
        return f"{name} by the job server at {endpoint}"
    if name in ("flink", "FlinkRunner"):
        return f"Flink at {options.view_as(FlinkRunnerOptions).flink_master}"
    return name
