"""Searches and proofs beside other packages': tours, job shops, quadratic programs and knapsacks."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from metaheur import run, solve
from metaheur.machine.memory import available
from metaheur.problems import QUBO, TSP, JobShopByMachines, Knapsack
from metaheur.problems.trees.knapsack_core import KnapsackCore
from metaheur.problems.trees.multi_knapsack_tree import MultiKnapsackTree
from metaheur.searches import DiversificationDrivenTabuSearch
from metaheur.tree import BranchAndBound
from tests.benchmarks.comparison import Comparison, EqualTime, within
from tests.benchmarks.rival_choices import choices
from tests.benchmarks.rival_published import published, scheduled_by_cp_sat
from tests.benchmarks.rival_routers import routes_beside_ortools, routes_beside_vroom
from tests.benchmarks.rival_routes import routes, routes_in_time

__all__ = ["SEARCHES", "by_cp_sat", "quadratic", "scheduled_by_cp_sat", "several", "shop"]


def lengths(places: np.ndarray) -> np.ndarray:
    """The rounded distances of places row by row, in 16 bits, which is all that fast-tsp reads."""
    found, (x, y) = np.empty((len(places),) * 2, np.uint16), places.T
    for row, ax, ay in zip(found, x, y, strict=True):
        row[:] = np.sqrt((x - ax) ** 2 + (y - ay) ** 2) + 0.5
    return found


def cities(n: int, clustered: bool) -> Callable[[int], tuple[TSP, Any]]:
    """Random cities, or clusters of about 100 cities; and their distances."""

    def drawn(seed: int) -> tuple[TSP, Any]:
        generator = np.random.default_rng(seed)
        places = generator.integers(0, 10_000, (n, 2)).astype(float)
        if clustered:
            centers = generator.integers(0, 10_000, (max(2, n // 100), 2))
            around = generator.normal(0.0, 10_000 / np.sqrt(n), (n, 2))
            places = np.rint(centers[generator.integers(0, len(centers), n)] + 2 * around)
        tsp = TSP.from_coordinates(places)
        return tsp, lengths(places)

    return drawn


def toured(data: tuple[TSP, Any], seconds: float) -> float:
    """The length of the tour that `solve` finds."""
    return float(solve(data[0], seconds=seconds, seed=1, parallel="host", report=False).cost)


def toured_by_fast_tsp(data: tuple[TSP, Any], seconds: float) -> float:
    """The length of the rival's tour."""
    tour = import_module("fast_tsp").find_tour(data[1], duration_seconds=seconds)
    return float(data[0].cost(np.array(tour)))


def toured_by_elkai(data: tuple[TSP, Any], _: float) -> float:
    """The length of the tour of one run of LKH, which knows no limit of time."""
    tour = import_module("elkai").DistanceMatrix(data[1].tolist()).solve_tsp(runs=1)
    return float(data[0].cost(np.array(tour[:-1])))


def toured_by_ortools(data: tuple[TSP, Any], seconds: float) -> float:
    """The length of the tour of guided local search from the cheapest arcs; its model takes a list of all distances."""
    enums = import_module("ortools.constraint_solver.routing_enums_pb2")
    routing = import_module("ortools.constraint_solver.pywrapcp")
    manager = routing.RoutingIndexManager(len(data[1]), 1, 0)
    model = routing.RoutingModel(manager)
    model.SetArcCostEvaluatorOfAllVehicles(model.RegisterTransitMatrix(data[1].tolist()))
    wishes = routing.DefaultRoutingSearchParameters()
    wishes.first_solution_strategy = enums.FirstSolutionStrategy.PATH_CHEAPEST_ARC
    wishes.local_search_metaheuristic = enums.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    wishes.time_limit.FromMilliseconds(int(1000 * seconds))
    found = model.SolveWithParameters(wishes)
    if not found:
        return float(WITHOUT * data[0].cost(np.arange(len(data[1]))))
    at, tour = model.Start(0), list[int]()
    while not model.IsEnd(at):
        tour.append(manager.IndexToNode(at))
        at = found.Value(model.NextVar(at))
    return float(data[0].cost(np.array(tour)))


