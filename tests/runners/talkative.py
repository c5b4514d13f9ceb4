"""A Beam plug-in that prints half a megabyte when a worker loads it, through Python and past it."""

from __future__ import annotations

import os

for _ in range(250):
    print("x" * 1000, flush=True)
    os.write(1, b"x" * 1000 + b"\n")
