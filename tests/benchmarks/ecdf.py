"""Searches of real numbers beside others: which share of all targets is reached, by the number of evaluations.

``python -m tests.benchmarks.ecdf --answers FILE --save`` runs them on the 24 functions of BBOB, and goes on with what
is in the file; rows of packages that are not installed are left out. Targets are 51 differences to the best cost, from
100 to 1e-8, as COCO's. Evaluations are counted, not seconds, so that other work on the machine changes nothing;
``--rates`` measures evaluations a second instead, and ``--rates --walks 4096`` those of many runs on a GPU, beside
evosax where it is installed with jax.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from metaheur import GeneticAlgorithm, run, stop
from metaheur.parallel import Multistart
from metaheur.reals import (
    BBOB,
    CMAES,
    DifferentialEvolution,
    EvolutionStrategy,
    ParticleSwarm,
    PatternSearch,
    PolynomialMutation,
    Real,
    SimulatedBinary,
)
from metaheur.search import Search
from metaheur.watch import Trace
from tests.benchmarks.records import arguments, report

TARGETS = 10.0 ** np.linspace(2, -8, 51)
TIMED = (1, 8, 10, 15, 20, 23)
SHOWN = (10, 30, 100, 300, 1000, 3000, 10_000)
BOUND, WIDE = 5.0, 10.0


class Enough(Exception):
    """As many evaluations as were allowed have been made."""


class Counted:
    """COCO's function, which counts its evaluations and notes when a target is reached."""

    def __init__(self, function: int, n: int, instance: int, budget: int) -> None:
        suite = import_module("cocoex").Suite("bbob", f"instances: {instance}", f"dimensions: {n}")
        self.inner = suite.get_problem_by_function_dimension_instance(function, n, instance)
        self.lowest, self.budget, self.count = BBOB.of(function, n, instance).lowest, budget, 0
        self.reached: list[tuple[int, float]] = []

    def __call__(self, x: Any) -> float:
        if self.count == self.budget:
            raise Enough
        self.count += 1
        cost = float(self.inner(x))
        if not self.reached or cost - self.lowest < self.reached[-1][1]:
            self.reached.append((self.count, cost - self.lowest))
        return cost


def ours(search: Callable[[int, int], Search[Any]], box: float = BOUND) -> Callable[..., list[tuple[int, float]]]:
    """A search of ours: when it came how near to the best cost; in a wider box it begins where others do, too."""

    def made(function: int, n: int, instance: int, budget: int, seed: int) -> list[tuple[int, float]]:
        problem, trace = BBOB.of(function, n, instance, bound=box), Trace(None, improvements=True)
        drawn = np.random.default_rng(seed).uniform(-BOUND, BOUND, n)
        start = Real(n, -box, box).encode(drawn) if box > BOUND else None
        until = stop.iterations(budget - 1)
        run(search(n, budget), problem, stop=until, seed=seed, start=start, parallel="host", watch=[trace])
        return [(1 + row.evaluated, float(row.best) - problem.lowest) for row in trace.rows]

    return made


def theirs(search: Callable[[Counted, int, int, int], Any]) -> Callable[..., list[tuple[int, float]]]:
    """Another search, on COCO's function."""

    def made(function: int, n: int, instance: int, budget: int, seed: int) -> list[tuple[int, float]]:
        cost = Counted(function, n, instance, budget)
        with suppress(Enough):
            search(cost, n, budget, seed)
        return cost.reached

    return made


def pycma(bounds: tuple[float, float] | None) -> Callable[[Counted, int, int, int], None]:
    """CMA-ES with restarts (BIPOP), as its authors keep it; everywhere, or within bounds."""

    def searched(cost: Counted, n: int, budget: int, seed: int) -> None:
        drawn = np.random.default_rng(seed)
        options = {"maxfevals": budget, "verbose": -9, "seed": seed + 1, **({"bounds": [*bounds]} if bounds else {})}
        import_module("cma").fmin2(
            cost, lambda: drawn.uniform(-BOUND, BOUND, n), 0.6 * BOUND, options, restarts=20, bipop=True
        )

    return searched


def scipys(cost: Counted, n: int, budget: int, seed: int) -> None:
    """Differential evolution of scipy, with its defaults."""
    evolved = import_module("scipy.optimize").differential_evolution
    evolved(cost, [(-BOUND, BOUND)] * n, maxiter=budget, rng=seed, polish=False, tol=0)