WITHOUT = 10
"""Where a rival has no tour within the limit, its length is so many times that of the cities as they were drawn."""


def tours_beside_ortools() -> Iterator[EqualTime]:
    """Tours after equal time; the model of 10,000 cities would be a list of 10^8 numbers."""
    for n, seconds in ((1000, 1), (1000, 5), (5000, 5), (5000, 20)):
        yield EqualTime(
            "tours", f"{n:,} random cities, {seconds} s", "ortools", cities(n, False), toured, toured_by_ortools,
            "length", "least", seconds,
        )  # fmt: skip


def tours_in(task: str, n: int, *limits: int, clustered: bool = False) -> Iterator[EqualTime]:
    """Tours of so many cities after equal time."""
    for seconds in limits:
        yield EqualTime(
            task, f"{n:,} {'clustered' if clustered else 'random'} cities, {seconds} s", "fast-tsp",
            cities(n, clustered), toured, toured_by_fast_tsp, "length", "least", seconds,
        )  # fmt: skip


def tours() -> Iterator[EqualTime]:
    """Tours after equal time."""
    yield from tours_in("tours", 1000, 1, 2, 5)
    yield from tours_in("tours", 1000, 1, 2, 5, clustered=True)
    yield from tours_in("tours", 2000, 1, 2, 5, 10)


def large_tours() -> Iterator[EqualTime]:
    """Tours of 10,000 cities after equal time."""
    yield from tours_in("large tours", 10_000, 1, 5, 20)


def largest_tours() -> Iterator[EqualTime]:
    """Tours of 100,000 cities after equal time, where there is memory for fast-tsp: it has two matrices of 16 bits."""
    if available() > 50_000_000_000:
        yield from tours_in("the largest tours", 100_000, 20)


def tours_of_lkh() -> Iterator[EqualTime]:
    """Tours after the time of a run of LKH, which cannot be ended earlier: of 10,000 cities it takes many minutes."""
    for n in (200, 500, 1000, 2000):
        yield EqualTime(
            "tours in the time of one run of LKH", f"{n:,} random cities", "elkai", cities(n, False), toured,
            toured_by_elkai, "length", "least", 10,
        )  # fmt: skip


def quadratic(n: int) -> Callable[[int], tuple[QUBO, Any]]:
    """A triangular matrix with a tenth of its entries in -100 ... 100; and the rival's model."""

    def drawn(seed: int) -> tuple[QUBO, Any]:
        generator = np.random.default_rng(seed)
        matrix = np.triu(generator.integers(-100, 101, (n, n)) * (generator.random((n, n)) < 0.1))
        i, j = np.nonzero(np.triu(matrix, 1))
        model = import_module("dimod").BinaryQuadraticModel.from_numpy_vectors(
            np.diagonal(matrix).astype(float), (i, j, matrix[i, j].astype(float)), 0.0, "BINARY"
        )
        return QUBO(matrix), model

    return drawn


def minimised(data: tuple[QUBO, Any], seconds: float) -> float:
    """The cost of tabu search."""
    search = DiversificationDrivenTabuSearch()
    return float(run(search, data[0], stop=within(seconds), seed=1, parallel="host").cost)


def minimised_by_dwave(data: tuple[QUBO, Any], seconds: float) -> float:
    """The cost of the rival's tabu search."""
    sampler = import_module("dwave.samplers").TabuSampler()
    return float(sampler.sample(data[1], num_reads=1, timeout=int(1000 * seconds), seed=1).first.energy)


def quadratic_programs() -> Iterator[EqualTime]:
    """Tabu search of quadratic programs."""
    for n in (500, 1000, 2500):
        yield EqualTime(
            "tabu search of quadratic programs", f"{n:,} variables, 1 s", "dwave-samplers", quadratic(n), minimised,
            minimised_by_dwave, "cost", "least", 1,
        )  # fmt: skip


