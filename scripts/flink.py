"""A Flink cluster on this machine, without Docker: one JobManager and two TaskManagers, and Beam's job server as a jar.

    python scripts/flink.py fetch               download what is needed, once, into .flink/
    python scripts/flink.py run COMMAND...      start the cluster, run a command, stop the cluster
    python scripts/flink.py demo                the sample documents on the cluster; it stays until Ctrl-C

Flink's own jars come out of the PyPI package apache-flink-libraries, checked by its SHA-256; Beam's from Maven Central by
scripts/flink.pom.xml, checked by Maven. Both processes are started as plain `java`, so that their ids are known and they
die with this program.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".flink"
POM = ROOT / "scripts/flink.pom.xml"
FLINK_PACKAGE = "apache-flink-libraries==1.19.3"
FLINK_SHA256 = "4a58e3a1fb7d83340bc96b6c080624c6d792d69fae5d294b96224775204a9c60"
FLINK_MINOR = "1.19"  # must be the one in the pom
JARS = ("flink-dist-", "log4j-")  # of some 25 in the package: the others are SQL, CEP and examples
JOB_SERVER = "org.apache.beam.runners.flink.FlinkJobServerDriver"
START_SECONDS = 90
STOP_SECONDS = 3  # a TaskManager whose JobManager has gone tries for longer than anybody wants to wait
OPENED = "java.lang java.lang.reflect java.io java.net java.nio java.text java.time java.util java.util.concurrent"
JAVA_OPTIONS = [
    "-Xmx768m",
    "-XX:TieredStopAtLevel=1",  # these live for minutes: compiling well would cost more than it brings
    "-XX:+UseSerialGC",
    # Java 17 locks what Flink's serializers look into; the list is Flink's own env.java.opts.all
    *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED.split()),
    "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED",
]
TASK_MANAGER_MEMORY = {  # what Flink's shell scripts would work out; the documents are in Python's memory, not here
    "taskmanager.cpu.cores": "1.0",
    "taskmanager.memory.task.heap.size": "384m",
    "taskmanager.memory.task.off-heap.size": "64m",
    "taskmanager.memory.framework.heap.size": "128m",
    "taskmanager.memory.framework.off-heap.size": "64m",
    "taskmanager.memory.managed.size": "128m",
    "taskmanager.memory.network.min": "64m",
    "taskmanager.memory.network.max": "64m",
    "taskmanager.memory.jvm-metaspace.size": "256m",
    "taskmanager.memory.jvm-overhead.min": "128m",
    "taskmanager.memory.jvm-overhead.max": "128m",
}


class Unavailable(Exception):
    """Something that can't be had here: the message says what, and what would bring it."""


@dataclass(frozen=True)
class Kit:
    """What a cluster is started from: Flink's jars, and Beam's job server as one jar that names its class path."""

    flink: Path
    job_server_jar: Path


def fetch(cache: Path = CACHE) -> Kit:
    """Return the kit, downloaded on first use. Raises: Unavailable."""
    for tool in ("java", "mvn"):
        if shutil.which(tool) is None:
            raise Unavailable(f"{tool} is not installed: apt-get install openjdk-17-jre-headless maven")
    key = hashlib.sha256(POM.read_bytes() + FLINK_SHA256.encode()).hexdigest()[:12]
    home = cache / key
    kit = Kit(home / "flink", home / "job-server.jar")
    if kit.job_server_jar.exists():
        return kit
    cache.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        made = Path(folder) / "kit"
        _fetch_flink(made / "flink", Path(folder))
        _fetch_job_server(made / "lib")
        _write_jar(made / "job-server.jar", sorted(path.name for path in (made / "lib").iterdir()))
        with suppress(OSError):  # another process was faster
            made.rename(home)
    return kit


def _fetch_flink(target: Path, folder: Path) -> None:
    wanted = folder / "flink.txt"
    wanted.write_text(f"{FLINK_PACKAGE} --hash=sha256:{FLINK_SHA256}\n")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary=:all:"]
    _carry_out([*pip, "--require-hashes", "--dest", str(folder), "--requirement", str(wanted)], "Flink's jars")
    target.mkdir(parents=True)
    archive = next(folder.glob("apache*flink*.tar.gz"))
    with tarfile.open(archive) as tar:
        for member in tar:
            name = os.path.basename(member.name)
            if "/deps/lib/" in member.name and name.startswith(JARS) and (source := tar.extractfile(member)):
                (target / name).write_bytes(source.read())


