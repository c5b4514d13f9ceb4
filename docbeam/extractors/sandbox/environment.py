"""The child's environment: a whitelist. Credentials, tokens and proxies of the host program never reach a parser."""

from __future__ import annotations

import os
import site
import sys

INHERITED = (
    "PATH",  # for tesseract
    "TESSDATA_PREFIX",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "VIRTUAL_ENV",
    "PYTHONHOME",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPYCACHEPREFIX",
)
FIXED = {
    "LANG": "C.UTF-8",  # locale and zone must not show in a row
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "PYTHONUNBUFFERED": "1",  # what a parser says last must be out before it dies
    "OMP_THREAD_LIMIT": "1",  # two Tesseracts with OpenMP threads run 6 to 10 times slower on two cores
    "MALLOC_ARENA_MAX": "2",  # each glibc arena takes 64 MiB of the address space that is capped
}


def child_environment(directory: str) -> dict[str, str]:
    """Return the environment of a child whose home and temp directory is `directory`."""
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return {
        **inherited,
        **FIXED,
        "HOME": directory,
        "TMPDIR": directory,
        "PYTHONUSERBASE": site.getuserbase(),
        "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))),
    }


def import_paths() -> list[str]:
    """Return this process's import path, absolute and in order; a child appends what it lacks (plug-ins, staged code).

    Appended, because a script's folder can hold a types.py that its own process has never met: all was imported before.
    """
    return [path if os.path.isabs(path) else os.path.abspath(path) for path in sys.path if path or os.path.isdir(".")]
