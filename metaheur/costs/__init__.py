"""Costs of several levels, and the one number that stands for them."""
