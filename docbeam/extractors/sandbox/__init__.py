"""Killable child processes in which all third-party parsers run, so that no document can harm the worker.

>>> with SandboxPool(ExtractOptions(), size=2) as pool, pool.worker() as worker:
...     worker.read(Source(path="report.pdf")).extracted
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docbeam.extractors.sandbox.conversation import SandboxClosed as SandboxClosed
    from docbeam.extractors.sandbox.pool import SandboxPool as SandboxPool

__all__ = ["SandboxClosed", "SandboxPool"]


def __getattr__(name: str) -> Any:
    if name == "SandboxPool":  # the child imports this package too, and needs nothing of the parent's side
        from docbeam.extractors.sandbox.pool import SandboxPool

        return SandboxPool
    if name == "SandboxClosed":
        from docbeam.extractors.sandbox.conversation import SandboxClosed

        return SandboxClosed
    raise AttributeError(name)
