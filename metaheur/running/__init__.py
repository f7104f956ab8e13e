"""What happens between `run` and its Result: runners, ends of chunks, views, checkpoints."""
