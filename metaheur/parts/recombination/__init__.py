"""Recombinations: how one solution is made of two."""