def mealpys(cost: Counted, n: int, budget: int, seed: int) -> None:
    """L-SHADE of mealpy, with the published size of its population."""
    size = 18 * n
    space = import_module("mealpy").FloatVar(lb=[-BOUND] * n, ub=[BOUND] * n)
    problem = {"obj_func": cost, "bounds": space, "minmax": "min", "log_to": None}
    epochs = max(1, round(2 * budget / (size + 4)))
    import_module("mealpy").SHADE.L_SHADE(epoch=epochs, pop_size=size).solve(problem, seed=seed)


def pymoos(module: str, name: str) -> Callable[[Counted, int, int, int], None]:
    """A search of pymoo, with its defaults."""

    def searched(cost: Counted, n: int, budget: int, seed: int) -> None:
        search = getattr(import_module(f"pymoo.algorithms.soo.nonconvex.{module}"), name)()
        problem = import_module("pymoo.problems.functional").FunctionalProblem(n, cost, xl=-BOUND, xu=BOUND)
        import_module("pymoo.optimize").minimize(problem, search, ("n_eval", 2 * budget), seed=seed)

    return searched


def nevergrads(name: str) -> Callable[[Counted, int, int, int], None]:
    """A search of nevergrad, with its defaults: the first solution is the middle."""

    def searched(cost: Counted, n: int, budget: int, seed: int) -> None:
        nevergrad = import_module("nevergrad")
        space = nevergrad.p.Array(shape=(n,), lower=-BOUND, upper=BOUND)
        space.random_state.seed(seed)
        nevergrad.optimizers.registry[name](space, budget=budget).minimize(cost)

    return searched


def evosaxs(cost: Counted, n: int, budget: int, seed: int) -> None:
    """CMA-ES of evosax, in float32 as it is, everywhere; jax asks it for a generation and tells it the costs."""
    jax = import_module("jax")
    search, params, ask, tell = _evosax(n)
    first, key = jax.random.split(jax.random.key(seed))
    state = search.init(key, jax.random.uniform(first, (n,), minval=-BOUND, maxval=BOUND), params)
    while True:
        key, one, two = jax.random.split(key, 3)
        children, state = ask(one, state, params)
        costs = np.array([cost(each) for each in np.asarray(children, float)])
        state, _ = tell(two, children, costs, state, params)


def evoxs(name: str) -> Callable[[Counted, int, int, int], None]:
    """A search of EvoX, in float32 as it is; each of its generations is evaluated by COCO's function."""

    def searched(cost: Counted, n: int, budget: int, seed: int) -> None:
        torch = import_module("torch")
        torch.set_default_device("cpu")
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        kind = getattr(import_module("evox.algorithms"), name)
        low, high = torch.full((n,), -BOUND), torch.full((n,), BOUND)
        first = low + (high - low) * torch.rand(n)
        search = kind(first, 0.6 * BOUND) if name == "CMAES" else kind(min(max(20, 5 * n), 100), low, high)
        search.evaluate = lambda xs: torch.tensor([cost(x) for x in xs.double().numpy()])
        search.init_step()
        while True:
            search.step()

    return searched


@cache
def _evosax(n: int) -> tuple[Any, Any, Any, Any]:
    search = import_module("evosax.algorithms").CMA_ES(4 + int(3 * np.log(n)), np.zeros(n))
    jit = import_module("jax").jit
    return search, search.default_params.replace(std_init=0.6 * BOUND), jit(search.ask), jit(search.tell)


OURS: dict[str, Callable[[int, int], Search[Any]]] = {
    "CMA-ES": lambda n, budget: CMAES(),
    "L-SHADE": DifferentialEvolution.lshade,
    "SHADE": lambda n, budget: DifferentialEvolution(min(max(20, 5 * n), 100)),
    "differential evolution": lambda n, budget: DifferentialEvolution(min(max(20, 5 * n), 100), "none"),
    "particle swarm": lambda n, budget: ParticleSwarm(40),
    "evolution strategy": lambda n, budget: EvolutionStrategy(20),
    "(1+1)": lambda n, budget: EvolutionStrategy(1),
    "genetic algorithm": lambda n, budget: GeneticAlgorithm(SimulatedBinary(), PolynomialMutation(), size=100),
    "pattern search": lambda n, budget: PatternSearch(),
}
SEARCHES: dict[str, Callable[..., list[tuple[int, float]]]] = {
    "CMA-ES": ours(OURS["CMA-ES"]),
    "CMA-ES, in a wider box": ours(lambda n, budget: CMAES(deviation=0.3 * BOUND / WIDE), WIDE),
    "CMA-ES of pycma": theirs(pycma(None)),
    "CMA-ES of pycma, within bounds": theirs(pycma((-BOUND, BOUND))),
    "CMA-ES of evosax": theirs(evosaxs),
    "CMA-ES of evox": theirs(evoxs("CMAES")),
    "L-SHADE": ours(OURS["L-SHADE"]),
    "L-SHADE of mealpy": theirs(mealpys),
    "SHADE": ours(OURS["SHADE"]),
    "differential evolution": ours(OURS["differential evolution"]),
    "differential evolution of scipy": theirs(scipys),
    "differential evolution of pymoo": theirs(pymoos("de", "DE")),
    "differential evolution of nevergrad": theirs(nevergrads("TwoPointsDE")),
    "differential evolution of evox": theirs(evoxs("DE")),
    "particle swarm": ours(OURS["particle swarm"]),
    "particle swarm of pymoo": theirs(pymoos("pso", "PSO")),
    "particle swarm of evox": theirs(evoxs("PSO")),
    "evolution strategy": ours(OURS["evolution strategy"]),
    "(1+1)": ours(OURS["(1+1)"]),
    "(1+1) of nevergrad": theirs(nevergrads("OnePlusOne")),
    "genetic algorithm": ours(OURS["genetic algorithm"]),
    "genetic algorithm of pymoo": theirs(pymoos("ga", "GA")),
    "pattern search": ours(OURS["pattern search"]),
    "pattern search of pymoo": theirs(pymoos("pattern", "PatternSearch")),
}
MODULES = {"pycma": "cma"}


