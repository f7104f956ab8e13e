"""Testbeds of real numbers: equal to the published programs, at known optima, and the same on every device."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import IBEA, MOEAD, NSGA2, NSGA3, SPEA2, Problem, Search, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.reals import (
    BBOB,
    CMAES,
    DTLZ,
    WFG,
    ZDT,
    AssetPortfolio,
    DifferentialEvolution,
    KernelRegression,
    PolynomialMutation,
    PressureVessel,
    SimulatedBinary,
)
from tests.helpers import solution_of

OF_COCO = json.loads((Path(__file__).parent / "bbob_of_coco.json").read_text("utf-8"))
"""Costs by coco-experiment 2.8 of random solutions and of some near the best one; entries are multiples of 1/1024.

Rows with `bound` have entries beyond 5."""


@pytest.mark.parametrize("function", range(1, 25))
def test_costs_are_those_of_coco(function: int) -> None:
    rows = [row for row in OF_COCO if row["function"] == function]
    for row in rows:
        problem = BBOB.of(function, row["n"], row["instance"], bound=row.get("bound", 5.0))
        found = [problem.cost(problem.representation.encode(x)) for x in row["x"]]  # type: ignore[attr-defined]
        assert found == pytest.approx(row["cost"], rel=1e-11)
    assert len(rows) == 7


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


def reals_of(problem: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Random solutions, some with entries at bounds; and the real numbers that they are."""
    space: Any = problem.representation
    drawn = np.random.default_rng(1).random((count, problem.size))
    drawn[:3] = np.round(drawn[:3])
    xs = np.floor(drawn * (space.domains - 1)).astype(np.int32)
    return xs, space.decode(xs)


