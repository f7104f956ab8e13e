"""Perturbations: how a walk leaves a local optimum."""
