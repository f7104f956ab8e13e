"""Searches of real numbers: the same steps on every device, near known optima, and what they refuse."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    MOEAD,
    NSGA2,
    BitString,
    Composite,
    DiscreteVector,
    GeneticAlgorithm,
    IteratedLocalSearch,
    Key,
    Permutation,
    Problem,
    Search,
    Until,
    compiled,
    data,
    run,
    solve,
    stop,
)
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.errors import InputError
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.parallel import Islands, Multistart
from metaheur.parts import BetterOrEqual, NoPerturbation, RandomMoves
from metaheur.random import Random
from metaheur.reals import (
    BBOB,
    CMAES,
    DifferentialEvolution,
    EvolutionStrategy,
    NelderMead,
    ParticleSwarm,
    PatternSearch,
    PolynomialMutation,
    Real,
    SimulatedBinary,
    Steps,
    cos,
)
from metaheur.reals.cmaes import factorise
from metaheur.runners.compiled_loop import CompiledLoop
from metaheur.runners.drive import RESERVED, SPREAD, Team, drive
from metaheur.runners.resident import Driver
from metaheur.running.runner import Facts
from metaheur.searches.suited import suited
from metaheur.testing import check_recombination, check_search
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.helpers import evaluated, solution_of
from tests.reals.test_real import Bowls, Mixed
from tests.tree.emulated import Emulated

SEARCHES: dict[str, Search[Any]] = {
    "rand/1": DifferentialEvolution(5, "none"),
    "JADE": DifferentialEvolution(6, "mean"),
    "SHADE": DifferentialEvolution(6),
    "L-SHADE": DifferentialEvolution(9, evaluations=70),
    "CMA-ES": CMAES(),
    "CMA-ES, small runs": CMAES(4, doublings=1),
    "evolution strategy": EvolutionStrategy(6, 2),
    "one in five": EvolutionStrategy(1),
    "particle swarm": ParticleSwarm(6, 2),
    "downhill simplex": NelderMead(0.3),
    "pattern search": PatternSearch(0.3),
    "genetic algorithm": GeneticAlgorithm(SimulatedBinary(2), PolynomialMutation(3, 0.5), size=5),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_steps_are_the_same_on_every_device(name: str, compiling: Device) -> None:
    check_search(SEARCHES[name], Bowls(3, 31), iterations=90, devices=[compiling.name])


@pytest.mark.parametrize(
    "name", ["rand/1", "L-SHADE", "CMA-ES", "particle swarm", "evolution strategy", "pattern search"]
)
def test_mixed_problems_take_the_same_steps(name: str, compiling: Device) -> None:
    check_search(SEARCHES[name], Mixed(), iterations=90, devices=[compiling.name])


@frozen
class Ripples(Problem):
    """Rastrigin's function; its least value is 0, where all numbers are 0."""

    size: int = data("int32")

    cost_type = "float64"
    representation = property(lambda self: Real(self.size, -5.12, 5.12))

    @compiled
    def cost(self, x):  # type: ignore[no-untyped-def]
        total = 0.0
        for k in range(self.n):
            v = x.value(k)
            total += v * v - 10.0 * cos(6.283185307179586 * v) + 10.0
        return total


OPTIMISERS: dict[str, tuple[Search[Any], int]] = {
    "JADE": (DifferentialEvolution(30, "mean"), 12_000),
    "L-SHADE": (DifferentialEvolution.lshade(5, 12_000), 12_000),
    "rand/1": (DifferentialEvolution(30, "none", rate=0.2), 12_000),
    "CMA-ES, with restarts": (CMAES(), 60_000),
}


@pytest.mark.parametrize("name", OPTIMISERS)
def test_a_known_optimum_is_found(name: str) -> None:
    search, evaluations = OPTIMISERS[name]
    result = run(search, Ripples(5), stop=stop.iterations(evaluations), seed=1, parallel="host")
    assert result.cost < 1e-6


@frozen
class Valley(Problem):
    """Rosenbrock's function; its least value is 0, where all numbers are 1."""

    size: int = data("int32")

    cost_type = "float64"
    representation = property(lambda self: Real(self.size, -5, 5))

    @compiled
    def cost(self, x):  # type: ignore[no-untyped-def]
        total = 0.0
        for k in range(self.n - 1):
            a, b = x.value(k), x.value(k + 1)
            total += 100.0 * (b - a * a) * (b - a * a) + (1.0 - a) * (1.0 - a)
        return total


def test_a_narrow_valley_is_followed() -> None:
    result = run(CMAES(), Valley(8), stop=stop.iterations(9000), seed=1, parallel="host")
    assert result.cost < 1e-9


