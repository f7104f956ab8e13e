"""Hard constraints: walks begin feasible and stay so, on every device; what may break the constraints is refused."""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    BitString,
    CandidateDescent,
    Composite,
    GeneticAlgorithm,
    HillClimbing,
    IteratedLocalSearch,
    Permutation,
    Problem,
    Search,
    SimulatedAnnealing,
    Source,
    TabuSearch,
    compiled,
    data,
    run,
    solve,
    stop,
)
from metaheur.device.device import Device
from metaheur.errors import CheckFailed, InputError
from metaheur.neighborhoods import FlipMove, Hamming, Insertion, InsertionMove, Sampled, Swap, SwapMove, TwoOpt, Union
from metaheur.parallel import Islands, Multistart
from metaheur.parts import (
    ConstructedSolution,
    OrderCrossover,
    RandomMoves,
    RandomSolution,
    Shaking,
    SolutionMemory,
)
from metaheur.problems import MultiModeRCPSP, MultiObjective, Scalarised
from metaheur.random import Key
from metaheur.reals import Real
from metaheur.searches.judged import require_feasible_moves
from metaheur.searches.repair import feasible_start
from metaheur.testing import check_problem, check_search
from tests.problems.sequential import Sequential, sequential


@pytest.mark.parametrize("neighborhood", [Insertion(), Union(Swap(), Insertion())], ids=repr)
def test_exactly_the_moves_without_violations_are_feasible(neighborhood: Any, compiling: Device) -> None:
    report = check_problem(sequential(7), neighborhood, devices=[compiling.name])
    assert "feasible, violations" in str(report)