def missing(name: str) -> str:
    """The package that a row needs and that is not installed, or ""."""
    _, _, package = name.partition(" of ")
    package = package.partition(",")[0]
    needed = [MODULES.get(package, package), "cocoex"] if package else []
    return next((each for each in needed if find_spec(each) is None), "")


def installed(names: list[str]) -> Iterator[str]:
    """The rows that can be measured here; a line says why another one is left out."""
    for name in names:
        lacking = missing(name)
        if lacking:
            print(f"{name} is left out, since {lacking} is not installed.", file=sys.stderr)
        else:
            yield name


def runtimes(reached: list[tuple[int, float]]) -> list[int]:
    """For each target, after how many evaluations it was reached; 0 for never."""
    found = []
    for target in TARGETS:
        found.append(next((count for count, gap in reached if gap <= target), 0))
    return found


def cell(task: tuple[str, int, int, int, int]) -> tuple[list[Any], list[list[int]]]:
    """The runtimes of a search on so many instances of a function in a dimension."""
    name, function, n, instances, per = task
    rows = [runtimes(SEARCHES[name](function, n, i, per * n, i)) for i in range(1, instances + 1)]
    return list(task), rows


def computed(chosen: argparse.Namespace) -> dict[tuple[str, int], np.ndarray]:
    """By search and dimension: runtimes over the number of entries, of all functions, instances and targets."""
    tasks = [
        (name, function, n, chosen.instances, chosen.evaluations)
        for n, name, function in product(chosen.dimensions, chosen.searches, range(1, 25))
    ]
    answers: dict[tuple[Any, ...], Any] = {}
    if chosen.answers.exists():
        for line in chosen.answers.read_text("utf-8").splitlines():
            task, rows = json.loads(line)
            answers[tuple(task)] = rows
    missing = [task for task in tasks if task not in answers]
    with ProcessPoolExecutor(chosen.jobs) as pool, chosen.answers.open("a", encoding="utf-8") as file:
        for task, rows in pool.map(cell, missing):
            answers[tuple(task)] = rows
            print(json.dumps([task, rows]), file=file, flush=True)
    found: dict[tuple[str, int], np.ndarray] = {}
    for n, name in product(chosen.dimensions, chosen.searches):
        times = np.array([answers[task] for task in tasks if (task[0], task[2]) == (name, n)], float) / n
        found[name, n] = np.where(times > 0, times, np.inf).ravel()
    return found


def lines(chosen: argparse.Namespace) -> Iterator[str]:
    """A row for each search and dimension: the area under its curve, and the shares of reached targets."""
    found = computed(chosen)
    for n, name in product(chosen.dimensions, chosen.searches):
        times = found[name, n]
        area = np.mean(np.clip(1 - np.log(np.maximum(times, 1)) / np.log(chosen.evaluations), 0, 1))
        shares = (f"{100 * np.mean(times <= each):.1f}" for each in SHOWN if each <= chosen.evaluations)
        yield f"| {name}, {n} | {area:.3f} | {' | '.join(shares)} |"


