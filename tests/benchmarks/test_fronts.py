"""NSGA-II beside pymoo's: the same operators and evaluations on a toy, and equal processor time on a flow shop.

By hand, some or all, where pymoo is installed: ``python -m tests.benchmarks.test_fronts toy shop record``; the last one
writes the hypervolumes of pymoo with which a test compares ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import Any

import numpy as np
import pytest

from metaheur import Search, run, stop
from metaheur.archives import Front
from metaheur.neighborhoods import Hamming, Insertion
from metaheur.parallel import Multistart
from metaheur.parts import OrderCrossover, RandomMoves, Uniform
from metaheur.problem import Problem
from metaheur.problems import QUBO, FlowShop, MultiObjective
from metaheur.searches import IBEA, MOEAD, NSGA2, SPEA2
from tests.benchmarks.records import arguments, report

CORE = Multistart(1, device="host", threads=1)
CHILDREN, SECONDS, SEEDS, TEN = 10_000, 3.0, range(1, 101), range(1, 11)
OBJECTIVES = ("makespan", "total tardiness")
COLUMNS = ("", "hypervolume", "members of the front")
BESIDE = (*COLUMNS, "evaluations", "seeds ahead of pymoo")
RIVAL = "NSGA-II of pymoo"

RECORDED = Path(__file__).parents[1] / "searches" / "hypervolumes_of_pymoo.json"
RECORDED_SEEDS, CORNER = range(1, 31), (10_000, 10_000)
TOURNAMENTS = ("comp_by_rank_and_crowding", "comp_by_dom_and_crowding")

FLIP, INSERTION = RandomMoves(Hamming(), 1), RandomMoves(Insertion(), 1)

TOYS: dict[str, Search[Any]] = {
    "NSGA-II": NSGA2(Uniform(), FLIP),
    "NSGA-II, parents by dominance": NSGA2(Uniform(), FLIP, by_dominance=True),
    "IBEA": IBEA(Uniform(), FLIP),
    "SPEA2": SPEA2(Uniform(), FLIP),
    "MOEA/D": MOEAD(Uniform(), FLIP),
}
SHOPS: dict[str, Search[Any]] = {
    "NSGA-II": NSGA2(OrderCrossover(), INSERTION),
    "IBEA": IBEA(OrderCrossover(), INSERTION),
    "MOEA/D": MOEAD(OrderCrossover(), INSERTION),
}


@cache
def toy() -> MultiObjective:
    """Two QUBOs of 60 bits."""
    generator = np.random.default_rng(7)
    return MultiObjective([QUBO(generator.integers(-99, 100, (60, 60))) for _ in range(2)])


@cache
def shop() -> FlowShop:
    """50 jobs on 20 machines: Taillard's times, due dates by Liefooghe's rule."""
    return FlowShop.taillard(51, objectives=OBJECTIVES)


def ours(search: Search[Any], problem: Problem, seed: int, end: Any) -> Front:
    """The front of the last population."""
    return counted(search, problem, seed, end)[0]


def counted(
    search: Search[Any], problem: Problem, seed: int, end: Any, parallel: Multistart = CORE
) -> tuple[Front, int]:
    """The front of the last populations, and how many solutions were evaluated: the children, and the starts."""
    result = run(search, problem, stop=end, seed=seed, parallel=parallel)
    assert result.front is not None
    return result.front, int(result.walks.iterations.sum()) + len(result.walks)


def evaluated_by(problem: Problem) -> Any:
    """The problem for pymoo, which keeps all solutions that were evaluated."""
    from pymoo.core.problem import Problem as Evaluated

    class Rows(Evaluated):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            n = problem.representation.length
            super().__init__(n_var=n, n_obj=len(problem.objectives), xl=0, xu=n - 1, vtype=int)
            self.evaluated = 0

        def _evaluate(self, x: Any, out: Any, *_: Any, **__: Any) -> None:
            out["F"] = problem.costs(np.asarray(x, problem.representation.dtype))
            self.evaluated += len(x)

    return Rows()


def pymoo_toy(seed: int, tournament: str) -> Front:
    """The last population of pymoo's NSGA-II: uniform crossover, always one random flip, the same evaluations."""
    from pymoo.algorithms.moo.nsga2 import NSGA2 as PYMOO
    from pymoo.core.mutation import Mutation
    from pymoo.operators.crossover.ux import UX
    from pymoo.operators.sampling.rnd import BinaryRandomSampling
    from pymoo.optimize import minimize

    class OneFlip(Mutation):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__(prob=1.0, prob_var=None)

        def _do(self, _: Any, x: Any, *__: Any, random_state: Any = None, **___: Any) -> Any:
            x = x.copy()
            rows, places = np.arange(len(x)), random_state.integers(0, x.shape[1], len(x))
            x[rows, places] = ~x[rows, places].astype(bool)
            return x

    algorithm = PYMOO(100, sampling=BinaryRandomSampling(), crossover=UX(prob=1.0), mutation=OneFlip())
    algorithm.tournament_type = tournament
    found = minimize(evaluated_by(toy()), algorithm, ("n_eval", CHILDREN), seed=seed)
    return Front.from_solutions(toy(), found.X.astype(np.uint8))


