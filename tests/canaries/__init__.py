"""Canaries: a unique word in every part of every format that can hold text. Each is read, or named in a warning.

`python -m tests.canaries` prints what becomes of them.
"""