def test_costs_of_testbeds_with_three_objectives_are_those_of_pymoo() -> None:
    pytest.importorskip("pymoo")
    from pymoo.problems.many import dtlz, wfg

    others = [(DTLZ(f, 9), getattr(dtlz, f"DTLZ{f}")(n_var=9, n_obj=3)) for f in range(1, 8)]
    others += [(WFG(f, 10), getattr(wfg, f"WFG{f}")(10, 3, k=4, l=6)) for f in range(1, 10)]  # type: ignore[misc]
    for problem, other in others:
        xs, reals = reals_of(problem, 20)
        found = [problem.cost(problem.representation.view(x)) for x in xs]
        assert np.array(found) == pytest.approx(other.evaluate(reals), rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("function", [3, 7, 8, 9])
def test_wfg_is_the_same_on_every_device(function: int, compiling: Device) -> None:
    problem = WFG(function, 8)
    xs, _ = reals_of(problem, 9)
    expected = [list(problem.cost(problem.representation.view(x))) for x in xs]
    assert DeviceEvaluator(problem, compiling).costs(xs).tolist() == expected


def test_the_best_known_vessel_is_found() -> None:
    vessel, search = PressureVessel(), DifferentialEvolution.lshade(4, 15_000)
    result: Any = run(search, vessel, stop=stop.iterations(15_000), seed=1, parallel="host")
    assert result.cost == pytest.approx(6059.714335, abs=1e-3)
    assert result.solution.inches.reals == pytest.approx([42.0984456, 176.6365958], abs=1e-3)


def predicted(problem: KernelRegression, x: Any) -> np.ndarray:
    """The targets that all others predict, by arrays."""
    apart = (problem.features[:, None] - problem.features) / x.width.reals
    squares = (apart**2 * x.used).sum(axis=2)
    weights = (np.exp(-squares / 2), np.maximum(1 - squares, 0), 1 / (1 + squares))[x.kernel[0]]
    np.fill_diagonal(weights, 0)
    totals = weights.sum(axis=1)
    plain = (problem.targets.sum() - problem.targets) / (len(problem.targets) - 1)
    near: np.ndarray = np.where(totals > 1e-9, weights @ problem.targets / np.where(totals > 0, totals, 1), plain)
    return near


def test_errors_are_those_of_left_out_samples(compiling: Device) -> None:
    problem = KernelRegression.random(12, 3, seed=1)
    xs = [solution_of(problem, seed) for seed in range(20)]
    views: Any = [problem.representation.view(x) for x in xs]
    expected = [np.mean((predicted(problem, x) - problem.targets) ** 2) for x in views]
    assert {int(x.kernel[0]) for x in views} == {0, 1, 2}
    costs = [problem.cost(x) for x in views]
    assert costs == pytest.approx(expected)
    assert DeviceEvaluator(problem, compiling).costs(np.stack(xs)).tolist() == costs
    with pytest.raises(InputError, match="has 3 rows, and there are 2 targets"):
        KernelRegression(np.ones((3, 2)), np.ones(2))


def test_hyper_parameters_that_predict_well_leave_noise_out() -> None:
    problem: Any = KernelRegression.random(60, 4, seed=2)
    result: Any = run(DifferentialEvolution(20), problem, stop=stop.iterations(1000), seed=1, parallel="host")
    assert result.cost < 0.5 * problem.targets.var()
    assert result.solution.used.tolist() == [1, 1, 0, 0]


def test_shares_of_assets_are_what_costs_count(tmp_path: Path, compiling: Device) -> None:
    (tmp_path / "port.txt").write_text(
        " 3\n .1 .2\n .2 .3\n .05 .1\n 1 1 1\n 1 2 .5\n 1 3 0\n 2 2 1\n 2 3 .2\n 3 3 1\n"
    )
    small = AssetPortfolio.from_file(tmp_path / "port.txt", 2)
    assert small.covariance == pytest.approx(np.array([[0.04, 0.03, 0], [0.03, 0.09, 0.006], [0, 0.006, 0.01]]))
    for problem in (small, AssetPortfolio.random(9, 4, seed=2)):
        for seed in range(4):
            x: Any = solution_of(problem, seed)
            shares = problem.shares(x)
            assert int(np.count_nonzero(shares)) == problem.count
            assert shares.sum() == pytest.approx(1)
            risk, loss = problem.cost(x)
            assert risk == pytest.approx(shares @ problem.covariance @ shares)
            assert loss == pytest.approx(-shares @ problem.returns)
    xs = np.stack([np.asarray(solution_of(problem, seed)) for seed in range(4)])
    expected = [list(problem.cost(solution_of(problem, seed))) for seed in range(4)]
    assert DeviceEvaluator(problem, compiling).costs(xs).tolist() == expected


BRED = (SimulatedBinary(10), PolynomialMutation())
FRONTS: dict[str, tuple[Search[Any], Problem]] = {
    "NSGA-II, ZDT": (NSGA2(size=8), ZDT(4, 4)),
    "NSGA-II, DTLZ": (NSGA2(size=8), DTLZ(1, 4)),
    "NSGA-III": (NSGA3(*BRED, divisions=3), DTLZ(1, 4)),
    "MOEA/D": (MOEAD(*BRED, divisions=4), ZDT(4, 4)),
    "IBEA": (IBEA(*BRED, size=6), ZDT(4, 4)),
    "SPEA2": (SPEA2(*BRED, size=6), ZDT(4, 4)),
}


@pytest.mark.parametrize("name", FRONTS)
def test_fronts_are_the_same_on_every_device(name: str, compiling: Device) -> None:
    search, problem = FRONTS[name]
    fronts = [
        run(search, problem, stop=stop.iterations(60), seed=2, parallel=device).front.costs
        for device in ("numpy", compiling.name)
    ]
    assert fronts[0].tolist() == fronts[1].tolist()


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="takes `function` in 1"):
        BBOB.of(25, 3)
    with pytest.raises(InputError, match="must be one of"):
        ZDT(5, 3)
    with pytest.raises(InputError, match="function"):
        DTLZ(8, 3)
    with pytest.raises(InputError, match="must be even and less than"):
        WFG(4, 8, position=3)
    with pytest.raises(InputError, match="an odd number"):
        WFG(2, 9)
    with pytest.raises(InputError, match="fewer than there are assets"):
        AssetPortfolio.random(4, 4, seed=1)
    with pytest.raises(InputError, match="symmetric"):
        AssetPortfolio(np.array([0.1, 0.2]), np.array([[1, 0.5], [0.4, 1]]), 1)
    (tmp_path / "port.txt").write_text("2\n.1 .2\n.2 .3\n1 1 1\n2 2 1\n")
    with pytest.raises(InputError, match="no correlation of some"):
        AssetPortfolio.from_file(tmp_path / "port.txt", 1)
    (tmp_path / "port.txt").write_text("nothing")
    with pytest.raises(InputError, match="not a portfolio of OR-Library"):
        AssetPortfolio.from_file(tmp_path / "port.txt", 1)