SEARCHES: dict[str, Search[Any]] = {
    "tabu search": TabuSearch(Union(Swap(), Insertion()), memory=SolutionMemory()),
    "annealing": SimulatedAnnealing(Insertion(), 50.0),
    "iterated descents": IteratedLocalSearch(HillClimbing(Insertion()), RandomMoves(Swap(), 3)),
    "a sample": TabuSearch(Sampled(Insertion(), 10)),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_walk_the_same_way(name: str, compiling: Device) -> None:
    check_search(SEARCHES[name], sequential(7), devices=[compiling.name])


@pytest.mark.parametrize("name", ["annealing", "iterated descents", "a sample"])
def test_walks_stay_feasible(name: str, compiling: Device) -> None:
    problem = sequential(12, share=0.3)
    seen: list[int] = []

    def found(device: str) -> Any:
        model = Islands(Multistart(walks=4, device=device), every=20)
        result = run(SEARCHES[name], problem, stop=stop.iterations(60), seed=2, parallel=model)
        seen.append(problem.violations(result.solution))
        return result.walks.costs.tolist(), result.solution.tolist()

    assert found(compiling.name) == found("numpy")
    assert seen == [0, 0]


def test_solve_begins_feasible_and_ends_at_the_best() -> None:
    problem = sequential(6, share=0.4)
    orders = np.array(np.meshgrid(*[range(6)] * 6)).reshape(6, -1).T
    everyone = [x for x in orders if len(set(x)) == 6 and not problem.violations(x)]
    assert 1 < len(everyone) < 720
    assert solve(problem, work=20_000, seed=1).cost == min(problem.cost(x) for x in everyone)


@final
@frozen(eq=False)
class Chosen(Problem):
    """Bits of which at most so many are 1; judged in Python and in C++, and constructed."""

    values: np.ndarray = data("int32", ndim=1)
    most: int = data("int32")
    maximise = True

    source: ClassVar[Source] = Source("""struct Chosen : ChosenData {
    MH_FN Total cost(Team team, const Item* x) const {
        return -team.sum(n, [&](int k) { return Total(values(k)) * x[k]; });
    }
    MH_FN bool feasible(Team team, const Item* x, FlipMove<1> m) const {
        return x[m.at[0]] || team.sum(n, [&](int k) { return i64(x[k]); }) < most;
    }
};""")

    @property
    def representation(self) -> BitString:
        return BitString(len(self.values))

    def cost(self, x: Any) -> int:
        return -int(self.values[x == 1].sum())

    def feasible(self, x: Any, move: Any) -> Any:
        if not isinstance(move, FlipMove) or len(move.at) > 1:
            return NotImplemented
        return bool(x[move.at[0]]) or int(x.sum()) < self.most

    def construct(self, random: Any) -> Any:
        return np.zeros(len(self.values), np.uint8)


def test_without_violations_feasible_itself_is_believed(compiling: Device) -> None:
    problem = Chosen(np.arange(1, 9), 3)
    report = check_problem(problem, Hamming(1), devices=[compiling.name])
    assert "nothing proves that `feasible` forbids the right moves" in str(report)
    for device in ("numpy", compiling.name):
        result = run(TabuSearch(Hamming(1)), problem, stop=stop.iterations(30), seed=1, parallel=device)
        assert result.cost == 8 + 7 + 6
    with pytest.raises(InputError, match="does not judge moves such as FlipMove"):
        run(HillClimbing(Hamming(2)), problem, stop=stop.iterations(3), parallel="numpy")


@final
@frozen(eq=False)
class Strict(Problem):
    """The first item stays ahead of the last one; `wrong` says what is wrong with `feasible`."""

    wrong: int = data("int32")

    @property
    def representation(self) -> Permutation:
        return Permutation(5)

    @compiled
    def cost(self, x: Any) -> Any:
        return x[0]

    def violations(self, x: Any) -> int:
        if self.wrong == 9:
            return 1
        return int(x.tolist().index(0) > x.tolist().index(4))

    def feasible(self, x: Any, move: Any) -> Any:
        if self.wrong == 3:
            return None
        right = not self.violations(move.apply(x))
        return right or move.i == 0 if self.wrong == 1 else right and move.i > 0 if self.wrong == 2 else right


@pytest.mark.parametrize(
    ("wrong", "wording"),
    [(1, "but the move is infeasible"), (2, "`feasible` forbids the move, but it leads to a solution without")],
)
def test_a_wrong_judgement_is_found(wrong: int, wording: str) -> None:
    check_problem(Strict(0), Swap(), devices=[])
    with pytest.raises(CheckFailed, match=wording):
        check_problem(Strict(wrong), Swap(), devices=[])


@final
@frozen(eq=False)
class Homeless(Problem):
    representation: Permutation = Permutation(4)

    def cost(self, x: Any) -> int:
        return int(x[0])

    def feasible(self, x: Any, move: Any) -> bool:
        return True


@pytest.mark.parametrize(
    ("made", "wording"),
    [
        (lambda: run(HillClimbing(Swap()), Homeless(), stop=stop.iterations(1)), "does not say where a walk may begin"),
        (lambda: run(HillClimbing(Swap()), Strict(9), stop=stop.iterations(1)), "No feasible start of this Strict was"),
        (lambda: run(HillClimbing(Swap()), Strict(3), stop=stop.iterations(1), parallel="numpy"), "True or False"),
        (
            lambda: run(HillClimbing(Swap()), Strict(0), stop=stop.iterations(1), start=[4, 1, 2, 3, 0]),
            "solution 0, is .* not feasible: violations are 1",
        ),
        (lambda: MultiObjective([Strict(0), Strict(0)]), "hard constraints"),
        (
            lambda: MultiObjective([MultiModeRCPSP.random(3, seed=k) for k in (1, 2)]),
            "a cost of levels, overuse, makespan",
        ),
    ],
)
def test_what_cannot_be_kept_is_refused_in_words(made: Any, wording: str) -> None:
    with pytest.raises(InputError, match=wording):
        made()


REFUSED: tuple[Search[Any], ...] = (
    IteratedLocalSearch(HillClimbing(Insertion()), RandomSolution()),
    GeneticAlgorithm(OrderCrossover(), RandomMoves(Swap(), 1), size=4),
    CandidateDescent(TwoOpt(), np.array([[1], [0], [0], [0], [0]])),
)


@pytest.mark.parametrize("search", REFUSED, ids=lambda search: type(search).__name__)
def test_searches_that_jump_are_refused(search: Search[Any]) -> None:
    with pytest.raises(InputError, match="hard constraints"):
        require_feasible_moves(search, Strict(0))


def test_perturbations_by_moves_are_not() -> None:
    for each in (ConstructedSolution(), RandomMoves(Hamming(1), 2), Shaking((Hamming(1),))):
        require_feasible_moves(IteratedLocalSearch(HillClimbing(Hamming(1)), each), Chosen(np.arange(3), 1))


@final
@frozen(eq=False)
class Early(Problem):
    """Item 0 is among the first three; swaps are judged, and no other moves."""

    values: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.values))

    @compiled
    def cost(self, x: Any) -> Any:
        return sum(k * self.values[x[k]] for k in range(self.n))

    @compiled
    def violations(self, x: Any) -> Any:
        return sum(int(x[k] == 0) for k in range(3, self.n))

    @compiled
    def feasible(self, x: Any, m: SwapMove) -> Any:
        return m.j < 3 or x[m.i] != 0


