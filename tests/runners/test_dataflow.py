"""Dataflow, translated offline: the job as it would be submitted. No cloud is asked."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.options.pipeline_options import GoogleCloudOptions
from apache_beam.portability import common_urns
from apache_beam.portability.api import beam_runner_api_pb2
from apache_beam.runners.portability.fn_api_runner import execution

from docbeam.__main__ import main
from docbeam.pipelines.extract import ExtractRun, build
from docbeam.pipelines.launch import checked_output, launch, new_run_id
from docbeam.runners import direct
from docbeam.runners.choice import chosen
from docbeam.schemas.options import ExtractOptions, WorkOptions
from docbeam.transforms.commit import RunHead
from docbeam.transforms.documents import make_job
from docbeam.transforms.lease import check_lease
from docbeam.transforms.listing import Inputs
from docbeam.transforms.storage import Folder
from tests.conftest import SAMPLES

IMAGE = "europe-docker.pkg.dev/project/docbeam/worker:1"
RAW = [
    "--project=some-project",
    "--region=europe-west1",
    "--temp_location=gs://some-bucket/temp",
    "--staging_location=gs://some-bucket/staging",
    f"--sdk_container_image={IMAGE}",
    "--dry_run=True",
    "--no_auth",
]


def run_of(run_id: str) -> ExtractRun:
    job, engine = make_job(ExtractOptions(), WorkOptions(), {}, "memory://out/_docbeam/scratch", run_id)
    stamp = job.stamp
    head = RunHead(
        run_id=run_id,
        started_at="2026-01-01T00:00:00+00:00",
        inputs=("memory://in",),
        engine_version=stamp.version,
        engine_fingerprint=stamp.fingerprint,
        engine=engine,
        work={},
    )
    inputs, output = Inputs(inputs=("memory://in",)), Folder("memory://out")
    return ExtractRun(inputs=inputs, output=output, job=job, work=WorkOptions(), head=head)


def translated(run_id: str) -> beam_runner_api_pb2.Pipeline:
    if importlib.util.find_spec("apitools") is None or importlib.util.find_spec("google.cloud.dataflow") is None:
        pytest.skip("Dataflow's client is not installed: pip install 'docbeam[dataflow]'")
    choice = chosen("dataflow", RAW, f"docbeam-{run_id}")
    pipeline = beam.Pipeline(options=choice.options)
    build(pipeline, dataclasses.replace(run_of(run_id), ocr_hints=choice.ocr_hints))
    proto: beam_runner_api_pb2.Pipeline = pipeline.run().job.proto_pipeline
    return proto


@pytest.fixture(scope="module")
def proto() -> beam_runner_api_pb2.Pipeline:
    return translated("20260101t000000z-aaaaaa")


def test_names_of_steps_are_unique_and_the_same_in_every_run(proto: beam_runner_api_pb2.Pipeline) -> None:
    def names(found: beam_runner_api_pb2.Pipeline) -> list[str]:
        return sorted(step.unique_name for step in found.components.transforms.values())

    assert [name for name, number in Counter(names(proto)).items() if number > 1] == []
    assert names(proto) == names(translated("20260202t000000z-bbbbbb"))


def test_every_step_runs_in_the_image_and_the_recognition_asks_for_memory(proto: beam_runner_api_pb2.Pipeline) -> None:
    parts = proto.components
    asked = {}
    for step in parts.transforms.values():
        if step.environment_id:
            environment = parts.environments[step.environment_id]
            payload = beam_runner_api_pb2.DockerPayload.FromString(environment.payload)
            assert payload.container_image == IMAGE
            asked[step.unique_name] = environment.resource_hints.get(common_urns.resource_hints.MIN_RAM_BYTES.urn)
    (recognition,) = [name for name in asked if name.endswith("RasteriseAndRecognise")]
    assert asked[recognition] == b"8000000000"
    assert not any(hint for name, hint in asked.items() if not name.startswith(recognition))


def test_workers_install_nothing(proto: beam_runner_api_pb2.Pipeline) -> None:
    staged = [item for environment in proto.components.environments.values() for item in environment.dependencies]
    names = [beam_runner_api_pb2.ArtifactStagingToRolePayload.FromString(item.role_payload).staged_name for item in staged]
    assert not [name for name in names if name.endswith((".whl", ".tar.gz"))]


def test_no_text_and_no_bytes_go_through_a_shuffle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = "Zyzzyva"
    source = tmp_path / "in"
    source.mkdir()
    for number in range(3):
        (source / f"{number}.txt").write_text(f"{marker} {number} " + "long " * 40_000)
    (source / "copy.txt").write_text((source / "0.txt").read_text())
    (source / "scan.png").write_bytes((next(SAMPLES.rglob("*.png"))).read_bytes())
    shuffled: list[bytes] = []
    append = execution.GroupingBuffer.append

    def spied(self: Any, encoded: bytes) -> None:
        shuffled.append(encoded)
        append(self, encoded)

    monkeypatch.setattr(execution.GroupingBuffer, "append", spied)
    inputs = Inputs(inputs=(str(source),))
    launch(
        inputs,
        checked_output(inputs, str(tmp_path / "out")),
        ExtractOptions(),
        WorkOptions(),
        direct.pipeline_options(),
        run_id=new_run_id(),
        is_spread=True,
    )
    assert any(b"BlobRef" in encoded for encoded in shuffled), "references do"
    assert sum(map(len, shuffled)) < 40_000
    assert not [encoded for encoded in shuffled if marker.encode() in encoded]


def test_a_template_is_written_down_and_holds_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the launcher of a Flex Template does it; the upload, which needs the cloud, goes to the disk here."""
    client = pytest.importorskip(
        "apache_beam.runners.dataflow.internal.apiclient", reason="docbeam[dataflow]", exc_type=ImportError
    )

    def stage(_: object, folder: str, name: str, stream: Any, **rest: object) -> None:
        if folder == str(tmp_path):
            (tmp_path / name).write_bytes(stream.read())

    monkeypatch.setattr(client.DataflowApplicationClient, "stage_file_with_retry", stage)
    monkeypatch.setattr(client.DataflowApplicationClient, "_gcs_file_copy", lambda *_, **__: None)
    monkeypatch.setattr(GoogleCloudOptions, "_warn_if_soft_delete_policy_enabled", lambda *_: None)  # which asks the bucket
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.txt").write_text("a\n")
    raw = [one for one in RAW if not one.startswith("--dry_run")]
    arguments = ["extract", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--progress", "none", "--runner", "dataflow"]
    assert main([*arguments, "--", *raw, f"--template_location={tmp_path}/job_object"]) == 0
    assert "not started" in capsys.readouterr().out
    assert json.loads((tmp_path / "job_object").read_text())["type"] == "JOB_TYPE_BATCH"
    holder = json.loads((tmp_path / "out/_docbeam/lease.json").read_text())
    check_lease(Folder(str(tmp_path / "out")), holder["run_id"], must_be_there=True)
