"""The Flink preset: Beam's FlinkRunner with Python workers that docbeam-worker starts.

docs/runners/flink.md has the reason for each option.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

from apache_beam.options.pipeline_options import PipelineOptions

from docbeam.schemas.errors import UsageError

WORKER = "docbeam-worker"
FLINK_OPTIONS = (
    "--runner=FlinkRunner",
    "--sdk_worker_parallelism=1",  # one Python process a TaskManager and job: its sandbox children use the cores
    "--number_of_execution_retries=3",  # Flink's default is to fail the job with its first task
    "--execution_retry_delay=1000",  # ms
    "--execution_mode_for_batch=BATCH_FORCED",  # what a stage has finished is kept when a later one is tried again
    "--environment_cache_millis=60000",  # the Python process of one stage serves the next ones too
)
PROCESS_OPTIONS = ("--environment_type=PROCESS",)


def pipeline_options(given: Sequence[str] = ()) -> PipelineOptions:
    """Return the options of the Flink preset; those that are given come last, so they win.

    Raises: UsageError if what would start the job server or the workers is not here.
    """
    return PipelineOptions([*FLINK_OPTIONS, *job_server_options(given), *worker_options(given), *given])


def job_server_options(given: Sequence[str]) -> list[str]:
    """Return the options by which Beam's job server ends with this process, also when this one is killed."""
    if any(one.startswith(("--job_endpoint", "--job_server_java_launcher")) for one in given):
        return []
    if shutil.which("java") is None:
        raise UsageError(
            "--runner flink: java is not installed, and Beam's job server needs it; apt-get install openjdk-17-jre-headless "
            "brings it, `-- --job_endpoint=host:port` names a job server that runs elsewhere"
        )
    if shutil.which("setpriv") is None:
        return []
    words = ("--pdeathsig", "TERM", "java")
    return ["--job_server_java_launcher=setpriv", *(f"--job_server_jvm_property={word}" for word in words)]


def worker_options(given: Sequence[str]) -> list[str]:
    """Return the options by which a portable runner starts Python workers, unless they are given."""
    if any(one.startswith(("--environment_type", "--environment_config", "--environment_option")) for one in given):
        return []
    command = worker_command()
    if not os.path.exists(command):
        raise UsageError(
            f"--runner flink: {command} is not there: install docbeam with pip, or name the program on the workers by "
            "`-- --environment_type=PROCESS --environment_option=process_command=/path/to/docbeam-worker`"
        )
    return [*PROCESS_OPTIONS, f"--environment_option=process_command={command}"]


def worker_command() -> str:
    """Return where docbeam-worker is: beside this very Python, which on a cluster is at the same path on each machine."""
    return os.path.join(os.path.dirname(sys.executable), WORKER)
