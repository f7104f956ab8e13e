"""Trees of the solutions of problems, with their bounds, for branch and bound."""
