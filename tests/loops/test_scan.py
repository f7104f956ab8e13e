"""The scan follows a slow, obvious tabu search, and hill climbing ends where nothing improves."""

from collections import Counter
from typing import Any

import attrs
import numpy as np
import pytest
from attrs import define, field

from metaheur import IteratedLocalSearch, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops.scan import Scan
from metaheur.neighborhoods import AdjacentSwap, Hamming, Swap
from metaheur.parts import Always, LeastImproving, Limit, LongTerm, PlacementMemory, RandomMoves, Tenure
from metaheur.problems import QAP, TSP
from metaheur.random import Key, philox4x32
from metaheur.representation import Permutation
from metaheur.searches import DiversificationDrivenTabuSearch, HillClimbing, TabuSearch
from metaheur.testing import check_search
from metaheur.walk import EvaluatedSolution, Walk
from tests.compositions import LOOPS
from tests.helpers import evaluated, solution_of, started
from tests.trajectories import digest

KEY = Key(7, 3)


@define
class SlowTabuSearch:
    """Robust tabu search as Taillard's paper has it, with lists and loops; `seen` counts what happened."""

    a: list[list[int]]
    b: list[list[int]]
    x: list[int]
    low: tuple[int, int]
    high: tuple[int, int]
    long_term: int | None = None
    iteration: int = 0
    improved_at: int = 0
    best: int = field(init=False)
    returns: list[list[int]] = field(init=False)
    seen: Counter[str] = field(factory=Counter)

    def __attrs_post_init__(self) -> None:
        self.best = self.cost(self.x)
        self.returns = [[0] * len(self.x) for _ in self.x]  # the last iteration in which an item must not return

    def cost(self, x: list[int]) -> int:
        n = len(x)
        return sum(self.a[i][j] * self.b[x[i]][x[j]] for i in range(n) for j in range(n))

    def swapped(self, i: int, j: int) -> list[int]:
        x = self.x.copy()
        x[i], x[j] = x[j], x[i]
        return x

    def tenure(self, draw: int) -> int:
        low, high = len(self.x) * self.low[0] // self.low[1], -(-len(self.x) * self.high[0] // self.high[1])
        counter = (draw, 1, self.iteration % 2**32, self.iteration // 2**32)
        word = philox4x32(counter, (KEY.seed, KEY.walk))[0]
        return low + (word * (high - low + 1)) // 2**32

    def step(self) -> None:
        self.iteration += 1
        n = len(self.x)
        aspired, better, free = [], [], []
        for i in range(n):
            for j in range(i + 1, n):
                cost = self.cost(self.swapped(i, j))
                until = [self.returns[i][self.x[j]], self.returns[j][self.x[i]]]
                tabu = all(end >= self.iteration for end in until)
                due = self.long_term is not None and any(end < self.iteration - self.long_term for end in until)
                if cost < self.best or due:
                    aspired.append((cost, i, j))
                    self.seen["due"] += due
                    self.seen["tabu, yet better than the best"] += tabu and cost < self.best
                if cost < self.best:
                    better.append((cost, i, j))
                if not tabu:
                    free.append((cost, i, j))
                self.seen["tabu"] += tabu
        if not aspired and not free:
            self.seen["all tabu"] += 1
            return
        cost, i, j = min(aspired or free)
        self.seen["made for its long absence"] += (cost, i, j) != min(better or free or [(cost, 0, 0)])
        self.seen["uphill"] += cost > self.cost(self.x)
        self.returns[i][self.x[i]] = self.iteration + self.tenure(0)
        self.returns[j][self.x[j]] = self.iteration + self.tenure(1)
        self.x = self.swapped(i, j)
        if cost < self.best:
            self.best, self.improved_at = cost, self.iteration


def instance(kind: str, n: int) -> QAP:
    a, b = np.random.default_rng(n).integers(0, 10, (2, n, n))
    if kind == "symmetric":
        return QAP(a + a.T, b + b.T)
    if kind == "asymmetric":
        return QAP(a - 4, b - 4)
    return QAP(a // 9, b // 9)  # nearly empty: many ties


def follow(problem: QAP, search: TabuSearch, iterations: int) -> Counter[str]:
    """Make both searches step by step, compare after each, and return what was seen."""
    state: Any = started(search, problem, key=KEY)
    assert isinstance(search.tenure, Tenure)
    low, high = search.tenure.low, search.tenure.high
    rule = search.loop.aspiration.fitted(problem.representation)
    slow = SlowTabuSearch(
        problem.a.tolist(),
        problem.b.tolist(),
        state.walk.current.solution.tolist(),
        (low.numerator, low.denominator),
        (high.numerator, high.denominator),
        rule.iterations if isinstance(rule, LongTerm) else None,
    )
    evaluate = NumpyEvaluator(problem, Swap())
    for iteration in range(1, iterations + 1):
        state = search.step(state, evaluate)
        slow.step()
        walk = state.walk
        assert walk.current.solution.tolist() == slow.x
        assert walk.current.cost == slow.cost(slow.x)
        assert (walk.iteration, walk.best.cost, walk.improved_at) == (iteration, slow.best, slow.improved_at)
        assert walk.best.cost == slow.cost(walk.best.solution.tolist())
        assert walk.evaluated == iteration * evaluate.size
        assert not search.done(state)
    assert state.kept["memory"]["expiries"].tolist() == slow.returns
    return slow.seen


@pytest.mark.parametrize("kind", ["symmetric", "asymmetric", "ties"])
@pytest.mark.parametrize("n", [2, 3, 7])
def test_tabu_search_makes_the_moves_of_the_paper(kind: str, n: int) -> None:
    seen = follow(instance(kind, n), TabuSearch(Swap()), 300)
    assert seen["tabu"]


def test_tabu_moves_are_made_when_they_beat_the_best_cost() -> None:
    seen = Counter[str]()
    for n in (6, 7, 8):
        seen += follow(instance("asymmetric", n), TabuSearch(Swap(), (2.0, 3.5)), 150)
    assert seen["tabu, yet better than the best"]


@pytest.mark.parametrize("kind", ["symmetric", "asymmetric"])
def test_an_iteration_in_which_every_move_is_tabu_counts_and_moves_nothing(kind: str) -> None:
    seen = follow(instance(kind, 5), TabuSearch(Swap(), (7, 8)), 300)
    assert seen["all tabu"] > 10


@pytest.mark.parametrize("tenure", [(0, 0), (0, 0.1), (0.3, 0.3), (0, 3)])
def test_any_tenure_is_kept(tenure: tuple[float, float]) -> None:
    seen = follow(instance("symmetric", 6), TabuSearch(Swap(), tenure), 200)
    assert seen["uphill"]


@pytest.mark.parametrize(
    ("tenure", "long_term"), [((0.9, 1.1), 1), ((0.9, 1.1), 25), ((0.9, 1.1), 120), ((0, 0.5), 60), ((4, 6), 1)]
)
@pytest.mark.parametrize("kind", ["symmetric", "asymmetric", "ties"])
def test_moves_that_are_long_due_come_before_all_others(kind: str, tenure: tuple[float, float], long_term: int) -> None:
    seen = follow(instance(kind, 6), TabuSearch(Swap(), tenure, long_term=long_term), 200)
    assert seen["due"]
    assert seen["made for its long absence"]


@pytest.mark.parametrize("kind", ["symmetric", "asymmetric", "ties"])
def test_by_default_swaps_that_were_absent_for_five_times_n_squared_iterations_come_first(kind: str) -> None:
    assert not follow(instance(kind, 8), TabuSearch(Swap()), 320)["due"]
    assert follow(instance(kind, 8), TabuSearch(Swap()), 720)["made for its long absence"] > 20


@pytest.mark.parametrize("kind", ["symmetric", "asymmetric", "ties"])
def test_without_the_long_term_rule_no_move_comes_first_for_its_absence(kind: str) -> None:
    assert not follow(instance(kind, 8), TabuSearch(Swap(), long_term=None), 720)["due"]


def test_random_numbers_go_on_beyond_32_bits_of_iterations() -> None:
    problem = instance("symmetric", 6)
    search = TabuSearch(Swap())
    state = started(search, problem, key=KEY)
    start = state.walk.current
    slow = SlowTabuSearch(problem.a.tolist(), problem.b.tolist(), start.solution.tolist(), (9, 10), (11, 10))
    slow.iteration = slow.improved_at = 2**32 - 20
    slow.long_term = 5 * 6**2
    state = attrs.evolve(state, walk=Walk(KEY, start, start, 2**32 - 20, 0, 2**32 - 20))
    for _ in range(50):
        state = search.step(state, NumpyEvaluator(problem, Swap()))
        slow.step()
        assert state.walk.current.solution.tolist() == slow.x
    assert state.kept["memory"]["expiries"].tolist() == slow.returns


def test_another_walk_of_the_same_seed_goes_another_way() -> None:
    problem = instance("symmetric", 7)
    ends = set()
    for walk in range(3):
        state = started(TabuSearch(Swap()), problem, key=Key(7, walk))
        for _ in range(40):
            state = TabuSearch(Swap()).step(state, NumpyEvaluator(problem, Swap()))
        ends.add(tuple(state.walk.current.solution.tolist()))
    assert len(ends) == 3


@pytest.mark.parametrize("kind", ["symmetric", "asymmetric", "ties"])
@pytest.mark.parametrize("n", [2, 3, 9])
def test_hill_climbing_makes_the_best_improvement_until_there_is_none(kind: str, n: int) -> None:
    problem = instance(kind, n)
    evaluate, search = NumpyEvaluator(problem, Swap()), HillClimbing(Swap())
    state = started(search, problem, key=KEY)
    while not search.done(state):
        before = state.walk
        state = search.step(state, evaluate)
        costs = [problem.cost(move.apply(before.current.solution)) for move in Swap().moves(problem.representation)]
        if min(costs) < before.current.cost:
            move = Swap().move(problem.representation, costs.index(min(costs)))
            assert state.walk.current.solution.tolist() == move.apply(before.current.solution).tolist()
            assert state.walk.best is state.walk.current
        else:
            assert search.done(state)
            assert state.walk.current is before.current
        assert state.walk.iteration == before.iteration + 1
        assert state.walk.evaluated == before.evaluated + len(costs)


@pytest.mark.parametrize("n", [8, 12])
def test_hill_climbing_ends_in_a_local_optimum_of_the_whole_neighborhood(n: int) -> None:
    problem = instance("asymmetric", n)
    search = HillClimbing(Swap())
    state = started(search, problem, key=KEY)
    while not search.done(state):
        state = search.step(state, NumpyEvaluator(problem, Swap()))
    x = state.walk.current.solution
    assert state.walk.current.cost == problem.cost(x)
    assert all(problem.cost(move.apply(x)) >= problem.cost(x) for move in Swap().moves(problem.representation))
    assert state.walk.iteration > 2


@pytest.mark.parametrize("search", [HillClimbing(Swap()), TabuSearch(Swap()), TabuSearch(Swap(), long_term=5)])
def test_where_there_is_no_move_the_scan_is_done(search: HillClimbing | TabuSearch) -> None:
    problem = QAP.random(1, 1)
    state = search.step(started(search, problem, key=KEY), NumpyEvaluator(problem, Swap()))
    assert search.done(state)
    assert state.walk.iteration == 1
    assert state.walk.evaluated == 0


def test_a_plain_scan_always_makes_the_best_move_and_the_first_of_equals() -> None:
    problem = instance("ties", 6)
    scan = Scan(Swap())
    state = started(scan, problem, key=KEY)
    for _ in range(20):
        before = state.walk.current.solution
        state = scan.step(state, NumpyEvaluator(problem, Swap()))
        moved = [move.apply(before).tolist() for move in Swap().moves(problem.representation)]
        costs = [problem.cost(np.array(x)) for x in moved]
        assert state.walk.current.solution.tolist() == moved[costs.index(min(costs))]
        assert not scan.done(state)


def test_a_step_leaves_the_solutions_of_the_state_before_as_they_were() -> None:
    problem = instance("symmetric", 6)
    state = started(TabuSearch(Swap()), problem, key=KEY)
    for _ in range(20):
        current, best = state.walk.current.solution.tolist(), state.walk.best.solution.tolist()
        after = TabuSearch(Swap()).step(state, NumpyEvaluator(problem, Swap()))
        assert state.walk.current.solution.tolist() == current
        assert state.walk.best.solution.tolist() == best
        assert state.walk.iteration == after.walk.iteration - 1
        state = after


def test_a_memory_that_does_not_fit_into_the_machine_is_refused_in_words() -> None:
    tsp = TSP.random(2000, 1)
    start = evaluated(tsp, solution_of(tsp))
    large: Any = EvaluatedSolution(Permutation(2_000_000), start.solution, start.cost)
    with pytest.raises(InputError, match=r"The array `expiries` of a part, \(2000000, 2000000\), takes .* GiB"):
        TabuSearch(Swap()).init(large, KEY)


def test_the_least_tabu_move_is_made_where_all_are_tabu() -> None:
    problem = instance("symmetric", 5)
    search = TabuSearch(Swap(), (7, 8), least_tabu=True)
    state, evaluate = started(search, problem, key=KEY), NumpyEvaluator(problem, Swap())
    moves, forced = list(Swap().moves(problem.representation)), 0
    for iteration in range(1, 200):
        x, kept = state.walk.current.solution, state.kept["memory"]
        expiries = [int(search.loop.memory.expiry(kept, x, move)) for move in moves]
        costs = [problem.cost(move.apply(x)) for move in moves]
        best = state.walk.best.cost
        state = search.step(state, evaluate)
        if min(expiries) >= iteration and min(costs) >= best:
            forced += 1
            chosen = moves[expiries.index(min(expiries))]
            assert state.walk.current.solution.tolist() == chosen.apply(x).tolist()
    assert forced > 10


def test_ties_are_broken_at_random_and_no_move_is_preferred() -> None:
    problem, scan = QAP(np.zeros((6, 6), int), np.zeros((6, 6), int)), Scan(Swap(), random_ties=True)
    state, evaluate = started(scan, problem, key=KEY), NumpyEvaluator(problem, Swap())
    chosen = Counter[tuple[int, ...]]()
    for _ in range(1500):
        before = state.walk.current.solution
        state = scan.step(state, evaluate)
        chosen[tuple(np.flatnonzero(before != state.walk.current.solution).tolist())] += 1
    assert len(chosen) == 15
    assert max(chosen.values()) < 150
    assert min(chosen.values()) > 60


def test_random_ties_are_among_the_moves_of_lowest_cost() -> None:
    problem, scan = instance("ties", 7), Scan(Swap(), random_ties=True)
    state, evaluate = started(scan, problem, key=KEY), NumpyEvaluator(problem, Swap())
    for _ in range(50):
        x = state.walk.current.solution
        lowest = min(problem.cost(move.apply(x)) for move in Swap().moves(problem.representation))
        state = scan.step(state, evaluate)
        assert state.walk.current.cost == lowest


OPTIONS = {
    "least tabu": Scan(Swap(), PlacementMemory(Tenure(3, 4)), least_tabu=True),
    "random ties": Scan(Swap(), PlacementMemory(Tenure(0.1, 0.2, low_plus=1, high_plus=3)), random_ties=True),
    "long-term by the length": Scan(Swap(), PlacementMemory(Tenure(0, 1)), LongTerm(3, squares=1)),
    "both, long-term": Scan(Swap(), PlacementMemory(Tenure(3, 4)), LongTerm(30), least_tabu=True, random_ties=True),
    "least improving": Scan(Swap(), selection=LeastImproving(), random_ties=True),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_both_halves_choose_the_same(option: str, compiling: Device) -> None:
    check_search(OPTIONS[option], instance("ties", 7), iterations=80, devices=[compiling.name])


def absent(rule: str) -> list[TabuSearch]:
    """Searches whose moves are absent for long after a few dozen iterations."""
    return {
        "flips": [TabuSearch(Hamming(1), (0, 0.5), long_term=20), TabuSearch(Hamming(2), (0, 0.3), long_term=60)],
        "swaps": [TabuSearch(Swap(), (0, 1), long_term=150), TabuSearch(Swap(), long_term=150, random_ties=True)],
        "neighbors": [TabuSearch(AdjacentSwap(), (0, 1), long_term=25)],
    }[rule]


@pytest.mark.parametrize("rule", [pytest.param("flips", marks=pytest.mark.thorough), "swaps", "neighbors"])
def test_both_halves_know_when_moves_were_absent_for_long(rule: str, compiling: Device) -> None:
    problem = LOOPS["tabu, placements, reactive"][0] if rule == "flips" else instance("ties", 8)
    for search in absent(rule):
        check_search(search, problem, iterations=250, devices=[compiling.name])


def test_moves_that_no_memory_takes_note_of_bring_long_absences_back(compiling: Device) -> None:
    problem, _ = LOOPS["tabu, placements, reactive"]
    scan = Scan(Hamming(1), PlacementMemory(Tenure(0, 0.3)), LongTerm(20))
    phases = attrs.evolve(DiversificationDrivenTabuSearch().loop, scan=scan)
    check_search(phases, problem, iterations=250, devices=[compiling.name])


@pytest.mark.parametrize("remembers", [False, True])
def test_absence_is_counted_from_where_a_search_around_this_one_led(remembers: bool, compiling: Device) -> None:
    problem = instance("ties", 8)
    tabu = TabuSearch(Swap(), (0, 1), long_term=40)
    short, long = (
        IteratedLocalSearch(tabu, RandomMoves(Swap(), 2), Always(), limit=Limit(phase), remembers=remembers)
        for phase in (41, 90)
    )
    check_search(long, problem, iterations=250, devices=[compiling.name])
    without = attrs.evolve(short, search=TabuSearch(Swap(), (0, 1), long_term=None))
    assert digest(run(short, problem, stop=stop.iterations(400), seed=1, parallel="numpy")) == digest(
        run(without, problem, stop=stop.iterations(400), seed=1, parallel="numpy")
    )


def test_too_many_moves_for_random_ties_are_refused() -> None:
    with pytest.raises(InputError, match=r"has 549756338176 moves: too many for random ties"):
        Scan(Swap(), random_ties=True).cache(Permutation(1_048_577))
