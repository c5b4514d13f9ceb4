"""Measurements, never part of a test's pass or fail. `python -m benchmarks` prints them; machines differ, ratios less."""