KINDS = (
    ("uncorrelated", 10_000),
    ("weakly correlated", 10_000),
    ("strongly correlated", 1_000),
    ("inverse strongly correlated", 1_000),
    ("almost strongly correlated", 1_000),
    ("subset sum", 10_000),
    ("strongly correlated spanner", 1_000),
    ("profit ceiling", 1_000),
    ("circle", 1_000),
)


def single(kind: str, n: int) -> Callable[[int], Knapsack]:
    """A knapsack with one constraint."""
    return lambda seed: Knapsack.pisinger(kind, n, largest=10_000, seed=seed)


def several(items: int, constraints: int) -> Callable[[int], Knapsack]:
    """A knapsack as those of Chu and Beasley: profits near the weights, half of the items fit."""

    def drawn(seed: int) -> Knapsack:
        generator = np.random.default_rng(seed)
        weights = generator.integers(1, 1001, (constraints, items))
        profits = weights.sum(axis=0) // constraints + (500 * generator.random(items)).astype(int)
        return Knapsack(profits, weights, weights.sum(axis=1) // 2)

    return drawn


MOST_SECONDS = 3
"""The time after which a rival's proof of a knapsack with one constraint is given up."""


def proved(problem: Knapsack) -> float:
    """The optimum."""
    return float(run(KnapsackCore(), problem, stop=within(60), parallel="host").cost)


def by_knapsack_solver(problem: Knapsack, seconds: float) -> tuple[float, float]:
    """The profit of the branch and bound of OR-Tools that is made for knapsacks, also as the bound."""
    module = import_module("ortools.algorithms.python.knapsack_solver")
    solver = module.KnapsackSolver(module.SolverType.KNAPSACK_MULTIDIMENSION_BRANCH_AND_BOUND_SOLVER, "")
    solver.set_time_limit(seconds)
    solver.init(problem.profits.tolist(), problem.weights.tolist(), problem.capacities.tolist())
    profit = float(solver.solve())
    return profit, profit


def by_cp_sat(problem: Knapsack, seconds: float) -> tuple[float, float]:
    """The profit and the bound of CP-SAT."""
    cp_model = import_module("ortools.sat.python.cp_model")
    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    x = [model.new_bool_var("") for _ in range(problem.n)]
    for weights, capacity in zip(problem.weights.tolist(), problem.capacities.tolist(), strict=True):
        model.add(sum(w * each for w, each in zip(weights, x, strict=True)) <= capacity)
    model.maximize(sum(p * each for p, each in zip(problem.profits.tolist(), x, strict=True)))
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1
    solver.solve(model)
    return float(solver.objective_value), float(solver.best_objective_bound)


def by_highs(problem: Knapsack, seconds: float) -> tuple[float, float]:
    """The profit, 0 if there is none, and the bound of HiGHS."""
    highs = import_module("highspy")
    model = highs.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("threads", 1)
    model.setOptionValue("time_limit", float(seconds))
    model.setOptionValue("mip_rel_gap", 0.0)
    n, every = problem.n, np.arange(problem.n, dtype=np.int32)
    model.addVars(n, np.zeros(n), np.ones(n))
    model.changeColsIntegrality(n, every, np.full(n, highs.HighsVarType.kInteger))
    model.changeColsCost(n, every, problem.profits.astype(float))
    model.changeObjectiveSense(highs.ObjSense.kMaximize)
    for weights, capacity in zip(problem.weights.astype(float), problem.capacities.tolist(), strict=True):
        model.addRow(-highs.kHighsInf, float(capacity), n, every, weights)
    model.run()
    found = model.getInfo()
    profit = float(found.objective_function_value)
    return profit if np.isfinite(profit) else 0.0, float(found.mip_dual_bound)


Solver = Callable[[Knapsack, float], tuple[float, float]]
SOLVERS: dict[str, Solver] = {"ortools": by_cp_sat, "highspy": by_highs}
ONE_CONSTRAINT: dict[str, Solver] = {"ortools": by_knapsack_solver, "highspy": by_highs}


def proofs(rival: str) -> Callable[[], Iterator[Comparison]]:
    """Knapsacks with one constraint until the proof of the optimum."""

    def compared() -> Iterator[Comparison]:
        for kind, n in KINDS:
            yield Comparison(
                f"knapsacks with one constraint; {rival} has {MOST_SECONDS} s", f"{kind}, {n:,} items", rival,
                single(kind, n), proved, lambda problem: ONE_CONSTRAINT[rival](problem, MOST_SECONDS)[0], "profit",
            )  # fmt: skip

    return compared


def packed(problem: Knapsack, seconds: float) -> float:
    """The profit of the search that is recommended first."""
    best = problem.recommended()[0]
    return float(run(best.search, problem, stop=within(seconds), seed=1, start=best.start, parallel="host").cost)


def bounded(problem: Knapsack, seconds: float) -> float:
    """The upper bound of the tree."""
    proof = run(BranchAndBound(MultiKnapsackTree()), problem, stop=within(seconds), parallel="host").proof
    assert proof is not None
    assert proof.bound is not None
    return float(proof.bound)


def several_constraints(rival: str, bounds: bool) -> Callable[[], Iterator[EqualTime]]:
    """Knapsacks with several constraints: the best solution, or the best bound, after equal time."""

    def compared() -> Iterator[EqualTime]:
        for items, constraints in ((250, 10), (100, 30)):
            yield EqualTime(
                f"knapsacks with several constraints, {'bounds' if bounds else 'solutions'}",
                f"{items} items, {constraints} constraints, 10 s", rival, several(items, constraints),
                bounded if bounds else packed, lambda problem, seconds: SOLVERS[rival](problem, seconds)[bounds],
                "bound" if bounds else "profit", "least" if bounds else "most", 10,
            )  # fmt: skip

    return compared


def shop(n: int, seed: int) -> JobShopByMachines:
    """As many jobs as machines, or 15 machines for more jobs, and times of 1 to 99 as Taillard drew them."""
    generator = np.random.default_rng((n, seed))
    machines = min(n, 15)
    order = np.array([generator.permutation(machines) for _ in range(n)])
    return JobShopByMachines(order, generator.integers(1, 100, (n, machines)))


def scheduled(problem: JobShopByMachines, seconds: float) -> float:
    """The makespan that `solve` finds."""
    return float(solve(problem, seconds=seconds, seed=1, parallel="host", report=False).cost)


def job_shops() -> Iterator[EqualTime]:
    """Job shops after equal time."""
    for n in (10, 15, 20):
        yield EqualTime(
            "job shops", f"{n} jobs, {min(n, 15)} machines, 5 s", "ortools", partial(shop, n), scheduled,
            scheduled_by_cp_sat, "makespan", "least", 5,
        )  # fmt: skip


SEARCHES: dict[str, Callable[[], Iterator[Comparison] | Iterator[EqualTime]]] = {
    "tours": tours,
    "large_tours": large_tours,
    "largest_tours": largest_tours,
    "tours_ortools": tours_beside_ortools,
    "tours_of_lkh": tours_of_lkh,
    "routes": routes,
    "routes_in_time": routes_in_time,
    "routes_ortools": routes_beside_ortools,
    "routes_vroom": routes_beside_vroom,
    "job_shops": job_shops,
    "choices": choices,
    "published": published,
    "quadratic": quadratic_programs,
    "proofs_ortools": proofs("ortools"),
    "proofs_highs": proofs("highspy"),
    "solutions_ortools": several_constraints("ortools", bounds=False),
    "solutions_highs": several_constraints("highspy", bounds=False),
    "bounds_ortools": several_constraints("ortools", bounds=True),
    "bounds_highs": several_constraints("highspy", bounds=True),
}
