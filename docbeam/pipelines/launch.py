"""One run from start to end: take the output, recover what earlier runs left, run the graph, return the run file."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

from docbeam.pipelines.extract import ExtractRun, build
from docbeam.schemas.errors import DocbeamError, UsageError
from docbeam.schemas.options import ExtractOptions, WorkOptions
from docbeam.transforms.commit import RUNS, RunHead
from docbeam.transforms.discover import check_apart, check_inputs
from docbeam.transforms.documents import make_job
from docbeam.transforms.lease import Lease
from docbeam.transforms.listing import Inputs
from docbeam.transforms.parts import SCRATCH
from docbeam.transforms.places import first_line
from docbeam.transforms.recover import finish_begun_commits, take_over_staged
from docbeam.transforms.storage import Folder


def new_run_id() -> str:
    """Return an id for a run: ids sort by the time they were made."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S}Z-{secrets.token_hex(3)}"


def checked_output(inputs: Inputs, url: str) -> Folder:
    """Return the output, once inputs and output are seen to be usable and apart; nothing has started yet.

    Raises: UsageError for inputs that are not there or lie in the output, and for an output that can't be written.
    """
    check_inputs(inputs.inputs, inputs.manifest, inputs.storage_options)
    check_apart(inputs.inputs, url, inputs.storage_options)
    return _writable(url, inputs.storage_options)


def launch(
    inputs: Inputs,
    output: Folder,
    options: ExtractOptions,
    work: WorkOptions,
    runner_options: PipelineOptions,
    *,
    run_id: str,
    is_spread: bool,
) -> dict[str, Any]:
    """Run the main job on an output from checked_output and return its run file.

    Raises: UsageError if another run holds the output, and for languages that are not installed; OSError if the storage
    fails, such as a full disk. What is finished then is kept.
    """
    job, engine = make_job(options, work, inputs.storage_options, f"{output.url.rstrip('/')}/{SCRATCH}", run_id)
    head = RunHead(
        run_id=run_id,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        inputs=inputs.inputs + ((inputs.manifest,) if inputs.manifest else ()),
        engine_version=job.stamp.version,
        engine_fingerprint=job.stamp.fingerprint,
        engine=engine,
        work={**dataclasses.asdict(work), "children": job.children},
    )
    with Lease(output, run_id):
        finish_begun_commits(output)
        recovered = take_over_staged(output, run_id, job.stamp.fingerprint)
        run = ExtractRun(inputs=inputs, output=output, job=job, work=work, head=head, recovered=recovered, is_spread=is_spread)
        pipeline = beam.Pipeline(options=runner_options)
        build(pipeline, run)
        try:
            pipeline.run().wait_until_finish()
        except Exception as error:
            raise _original(error) from error
        report: dict[str, Any] = output.read_json(f"{RUNS}/{run_id}.json")
    return report


def _original(error: BaseException) -> BaseException:
    """Return the interrupt or storage error that Beam has wrapped in a RuntimeError, or the error as it is."""
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, (KeyboardInterrupt, OSError, DocbeamError)):
            return found
        found = found.__cause__ or found.__context__
    return error


def _writable(url: str, storage_options: Mapping[str, Any]) -> Folder:
    probe = f"_docbeam/probe-{secrets.token_hex(4)}"
    try:
        output = Folder(url, storage_options)
        output.write(probe, b"")
        output.remove(probe)
    except Exception as error:  # every storage library has its own kinds
        reason = getattr(error, "strerror", None) or first_line(error)
        raise UsageError(f"output {url!r} can't be written: {reason}") from error
    return output