@pytest.mark.parametrize("n", [5, 10])
def test_a_corner_is_reached_by_steps_beyond_the_bounds(n: int) -> None:
    slope = BBOB.of(5, n)
    assert run(CMAES(), slope, stop=stop.iterations(400 * n), seed=1, parallel="host").cost < slope.lowest + 1e-8


@pytest.mark.parametrize("size", [1, 12])
def test_a_width_adapts_until_the_bottom_of_a_bowl_is_reached(size: int) -> None:
    problem = BBOB.of(1, 4)
    result = run(EvolutionStrategy(size), problem, stop=stop.iterations(4000), seed=1, parallel="host")
    assert result.cost < problem.lowest + 1e-8


def test_a_simplex_ends_at_the_bottom_of_a_valley_and_is_kicked_out_of_it() -> None:
    valley = run(NelderMead(), Valley(8), stop=stop.iterations(9000), seed=1, parallel="host")
    assert (valley.cost, valley.stopped_by) == (pytest.approx(0, abs=1e-12), "local optimum")
    moves = Steps.normal(0.2)
    kicked = IteratedLocalSearch(NelderMead(), RandomMoves(moves, 2), BetterOrEqual())
    until = stop.iterations(12_000)
    once, often = (run(each, Ripples(3), stop=until, seed=1, parallel="host") for each in (NelderMead(), kicked))
    assert often.cost < 1e-6 < once.cost


def as_published(cost: Any, base: np.ndarray, share: float, most: int) -> Iterator[np.ndarray]:
    """The solutions that pattern search of 1961 evaluates after the first one, as its flow diagram says."""

    def explored(x: np.ndarray, value: float) -> Iterator[np.ndarray]:
        for k in range(len(x)):
            for sign in (1, -1):
                y = x.copy()
                y[k] = min(max(y[k] + sign * far, 0), most)
                if y[k] == x[k]:
                    continue
                yield y
                if cost(y) < value:
                    x[k], value = y[k], cost(y)
                    break

    while True:
        x, far = base.copy(), max(int(np.floor(share * most + 0.5)), 1)
        yield from explored(x, cost(base))
        if not cost(x) < cost(base):
            if far == 1:
                return
            share = share / 2
        while cost(x) < cost(base):
            base, x = x, np.clip(2 * x - base, 0, most)
            yield x.copy()
            yield from explored(x, cost(x))


def test_pattern_search_evaluates_what_its_authors_say() -> None:
    problem, search = Bowls(4, 12), PatternSearch(0.25)
    most, start = problem.representation.values - 1, solution_of(problem, 5)
    expected = list(as_published(problem.cost, np.asarray(start, np.int64), 0.25, most))
    state = search.init(evaluated(problem, start), Key(1))
    for x in expected:
        state = search.step(state, NumpyEvaluator(problem))
        assert state.walk.current.solution.tolist() == x.tolist()
    state = search.step(state, NumpyEvaluator(problem))
    assert search.done(state)
    best = state.walk.current
    near = [np.clip(best.solution + sign * row, 0, most) for row in np.eye(4, dtype=int) for sign in (1, -1)]
    assert best.cost == problem.cost(best.solution) == min(map(problem.cost, [*expected, *near]))
    assert len(expected) > 100


def test_pattern_search_is_kicked_out_of_local_optima() -> None:
    small = PatternSearch(0.01)
    kicked = IteratedLocalSearch(small, RandomMoves(Steps.normal(0.1), 2), BetterOrEqual())
    until = stop.iterations(20_000)
    once, often = (run(each, Ripples(3), stop=until, seed=1, parallel="host") for each in (small, kicked))
    assert once.stopped_by == "local optimum"
    assert often.cost < 1e-6 < once.cost
    corner = run(PatternSearch(), BBOB.of(5, 20), stop=stop.iterations(4000), seed=1, parallel="host")
    assert corner.cost < BBOB.of(5, 20).lowest + 1e-8


def test_solve_tries_searches_of_real_numbers() -> None:
    result = solve(BBOB.of(10, 3), work=8000, seed=2, parallel="host")
    assert result.cost < BBOB.of(10, 3).lowest + 1e-8
    names = [each.name for each in suited(Ripples(3))]
    assert names[:2] == ["covariance adaptation", "differential evolution"]
    assert not {*names[:2]} & {each.name for each in suited(Order())}


