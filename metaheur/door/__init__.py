"""The front door: `run`, `resume`, `iterate`, and several runs as one."""
