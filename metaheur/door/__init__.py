"""Where a run begins: `run`, `resume`, `iterate`, and runs made of runs."""
