"""Trees of solutions, with their bounds: what branch and bound searches."""
