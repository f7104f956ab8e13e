"""The temperature at which a wanted share of deteriorations is accepted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from metaheur.device.halves import lacking
from metaheur.errors import CompileError, DeviceError, InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.machine.pace import now
from metaheur.neighborhood import Neighborhood, require_supported
from metaheur.problem import Problem, judges, levels_of
from metaheur.random import Key, Random, Stream
from metaheur.representation import Solution
from metaheur.validate import real, whole
from metaheur.walk import EvaluatedSolution

__all__ = ["start_temperature", "start_temperatures"]

SOLUTIONS, MANY = 10, 100
"""The number of random solutions around which moves are sampled; and from how many moves on all of them are."""

MOST_IN_PYTHON = 0.2
"""Seconds of sampling in Python after which compiled code evaluates all other moves; the changes of cost are equal."""


def start_temperature(
    problem: Problem, neighborhood: Neighborhood, acceptance: float = 0.5, *, samples: int = 1000, seed: int = 0
) -> float:
    """A first temperature for annealing, from a sample of changes of cost around random solutions.

    Parameters
    ----------
    problem : Problem
        A problem with one objective.
    neighborhood : Neighborhood
        The moves.
    acceptance : float, default 0.5
        The wanted share of deteriorations that Metropolis' criterion accepts, above 0 and below 1.
    samples : int, default 1000
        Random moves, shared evenly among ten random solutions. Of fewer than 100, no more are drawn when a fifth of
        them raises the cost, unless costs have levels.
    seed : int, default 0
        The seed of the sample.

    Returns
    -------
    float
        The temperature, in units of cost: the mean of exp(-delta / temperature) over the sampled deteriorations is
        `acceptance`, up to an error of a millionth. With levels, that of the first one; see `start_temperatures`.

    Raises
    ------
    InputError
        If no sampled move raises the cost.

    Notes
    -----
    W. Ben-Ameur, "Computing the initial temperature of simulated annealing", Computational Optimization and
    Applications 29, 2004.
    """
    return start_temperatures(problem, neighborhood, acceptance, samples=samples, seed=seed)[0]


def start_temperatures(
    problem: Problem, neighborhood: Neighborhood, acceptance: float = 0.5, *, samples: int = 1000, seed: int = 0
) -> tuple[float, ...]:
    """A temperature for each level of costs, from the deteriorations that the level decides; 1 where there are none."""
    acceptance = float(real(acceptance, "acceptance", 0, 1, above=True, below=True))
    worse = _deteriorations(problem, neighborhood, whole(samples, "samples", 1), seed)
    if not worse.size:
        raise InputError(
            f"None of {samples} random moves of {neighborhood!r} raises the cost of this {type(problem).__name__}.",
            "take more samples, or name a temperature.",
        )
    levels = levels_of(problem)
    if levels is None:
        return (_temperature(worse, acceptance),)
    changes = [levels.unpacked(int(each)) for each in worse]
    decided = [next((k, each) for k, each in enumerate(change) if each) for change in changes]
    found = [np.array([float(each) for at, each in decided if at == k]) for k in range(len(levels.names))]
    return tuple(_temperature(each, acceptance) if each.size else 1.0 for each in found)


def _temperature(worse: np.ndarray, acceptance: float) -> float:
    """The temperature at which this share of deteriorations is accepted."""
    low, high = float(worse.min()) / 1e3, float(worse.max())
    while np.exp(-worse / low).mean() > acceptance:
        low /= 2
    while np.exp(-worse / high).mean() < acceptance:
        high *= 2
    while high > low * (1 + 1e-7):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if np.exp(-worse / middle).mean() < acceptance else (low, middle)
    return float(high)


def _starts(problem: Problem) -> Callable[[Key], Solution]:
    """Makes random solutions; feasible ones if the problem has hard constraints."""
    if judges(problem):
        from metaheur.searches.repair import evaluator_of_violations, feasible_start

        return partial(feasible_start, problem, evaluator=evaluator_of_violations(problem))
    return lambda key: problem.representation.random(Random(key, Stream.START, 0))


def _deteriorations(problem: Problem, neighborhood: Neighborhood, samples: int, seed: int) -> np.ndarray:
    space, found = problem.representation, list[float]()
    require_supported(neighborhood, space, f"this {type(problem).__name__}")
    evaluator: Evaluator = NumpyEvaluator(problem)
    starts, size, began, tried = _starts(problem), neighborhood.size(space), now(), False
    few = samples < MANY and levels_of(problem) is None
    for walk in range(min(SOLUTIONS, samples)):
        if few and 5 * len(found) >= samples:
            break
        x, random = starts(Key(seed, walk)), Random(Key(seed, walk), Stream.TRIAL, 0)
        start = EvaluatedSolution(space, x, evaluator.cost(x))
        for draw in range(-(-samples // SOLUTIONS) if size else 0):
            if not tried and now() - began > MOST_IN_PYTHON:
                evaluator, tried = _compiled(problem, neighborhood) or evaluator, True
            delta = evaluator.of(neighborhood).delta(start, random.index(draw, size))
            if delta is not None and delta > 0:
                found.append(delta)
    return np.array(found, np.float64 if problem.cost_type == "float64" else np.int64)


def _compiled(problem: Problem, neighborhood: Neighborhood) -> Evaluator | None:
    """Evaluates by compiled code; None if halves or a compiler are missing, or if numbers may be rounded otherwise."""
    if problem.cost_type == "float64" or lacking(problem, neighborhood):
        return None
    from metaheur.device.names import device_of
    from metaheur.evaluators.device import DeviceEvaluator, Launches

    try:
        evaluator = DeviceEvaluator(problem, device_of("host"), threads=1, launches=Launches(chunk=1))
        evaluator.of(neighborhood)
    except (CompileError, DeviceError):
        return None  # the Python half says the same
    return evaluator
