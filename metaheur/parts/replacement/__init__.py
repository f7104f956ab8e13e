"""Replacements: which members of a population give way to children."""
