"""Evaluators, which compute costs of solutions and of moves; they carry out iteration-level parallelism."""

from metaheur.lazy import from_stub

__getattr__, __dir__, __all__ = from_stub(__name__, __file__)
