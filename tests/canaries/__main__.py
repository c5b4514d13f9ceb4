"""Print the page of all canaries: `python -m tests.canaries > docs/canaries.md`."""

from __future__ import annotations

from tests.canaries.fates import page

print(page(), end="")
