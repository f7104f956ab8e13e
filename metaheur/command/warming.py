"""The verb `warm`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

from metaheur.command.loading import add_instance, problem_for

__all__ = ["add", "usual_problems"]


def add(verbs: Any) -> None:
    """Define the arguments of the verb."""
    says = "Compile what `solve` needs, so that it need not: for instances, or for usual ones of metaheur's problems."
    warm = verbs.add_parser("warm", help="compile ahead", description=says)
    add_instance(warm, several=True)
    warm.add_argument("--parallel", default="auto", help="as for solve")
    warm.set_defaults(run=_warm)


def _warm(chosen: argparse.Namespace) -> int:
    from metaheur.door.solve import warm

    for name, problem in _problems(chosen):
        for search, seconds in warm(problem, chosen.parallel):
            print(f"{name}: {search}, {seconds:.1f} s", flush=True)
    return 0


def _problems(chosen: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """The problems that are named, or small instances of the problems that metaheur has."""
    for instance in chosen.instance:
        yield instance, problem_for(argparse.Namespace(**{**vars(chosen), "instance": instance}))
    if not chosen.instance:
        for name, make in usual_problems().items():
            yield name, make()


def usual_problems() -> dict[str, Callable[[], Any]]:
    """Small instances; most of their units serve all instances of a problem."""
    import numpy as np

    from metaheur.problems import QAP, QUBO, TSP, FlowShop, GraphColoring, Knapsack, MaxCut
    from metaheur.problems.max_cut import WeightedGraph

    draw = np.random.default_rng(1).integers
    square = draw(-9, 10, (60, 60))
    return {
        "QAP": lambda: QAP.taillard(30),
        "small QAP": lambda: QAP.taillard(12),
        "TSP": lambda: TSP.random(200, 1),
        "FlowShop": lambda: FlowShop.taillard(31),
        "GraphColoring": lambda: GraphColoring.random(60, 5, seed=1),
        "Knapsack": lambda: Knapsack(draw(1, 99, 100), draw(1, 99, (1, 100)), np.array([2_000])),
        "QUBO": lambda: QUBO(square + square.T),
        "MaxCut": lambda: MaxCut(WeightedGraph(60, *np.triu_indices(60, 1), draw(1, 9, 1770))),
    }
