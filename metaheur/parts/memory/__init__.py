"""What a tabu search remembers and forbids, for how long, and what is allowed all the same."""
