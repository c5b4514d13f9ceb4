"""For tools that still ask for setup.py (Beam's --setup_file): everything is in pyproject.toml."""

from setuptools import setup

setup()
