"""One run from start to end: take the output, recover what earlier runs left, run the graph, return the run file."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import GoogleCloudOptions, PipelineOptions

from docbeam.pipelines.extract import ExtractRun, build
from docbeam.pipelines.replay import ReplayRun
from docbeam.pipelines.replay import build as build_replay
from docbeam.schemas.errors import DocbeamError, UsageError
from docbeam.schemas.options import ExtractOptions, RerunOptions, WorkOptions
from docbeam.transforms.commit import RunHead
from docbeam.transforms.discover import check_apart, check_inputs
from docbeam.transforms.documents import make_job
from docbeam.transforms.lease import Lease
from docbeam.transforms.ledger import RUNS
from docbeam.transforms.listing import Inputs
from docbeam.transforms.parts import SCRATCH
from docbeam.transforms.parts import new_run_id as new_run_id
from docbeam.transforms.places import first_line
from docbeam.transforms.recover import drop_unfit, finish_begun_commits, take_over_staged
from docbeam.transforms.replay import Selected
from docbeam.transforms.storage import Folder


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
    ocr_hints: Mapping[str, str] | None = None,
    passwords: str | None = None,
    rerun: RerunOptions | None = None,
) -> dict[str, Any]:
    """Run the main job on an output from checked_output; return its run file, empty for a template of a job.

    `passwords` is the URL of their file.

    Raises: UsageError if another run holds the output, for languages that are not installed, and for passwords that can't
    be read; OSError if the storage fails, such as a full disk. What is finished then is kept.
    """
    named = inputs.inputs + ((inputs.manifest,) if inputs.manifest else ())
    run = _run(output, options, work, inputs, run_id, is_spread, named, {"name": "extract"}, passwords)
    with Lease(output, run_id) as lease:
        if is_template(runner_options):
            lease.leave()
        finish_begun_commits(output)
        recovered = take_over_staged(output, run_id, run.job.stamp.fingerprint)
        run = dataclasses.replace(run, recovered=recovered, ocr_hints=ocr_hints or {}, rerun=rerun or RerunOptions())
        return _report_of(run, runner_options, lambda pipeline: build(pipeline, run))


def launch_replay(
    selected: Selected,
    output: Folder,
    options: ExtractOptions,
    work: WorkOptions,
    runner_options: PipelineOptions,
    *,
    run_id: str,
    is_spread: bool,
    ocr_hints: Mapping[str, str] | None = None,
    passwords: str | None = None,
) -> dict[str, Any]:
    """Read the selected quarantined inputs again, replace their rows, and return the run file. Raises: as launch does."""
    inputs = Inputs(inputs=(), manifest=selected.manifest, storage_options=selected.storage_options)
    command = {"name": "replay", "where": [str(condition) for condition in selected.conditions]}
    named = (selected.manifest,) if selected.manifest else ()
    run = _run(output, options, work, inputs, run_id, is_spread, named, command, passwords)
    with Lease(output, run_id) as lease:
        if is_template(runner_options):
            lease.leave()
        finish_begun_commits(output)
        drop_unfit(output)
        replay = ReplayRun(run=dataclasses.replace(run, ocr_hints=ocr_hints or {}), selected=selected)
        return _report_of(run, runner_options, lambda pipeline: build_replay(pipeline, replay))


def _run(
    output: Folder,
    options: ExtractOptions,
    work: WorkOptions,
    inputs: Inputs,
    run_id: str,
    is_spread: bool,
    named: tuple[str, ...],
    command: Mapping[str, Any],
    passwords: str | None,
) -> ExtractRun:
    scratch = f"{output.url.rstrip('/')}/{SCRATCH}"
    job, engine = make_job(options, work, inputs.storage_options, scratch, run_id, passwords)
    head = RunHead(
        run_id=run_id,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        inputs=named,
        engine_version=job.stamp.version,
        engine_fingerprint=job.stamp.fingerprint,
        engine=engine,
        work={**dataclasses.asdict(work), "children": job.threads},
        command=command,
    )
    return ExtractRun(inputs=inputs, output=output, job=job, work=work, head=head, is_spread=is_spread)


def _report_of(run: ExtractRun, runner_options: PipelineOptions, build_on: Callable[[beam.Pipeline], Any]) -> dict[str, Any]:
    pipeline = beam.Pipeline(options=runner_options)
    build_on(pipeline)
    try:
        result = pipeline.run()
        if is_template(runner_options):
            return {}
        try:
            result.wait_until_finish()
        except BaseException:
            with suppress(Exception):  # a job on a cluster goes on without us, and would use it for nothing
                result.cancel()
            raise
    except Exception as error:
        raise _original(error) from error
    report: dict[str, Any] = run.output.read_json(f"{RUNS}/{run.head.run_id}.json")
    return report


def is_template(runner_options: PipelineOptions) -> bool:
    """Say whether a run only writes the job down, for Dataflow to start it later."""
    return bool(runner_options.view_as(GoogleCloudOptions).template_location)


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
