"""The shells of evaluators: their entry points, and the arguments of these."""

from __future__ import annotations

from metaheur.device.generator.launch import Launch
from metaheur.device.generator.shell import Shell
from metaheur.evaluators.evaluator import Lowest, Selection
from metaheur.evaluators.offers import BITS
from metaheur.neighborhood import Neighborhood

__all__ = ["moves_of", "solutions"]

THREADS = 256
"""Threads of a block that evaluates."""


def moves_of(neighborhood: Neighborhood, selection: Selection = Lowest(), *, openmp: bool = False) -> Shell:
    """The neighborhood kernel: entries `evaluate`, `step`, `one`, `best`, `prepare`, `advance`, `cut`, `capabilities`.

    `selection`: scores moves, to choose the best one. `openmp`: whether several CPU threads share the moves.
    """
    return Shell(
        pieces=("evaluators/offers.cuh", "evaluators/neighborhood.cuh"),
        components={"neighborhood": neighborhood, "selection": selection},
        members={
            "x": "Item*",
            "cost": "Total*",  # of x
            "out": "Cost*",  # of the moves of a chunk
            "best": "EvaluatedMove*",  # of each team
            "done": "u32*",  # teams that have found their best move
            "found": "EvaluatedMove*",  # of all teams
            "answer": "i64*",
            "count": "i64*",  # moves of a chunk
            "scratch": "Item*",  # a solution for each thread, where moves are evaluated in full
            "teams": "i64",
        },
        defines=BITS,
        launch=Launch(threads=THREADS, openmp=openmp),
    )


def solutions(*, openmp: bool = False) -> Shell:
    """Full evaluations, and random solutions: entries `costs`, `draw` and `capabilities`."""
    return Shell(
        pieces=("evaluators/solutions.cuh",),
        components={},
        members={
            "xs": "Item*",
            "costs": "Total*",
            "keys": "u32*",  # the seeds and the numbers of the walks to draw
            "answer": "i64*",
            "teams": "i64",
            "sharers": "i64",  # threads of a CPU that share the sums of one solution
        },
        defines={**BITS, "MH_SHARES_SUMS": 1},
        launch=Launch(threads=THREADS, openmp=openmp),
    )
