"""Memories of tabu search, how long they forbid moves, and which forbidden moves are made all the same."""
