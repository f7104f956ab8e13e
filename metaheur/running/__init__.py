"""The run, from its start to its Result: runners, ends of chunks, views, checkpoints."""