def test_searches_make_moves_that_the_problem_judges(compiling: Device) -> None:
    problem = Early(np.arange(1, 7))
    assert solve(problem, work=5000, seed=1).cost == problem.cost([5, 4, 0, 3, 2, 1])
    for device in ("numpy", compiling.name):
        with pytest.raises(InputError, match="does not judge moves such as InsertionMove"):
            run(TabuSearch(Union(Swap(), Insertion())), problem, stop=stop.iterations(3), parallel=device)
    with pytest.raises(InputError, match="does not judge moves such as PartMove"):
        solve(Apart(np.arange(1, 7)), work=100)


def test_a_start_of_real_numbers_stays_feasible() -> None:
    problem = Above()
    found = solve(problem, work=2000, seed=1)
    assert not problem.violations(Real(2, -1.0, 1.0).view(found.solution))
    assert found.cost < 0.2


class Above(Problem):
    """Two numbers whose sum is at least 0; searches that move through the air are left out."""

    cost_type = "float64"
    representation = Real(2, -1.0, 1.0)

    def cost(self, x: Any) -> float:
        return float(x.value(0) ** 2 + abs(x.value(1) - 0.5))

    def violations(self, x: Any) -> int:
        return int(x.value(0) + x.value(1) < 0)

    def feasible(self, x: Any, move: Any) -> bool:
        return not self.violations(Real(2, -1.0, 1.0).view(move.apply(x)))


@final
@frozen(eq=False)
class Apart(Problem):
    """An order and bits, whose problem judges swaps of an order that has no other part."""

    values: np.ndarray = data("int32", ndim=1)
    feasible = Early.feasible

    @property
    def representation(self) -> Composite:
        return Composite(order=Permutation(6), bits=BitString(6))

    def cost(self, x: Any) -> int:
        return int(self.values[x.order[0]])

    def construct(self, random: Any) -> Any:
        return np.append(np.arange(6), np.zeros(6)).astype(np.int32)


def test_repaired_starts_are_the_same_by_both_halves() -> None:
    problem = sequential(9, share=0.5)
    starts = [feasible_start(problem, Key(3, walk)) for walk in range(3)]
    assert not any(problem.violations(x) for x in starts)
    assert len({x.tobytes() for x in starts}) == 3
    python = Uncompiled(problem)
    assert all((feasible_start(python, Key(3, walk)) == x).all() for walk, x in enumerate(starts))


@final
@frozen(eq=False)
class Uncompiled(Problem):
    problem: Sequential

    @property
    def representation(self) -> Permutation:
        return self.problem.representation

    def cost(self, x: Any) -> Any:
        return self.problem.cost(x)

    def violations(self, x: Any) -> Any:
        return self.problem.violations(x)

    def feasible(self, x: Any, move: InsertionMove) -> bool:
        return bool(self.problem.feasible(x, move))


def test_weighted_sums_refuse_them_too() -> None:
    with pytest.raises(InputError, match="several objectives"):
        Scalarised(Strict(0), [1])
