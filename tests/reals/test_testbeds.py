"""Testbeds of real numbers: equal to the published programs, at known optima, and the same on every device."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import NSGA2, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.reals import BBOB, CMAES, DTLZ, ZDT

OF_COCO = json.loads((Path(__file__).parent / "bbob_of_coco.json").read_text("utf-8"))
"""Costs of random solutions by coco-experiment 2.8, rounded by nothing; entries are multiples of 1/1024."""


@pytest.mark.parametrize("function", range(1, 25))
def test_costs_are_those_of_coco(function: int) -> None:
    rows = [row for row in OF_COCO if row["function"] == function]
    for row in rows:
        problem = BBOB.of(function, row["n"], row["instance"])
        found = [problem.cost(problem.representation.encode(x)) for x in row["x"]]  # type: ignore[attr-defined]
        assert found == pytest.approx(row["cost"], rel=1e-11)
    assert len(rows) == 4


@pytest.mark.parametrize("function", [1, 2, 3, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 21, 22, 23])
def test_the_best_solution_has_the_lowest_cost(function: int) -> None:
    problem = BBOB.of(function, 4, 3)
    best = problem.representation.encode(problem.optimum)  # type: ignore[attr-defined]
    assert problem.lowest <= problem.cost(best) < problem.lowest + 1e-2


COMPILED = (4, 5, 7, 16, 17, 19, 20, 22, 23, 24)
"""Functions that between them use every line."""


@pytest.mark.parametrize("function", COMPILED)
def test_costs_are_the_same_on_every_device(function: int, compiling: Device) -> None:
    problem = BBOB.of(function, 3)
    xs = np.random.default_rng(1).integers(0, problem.representation.values, (20, 3)).astype(np.int32)
    expected = [problem.cost(x) for x in xs]
    assert DeviceEvaluator(problem, compiling).costs(xs).tolist() == expected


def test_a_testbed_is_solved() -> None:
    problem = BBOB.of(10, 5)
    result = run(CMAES(), problem, stop=stop.iterations(6000), seed=1, parallel="host")
    assert result.cost < problem.lowest + 1e-8


@pytest.mark.parametrize("function", [1, 2, 3, 4, 6])
def test_the_fronts_of_zdt_are_known(function: int) -> None:
    problem = ZDT(function, 4)
    for first in (0.25, 0.5):
        a, b = problem.cost(problem.representation.encode([first, 0, 0, 0]))  # type: ignore[attr-defined]
        if function == 6:
            assert a == pytest.approx(1 - math.exp(-4 * first) * math.sin(6 * math.pi * first) ** 6)
        height = {1: 1 - math.sqrt(a), 4: 1 - math.sqrt(a), 3: 1 - math.sqrt(a) - a * math.sin(10 * math.pi * a)}
        assert b == pytest.approx(height.get(function, 1 - a * a))


@pytest.mark.parametrize("function", range(1, 5))
def test_the_fronts_of_dtlz_are_known(function: int) -> None:
    problem = DTLZ(function, 5)
    costs = np.array(problem.cost(problem.representation.encode([0.25, 0.75, 0.5, 0.5, 0.5])))  # type: ignore[attr-defined]
    assert (costs.sum() if function == 1 else (costs**2).sum()) == pytest.approx(0.5 if function == 1 else 1)
    assert (costs >= 0).all()
    worse = np.array(problem.cost(problem.representation.encode([0.25, 0.75, 0.5, 0.5, 0.7])))  # type: ignore[attr-defined]
    assert (worse >= costs).all()


@pytest.mark.parametrize("problem", [ZDT(4, 4), DTLZ(1, 4)])
def test_fronts_are_the_same_on_every_device(problem: Any, compiling: Device) -> None:
    fronts = [
        run(NSGA2(size=8), problem, stop=stop.iterations(60), seed=2, parallel=device).front.costs
        for device in ("numpy", compiling.name)
    ]
    assert fronts[0].tolist() == fronts[1].tolist()


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="takes `function` in 1"):
        BBOB.of(25, 3)
    with pytest.raises(InputError, match="must be one of"):
        ZDT(5, 3)
    with pytest.raises(InputError, match="function"):
        DTLZ(5, 3)
