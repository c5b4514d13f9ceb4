"""Whole graphs: each a build(pipeline, …) that reads as the data-flow diagram, and knows no runner."""