def test_a_swarm_gathers_in_a_bowl() -> None:
    result = run(ParticleSwarm(20), Bowls(3, 31), stop=stop.iterations(6000), seed=1, parallel="host")
    best = run(CMAES(), Bowls(3, 31), stop=stop.iterations(6000), seed=1, parallel="host")
    assert result.cost == pytest.approx(best.cost, abs=1e-9)


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_axes_are_those_of_numpy(n: int) -> None:
    root = np.random.default_rng(n).normal(size=(n, n))
    full = root @ root.T
    kept = factorised(full, np.eye(n))
    inside = kept["covariance"][:n, :n]
    assert kept["basis"].T @ inside @ kept["basis"] == pytest.approx(full, rel=1e-13, abs=1e-13)
    assert np.sort(kept["axes"] ** 2) == pytest.approx(np.linalg.eigvalsh(full), rel=1e-4)
    assert kept["basis"] @ kept["basis"].T == pytest.approx(np.eye(n), abs=1e-14)
    assert np.abs(inside / kept["axes"] / kept["axes"][:, None] - np.eye(n)).max() <= 1e-3


def factorised(inside: np.ndarray, basis: np.ndarray) -> dict[str, np.ndarray]:
    """Axes turned from a basis, for a matrix in their coordinates."""
    n = len(basis)
    kept = {"covariance": np.zeros((n + n % 2, n + n % 2)), "basis": basis.copy(), "axes": np.zeros(n)}
    kept["covariance"][:n, :n] = inside
    factorise(kept)
    return kept


def test_axes_stay_orthonormal_and_describe_the_matrix_after_many_turns() -> None:
    random, n = np.random.default_rng(1), 3
    full, kept, turned = np.eye(n), factorised(np.eye(n), np.eye(n)), 0
    for _ in range(500):
        step, before = random.normal(size=n) * 10.0 ** np.arange(n), kept["basis"]
        full = 0.9 * full + 0.1 * np.outer(step, step)
        along = before @ step
        kept = factorised(0.9 * kept["covariance"][:n, :n] + 0.1 * np.outer(along, along), before)
        turned += not np.array_equal(kept["basis"], before)
    assert turned > 300
    assert kept["basis"] @ kept["basis"].T == pytest.approx(np.eye(n), abs=1e-13)
    rebuilt = kept["basis"].T @ kept["covariance"][:n, :n] @ kept["basis"]
    assert rebuilt == pytest.approx(full, rel=1e-10)


def test_axes_of_many_entries_are_computed_every_other_generation() -> None:
    problem = Ripples(500)
    search = CMAES()
    state = search.init(evaluated(problem, solution_of(problem, 1)), Key(1))
    while not state.kept["generation"]:
        state = search.step(state, NumpyEvaluator(problem))
    assert state.kept["unfactored"] == 1


def test_the_population_shrinks_to_four() -> None:
    search = DifferentialEvolution(20, evaluations=400)
    state = search.init(evaluated(Ripples(2), solution_of(Ripples(2), 1)), Key(1))
    sizes = []
    for _ in range(450):
        state = search.step(state, NumpyEvaluator(Ripples(2)))
        sizes.append(int(state.kept["now"]))
    assert (sizes[0], sizes[-1]) == (20, 4)
    assert sizes == sorted(sizes, reverse=True)


def races(search: Any, problem: Problem, folder: Path) -> set[tuple[str, str]]:
    """The pairs of lines that two walks, by a block of two warps each, meet unordered."""
    gpu: Any = Emulated(folder, races=True)
    runner = Driver(CompiledLoop(problem, search, gpu, Team("block", 64)), Facts("", "", ""))
    starts = [search.init(evaluated(problem, solution_of(problem, w)), Key(3, w)) for w in range(2)]
    walking = runner.load(starts)
    for end in (7, 60):
        walking = runner.advance(walking, Until(end)).walks
    found: set[tuple[str, str]] = gpu.races()
    return found


ON_BLOCKS = [
    DifferentialEvolution(9, evaluations=70),
    DifferentialEvolution(5, "none"),
    CMAES(),
    ParticleSwarm(5),
    EvolutionStrategy(6),
    EvolutionStrategy(1),
    NelderMead(),
    PatternSearch(),
]


@pytest.mark.parametrize("search", ON_BLOCKS)
def test_threads_of_a_block_wait_for_each_other(search: Any, tmp_path: Path) -> None:
    assert races(search, Bowls(3, 31), tmp_path) == set()


@pytest.mark.parametrize("search", [CMAES(), DifferentialEvolution.lshade(20, 20_000), ParticleSwarm()])
def test_a_processor_has_memory_for_as_many_blocks_as_registers(search: Any) -> None:
    gpu: Any = NoGPU()
    team = Team("warp", 128)
    unit = compose(BBOB.of(10, 20), drive(search, BBOB.of(10, 20), gpu, team), gpu)
    assert SPREAD // team.threads * (unit.launch.shared + RESERVED) <= gpu.shared_memory