def _fetch_job_server(target: Path) -> None:
    mvn = ["mvn", "--batch-mode", "--quiet", "--strict-checksums", "--file", str(POM), "dependency:copy-dependencies"]
    _carry_out([*mvn, "-DincludeScope=runtime", f"-DoutputDirectory={target}"], "Beam's job server")


def _carry_out(command: Sequence[str], what: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"{what}: {command[0]} has not ended in {error.timeout:.0f} s") from error
    if done.returncode:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if "ERROR" in line.upper()]
        raise Unavailable(f"{what}: {(lines or [f'exit code {done.returncode}'])[0][:300]}")


def _write_jar(path: Path, names: Sequence[str]) -> None:
    """Write a jar of nothing but a manifest, so that `java -jar` finds the class path beside it."""
    line = "Class-Path: " + " ".join(f"lib/{name}" for name in names)
    wrapped = [line[:70], *(f" {line[at : at + 69]}" for at in range(70, len(line), 69))]  # 72 bytes a line, says the format
    with zipfile.ZipFile(path, "w") as jar:
        text = "\r\n".join(["Manifest-Version: 1.0", f"Main-Class: {JOB_SERVER}", *wrapped, "", ""])
        jar.writestr("META-INF/MANIFEST.MF", text)


@dataclass
class Cluster:
    """A running cluster; used in a `with` block. `settings` are further lines for Flink's configuration."""

    kit: Kit
    task_managers: int = 2
    slots: int = 1
    settings: dict[str, str] = field(default_factory=dict)

    def __enter__(self) -> Cluster:
        self.folder = Path(tempfile.mkdtemp(prefix="docbeam-flink-"))
        self.port, self._rpc_port = free_port(), free_port()
        self._started: list[subprocess.Popen[bytes]] = []
        try:
            self.job_manager = self._java("jobmanager", "StandaloneSessionClusterEntrypoint")
            self.workers = [self.start_task_manager() for _ in range(self.task_managers)]
            self._await_slots()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._started):
            process.terminate()
        for process in self._started:
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def address(self) -> str:
        """Where the web UI and the REST interface are."""
        return f"localhost:{self.port}"

    def start_task_manager(self) -> subprocess.Popen[bytes]:
        """Start one more TaskManager."""
        return self._java(f"taskmanager-{len(self._started)}", "TaskManagerRunner")

    def get(self, path: str) -> Any:
        """Return what the REST interface says."""
        with urllib.request.urlopen(f"http://{self.address}/v1{path}", timeout=10) as answer:
            return json.load(answer)

    def flags(self) -> list[str]:
        """Return Beam's options for this cluster, the raw ones behind `--`; Beam starts the job server."""
        return [
            f"--flink_master={self.address}",
            f"--flink_job_server_jar={self.kit.job_server_jar}",
            f"--flink_version={FLINK_MINOR}",
            f"--parallelism={self.task_managers * self.slots}",
        ]

    def start_job_server(self) -> list[str]:
        """Start a job server that serves many jobs; return Beam's options for it."""
        port = free_port()
        options = ["--flink-master", f"http://{self.address}", "--job-port", str(port), "--artifact-port", "0"]
        command = [*self._jvm(), "-jar", str(self.kit.job_server_jar), *options, "--expansion-port", "0"]
        self._start("job-server", [*command, "--artifacts-dir", str(self.folder / "artifacts")])
        return [f"--job_endpoint=localhost:{port}", f"--parallelism={self.task_managers * self.slots}"]

    def log(self, name: str) -> str:
        """Return a process's log."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def _java(self, name: str, main: str) -> subprocess.Popen[bytes]:
        package = "taskexecutor" if main == "TaskManagerRunner" else "entrypoint"
        conf = self.folder / name
        conf.mkdir()
        lines = {**self._settings(name), **(TASK_MANAGER_MEMORY if package == "taskexecutor" else {}), **self.settings}
        (conf / "config.yaml").write_text("".join(f"{key}: {value}\n" for key, value in lines.items()))
        (conf / "log4j.properties").write_text(LOGGING.format(path=self.folder / f"{name}.log"))
        command = [*self._jvm(), f"-Dlog4j.configurationFile=file:{conf}/log4j.properties"]
        command += ["-cp", f"{self.kit.flink}/*", f"org.apache.flink.runtime.{package}.{main}", "--configDir", str(conf)]
        return self._start(name, command)

    def _start(self, name: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
        with open(self.folder / f"{name}.out", "wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, preexec_fn=_die_with_parent)
        self._started.append(process)
        return process

    def _jvm(self) -> list[str]:
        return ["java", *JAVA_OPTIONS, f"-Djava.io.tmpdir={self.folder}"]  # so that a killed one leaves nothing behind

    def _settings(self, name: str) -> dict[str, str]:
        temporary = self.folder / f"{name}-tmp"
        temporary.mkdir()
        return {
            "jobmanager.rpc.address": "localhost",
            "jobmanager.rpc.port": str(self._rpc_port),
            "jobmanager.memory.process.size": "1g",
            "rest.port": str(self.port),
            "rest.bind-address": "localhost",
            "taskmanager.host": "localhost",
            "taskmanager.numberOfTaskSlots": str(self.slots),
            "io.tmp.dirs": str(temporary),
            "heartbeat.interval": "1000",  # ms: after two that find nobody, a TaskManager is taken for dead
            "heartbeat.timeout": "60000",  # of one that is there and does not answer: the machine may be busy
            "restart-strategy.type": "fixed-delay",  # docs/runners/flink.md
            "restart-strategy.fixed-delay.attempts": "4",
            "restart-strategy.fixed-delay.delay": "1 s",
        }

    def _await_slots(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        wanted = self.task_managers * self.slots
        while time.monotonic() < deadline:
            for process in self._started:
                if process.poll() is not None:
                    raise Unavailable(f"Flink has ended with {process.returncode}: {self._last_words()}")
            with suppress(OSError, ValueError):
                if self.get("/overview")["slots-total"] >= wanted:
                    return
            time.sleep(0.2)
        raise Unavailable(f"Flink has not come up in {START_SECONDS} s: {self._last_words()}")

    def _last_words(self) -> str:
        texts = [path.read_text(errors="replace") for path in (*self.folder.glob("*.out"), *self.folder.glob("*.log"))]
        return " | ".join(text.strip()[-300:] for text in texts if text.strip())


LOGGING = """\
rootLogger.level = INFO
rootLogger.appenderRef.file.ref = File
appender.file.name = File
appender.file.type = File
appender.file.fileName = {path}
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d %-5p %c{{1}} %m%n
"""


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("localhost", 0))
        return int(found.getsockname()[1])


def _die_with_parent() -> None:
    """Have the kernel end this process with the one that started it, however that ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _demo() -> int:
    from docbeam.__main__ import main

    with Cluster(fetch()) as cluster, tempfile.TemporaryDirectory() as folder:
        print(f"Flink's web UI: http://{cluster.address}", flush=True)
        out = os.environ.get("OUT", f"{folder}/out")
        code = main(["extract", str(ROOT / "samples"), "--output", out, "--runner", "flink", "--", *cluster.flags()])
        print(f"Flink's web UI: http://{cluster.address} (until Ctrl-C)", flush=True)
        if sys.stdin.isatty():
            with suppress(KeyboardInterrupt):
                signal.pause()
        return code


def _main(arguments: Sequence[str]) -> int:
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # so that the cluster is stopped, not left
    match arguments:
        case ["fetch"]:
            print(fetch().job_server_jar)
            return 0
        case ["demo"]:
            return _demo()
        case ["run", *command] if command:
            with Cluster(fetch()) as cluster:
                environment = {**os.environ, "DOCBEAM_FLINK": " ".join(cluster.flags())}
                return subprocess.run(command, env=environment).returncode
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(_main(sys.argv[1:]))
    except Unavailable as error:
        sys.exit(f"flink: {error}")
