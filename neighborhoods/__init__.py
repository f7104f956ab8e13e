"""Neighborhoods: the moves reachable in one step, each with the generator of its own kernel."""

from metaheur.neighborhoods.swap import Swap, SwapMove

__all__ = ["Swap", "SwapMove"]