def test_solutions_of_other_walks_join() -> None:
    islands = Islands(Multistart(3, device="host"), every=20)
    result = run(DifferentialEvolution(8), Bowls(3, 31), stop=stop.iterations(100), seed=1, parallel=islands)
    assert result.cost < 2.9


@pytest.mark.parametrize("crossover", [SimulatedBinary(), SimulatedBinary(2, 1.0)])
def test_children_lie_near_their_parents(crossover: SimulatedBinary, compiling: Device) -> None:
    check_recombination(crossover, Real(3, -1, 1, bits=2), devices=[compiling.name])
    check_recombination(crossover, Real(2, 0, (1, 3), bits=3), devices=[compiling.name])


def test_children_are_spread_as_published() -> None:
    """Half of the distances of children are below half of 2 ** (1 / 3) - 1 times that of the parents, for spread 2."""
    space = Real(2000, 0, 1)
    x, other = space.view(np.full(2000, 10**8, np.int32)), np.full(2000, 3 * 10**8, np.int32)
    SimulatedBinary(2, 1.0).cross(x, other, Random(Key(1), 0, 1))
    beta = np.abs(np.asarray(x, np.float64) - 2e8) / 1e8
    assert np.median(beta) == pytest.approx(1, abs=0.02)
    assert np.mean(beta < 0.5) == pytest.approx(0.5 * 0.5**3, abs=0.02)


@frozen
class Two(Problem):
    """Schaffer's first problem, of real numbers beside a mode."""

    objectives = ("one", "other")
    cost_type = "float64"
    representation = Composite(place=Real(2, -10, 10), mode=DiscreteVector(1, 3))

    @compiled
    def cost(self, x):  # type: ignore[no-untyped-def]
        v, w = x.place.value(0), x.place.value(1)
        return v * v + w * w + float(x.mode[0]), (v - 2.0) * (v - 2.0) + w * w + float(x.mode[0])


@pytest.mark.parametrize("search", [NSGA2(size=6), NSGA2(mutation=PolynomialMutation(), size=6), MOEAD(divisions=4)])
def test_fronts_of_mixed_problems_are_the_same_on_every_device(search: Any, compiling: Device) -> None:
    fronts = [
        run(search, Two(), stop=stop.iterations(80), seed=2, parallel=device).front.costs
        for device in ("numpy", compiling.name)
    ]
    assert fronts[0].tolist() == fronts[1].tolist()


def test_the_example_of_a_mixed_problem_is_short_and_the_same_on_every_device(compiling: Device) -> None:
    path = Path(__file__).parents[2] / "examples/39_real_numbers.py"
    text = path.read_text("utf-8")
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 30
    program = ast.parse(text)
    program.body = [each for each in program.body if not isinstance(each, ast.For)]
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(program, path, "exec"), names)
    one, front = [], []
    for device in ("numpy", compiling.name):
        until = stop.iterations(100)
        one.append(run(DifferentialEvolution(8), names["least"], stop=until, seed=1, parallel=device))
        nsga = NSGA2(mutation=PolynomialMutation(), size=6)
        front.append(run(nsga, names["problem"], stop=until, seed=1, parallel=device).front.costs.tolist())
    assert one[0].cost == one[1].cost
    assert one[0].solution.tolist() == one[1].solution.tolist()
    assert front[0] == front[1]


def test_nvrtc_compiles_them() -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    for search in ON_BLOCKS:
        gpu: Any = NoGPU()
        unit = compose(Bowls(3, 31), drive(search, Bowls(3, 31), gpu, Team("block", 64)), gpu)
        assert nvrtc.compiled(unit.text, ARCHITECTURES[-1], binary=False)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: DifferentialEvolution(8, "often"), '"history", "mean" or "none"'),
        (lambda: DifferentialEvolution(8, "mean", 100), "in which the population shrinks"),
        (lambda: DifferentialEvolution(3), "size"),
        (lambda: EvolutionStrategy(3, 4), "4 parents cannot be chosen among 3 children"),
        (lambda: DifferentialEvolution(8).require(Two()), "has several objectives"),
        (lambda: run(DifferentialEvolution(8), Order(), stop=stop.iterations(1)), "do not depend on each other"),
        (
            lambda: GeneticAlgorithm(SimulatedBinary(), NoPerturbation()).loop.require(Bits()),
            "Uniform",
        ),
    ],
)
def test_what_is_refused(make: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make()


class Order(Problem):
    representation = Permutation(4)

    def cost(self, x: Any) -> int:
        return int(x[0])


class Bits(Problem):
    representation = BitString(4)

    def cost(self, x: Any) -> int:
        return int(x[0])