def rate(name: str, function: int, n: int, walks: int, per: str) -> float:
    """Evaluations a second: of processor time on a core; on a GPU, of the clock, by so many runs side by side."""
    clock = time.perf_counter if walks else time.process_time
    model = Multistart(walks, device="cuda", per=per) if walks else "host"

    def timed(count: int) -> tuple[int, float]:
        began = clock()
        if name not in OURS:
            SEARCHES[name](function, n, 1, count, 1)
            return count, clock() - began
        made = run(OURS[name](n, count), BBOB.of(function, n), stop=stop.iterations(count), seed=1, parallel=model)
        return made.evaluated, clock() - began - (made.compile_seconds if walks else 0.0)

    count, seconds = 50 * n, 0.0
    timed(40)  # compiles
    while seconds < 0.3 and count < 1e7:
        count *= 2
        evaluated, seconds = timed(count)
    return evaluated / seconds


def rate_of_evosax(function: int, n: int, walks: int, generations: int = 200) -> float:
    """Evaluations a second of the clock by so many runs of evosax's CMA-ES side by side, where jax computes."""
    jax = import_module("jax")
    names = list(import_module("evosax.problems.bbob.bbob_fns").bbob_fns)
    problem = import_module("evosax.problems").BBOBProblem(fn_name=names[function - 1], num_dims=n)
    search, params, _, _ = _evosax(n)

    def generation(both: Any, key: Any) -> tuple[Any, None]:
        state, at = both
        first, second, third = jax.random.split(key, 3)
        children, state = search.ask(first, state, params)
        costs, at, _ = problem.eval(second, children, at)
        return (search.tell(third, children, costs, state, params)[0], at), None

    def evolved(key: Any) -> Any:
        begin = search.init(key, jax.random.uniform(key, (n,), minval=-BOUND, maxval=BOUND), params)
        keys = jax.random.split(key, generations)
        return jax.lax.scan(generation, (begin, problem.init(key)), keys)[0][0].best_fitness

    runs, keys = jax.jit(jax.vmap(evolved)), jax.random.split(jax.random.key(1), walks)
    runs(keys).block_until_ready()  # compiles
    began = time.perf_counter()
    runs(keys).block_until_ready()
    return float(walks * search.population_size * generations / (time.perf_counter() - began))


def rates(chosen: argparse.Namespace) -> Iterator[str]:
    """A row for each search and dimension: thousands of evaluations a second, medians over functions; and ratios."""
    names = [each for each in chosen.searches if not each.startswith("pattern search")]  # these end by themselves
    if chosen.walks:
        names = [each for each in names if each in OURS or each == "CMA-ES of evosax"]
    for n in chosen.dimensions:
        found: dict[str, list[float]] = {name: [] for name in names}
        for function, name in product(TIMED, names):  # by turns, so that other work on the machine slows all of them
            evosax = bool(chosen.walks) and name not in OURS
            found[name].append(
                rate_of_evosax(function, n, chosen.walks)
                if evosax
                else rate(name, function, n, chosen.walks, chosen.per)
            )
        known = {name: median(each) for name, each in found.items()}
        for name in names:
            counterpart = name.partition(" of ")[0]
            beside = f"{known[counterpart] / known[name]:,.1f}" if name != counterpart and counterpart in known else ""
            yield f"| {name}, {n} | {known[name] / 1000:,.1f} | {beside} |"


def main() -> None:
    """Print and save the table."""
    given = argparse.ArgumentParser()
    given.add_argument("--answers", type=Path, default=Path("build/ecdf.jsonl"))
    given.add_argument("--dimensions", type=int, nargs="*", default=[5, 10, 20, 40])
    given.add_argument("--evaluations", type=int, default=1000, help="for each entry")
    given.add_argument("--instances", type=int, default=5)
    given.add_argument("--searches", nargs="*", default=list(SEARCHES))
    given.add_argument("--jobs", type=int, default=1)
    given.add_argument("--record", default="", help="the name of the record, if not the usual one")
    given.add_argument("--rates", action="store_true")
    given.add_argument("--walks", type=int, default=0, help="rates of so many runs side by side on a GPU")
    given.add_argument("--per", default="auto", help="the owner of each of these runs: thread, warp or block")
    chosen = given.parse_args(arguments())
    chosen.searches = list(installed(chosen.searches))
    if chosen.rates:
        heads = ("search, dimension", "1,000 evaluations/s", "ours beside it, times")
        where = f"of {chosen.walks:,} runs side by side on a GPU" if chosen.walks else "of processor time"
        name = "reals_rates_on_a_gpu" if chosen.walks else "reals_rates"
        report(chosen.record or name, f"evaluations a second {where}, medians of six functions", heads, rates(chosen))
        return
    shown = [each for each in SHOWN if each <= chosen.evaluations]
    columns = ("search, dimension", "area", *(f"% after {each:,} n" for each in shown))
    title = "targets of BBOB that are reached, by evaluations for each of n entries"
    report(chosen.record or "reals_ecdf", title, columns, lines(chosen))


if __name__ == "__main__":
    main()
