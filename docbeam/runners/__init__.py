"""Where the graphs run: one file a runner, each with its PipelineOptions."""
