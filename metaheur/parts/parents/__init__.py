"""Selections of parents: which members of a population have a child."""