def pymoo_shop(seed: int) -> tuple[Front, int]:
    """The last population of pymoo's NSGA-II in the same processor time, and how many solutions it evaluated."""
    from pymoo.algorithms.moo.nsga2 import NSGA2 as PYMOO
    from pymoo.operators.crossover.ox import OrderCrossover as Crossover
    from pymoo.operators.mutation.inversion import InversionMutation
    from pymoo.operators.sampling.rnd import PermutationRandomSampling

    rows = evaluated_by(shop())
    algorithm = PYMOO(
        100, sampling=PermutationRandomSampling(), crossover=Crossover(), mutation=InversionMutation()
    ).setup(rows, seed=seed, termination=("n_eval", 2**62))
    began = process_time()
    while process_time() - began < SECONDS:
        algorithm.next()
    return Front.from_solutions(shop(), algorithm.pop.get("X").astype(np.int32)), rows.evaluated


def shares(fronts: dict[str, list[Front]]) -> dict[str, list[float]]:
    """Hypervolumes as shares of the one of all fronts together, up to its reference point."""
    every = [front for each in fronts.values() for front in each]
    low = np.min([front.minimised.min(axis=0) for front in every], axis=0)
    high = np.max([front.minimised.max(axis=0) for front in every], axis=0)
    corner = high + (high - low) // 10 + 1
    whole = every[0].merge(*every[1:]).hypervolume(corner)
    return {name: [front.hypervolume(corner) / whole for front in each] for name, each in fronts.items()}


def table(fronts: dict[str, list[Front]]) -> Iterator[str]:
    """A row for each search: quartiles and extremes of the shares."""
    for name, each in shares(fronts).items():
        low, middle, high = (100 * share for share in quantiles(each, n=4))
        members = [len(front) for front in fronts[name]]
        spread = f"({100 * min(each):.2f} ... {100 * max(each):.2f})"
        yield f"| {name} | {middle:.2f} % [{low:.2f}, {high:.2f}] {spread} | {min(members)} ... {max(members)} |"


def beside(found: dict[str, list[tuple[Front, int]]]) -> Iterator[str]:
    """The rows of `table`, with the median of the evaluations, and the seeds of which the front is larger."""
    fronts = {name: [front for front, _ in each] for name, each in found.items()}
    rates = shares(fronts)
    for line, (name, each) in zip(table(fronts), found.items(), strict=True):
        ahead = sum(one > other for one, other in zip(rates[name], rates[RIVAL], strict=True))
        won = "-" if name == RIVAL else f"{ahead} of {len(each)}"
        yield f"{line} {median(count for _, count in each):,.0f} | {won} |"


def main(wanted: list[str]) -> None:
    """Print the tables that are wanted."""
    if "toy" in wanted:
        title = f"two QUBOs of 60 bits, 10,000 evaluations, share of the hypervolume, {len(SEEDS)} seeds"
        end = stop.iterations(CHILDREN - 1)
        fronts = {name: [ours(search, toy(), seed, end) for seed in SEEDS] for name, search in TOYS.items()}
        for kind in TOURNAMENTS:
            fronts[f"NSGA-II of pymoo, {kind}"] = [pymoo_toy(seed, kind) for seed in SEEDS]
        report("fronts_toy", title, COLUMNS, table(fronts))
    if "record" in wanted:
        volumes = {
            kind: [int(pymoo_toy(seed, kind).hypervolume(CORNER)) for seed in RECORDED_SEEDS] for kind in TOURNAMENTS
        }
        RECORDED.write_text(json.dumps(volumes, indent=1) + "\n", encoding="utf-8")
    if "shop" in wanted:
        found = {
            name: [counted(search, shop(), s, stop.seconds(SECONDS)) for s in TEN] for name, search in SHOPS.items()
        }
        found[RIVAL] = [pymoo_shop(seed) for seed in TEN]
        title = "flow shop, 50 jobs, 20 machines, three seconds, share of the hypervolume, 10 seeds"
        report("fronts_shop", title, BESIDE, beside(found))


@pytest.mark.parametrize("name", TOYS)
def test_children(name: str, benchmark: Any) -> None:
    benchmark(ours, TOYS[name], toy(), 1, stop.iterations(CHILDREN))


if __name__ == "__main__":
    main(arguments())
