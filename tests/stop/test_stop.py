"""Stopping criteria against the same expression looked at after every iteration."""

from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from metaheur import stop
from metaheur.door.resume import resume
from metaheur.door.run import run
from metaheur.door.states import iterate
from metaheur.errors import InputError
from metaheur.evaluators import Evaluator
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel, Multistart
from metaheur.problem import Problem
from metaheur.problems import QAP
from metaheur.random import Key
from metaheur.report.values import content_hash
from metaheur.representation import DiscreteVector, Solution
from metaheur.running.view import Until, View, look_from
from metaheur.search import Search
from metaheur.searches import SimulatedAnnealing, TabuSearch
from metaheur.stop import Stop
from metaheur.walk import EvaluatedSolution, Walk
from metaheur.watch import Checkpoint
from tests.helpers import view_of
from tests.toys import SeveralWalks

NUMPY = IterationLevel("numpy")
LAST = 40  # no run here is longer


MIDDLE = 10**6
"""The number that stands for a cost of 0."""


def cost_of(x: Solution) -> int:
    """Numbers near the middle cost their distance from it, all others, such as those of random starts, nothing."""
    distance = int(x[0]) - MIDDLE
    return distance if abs(distance) < MIDDLE // 10 else 0


@final
@frozen
class Flat(Problem):
    """A number, which costs nothing but where a `Scripted` walk leads."""

    @property
    def representation(self) -> DiscreteVector:
        return DiscreteVector(1, 2**31 - 1)

    def cost(self, x: Solution) -> int:
        return cost_of(x)


@final
@frozen
class FlatMaximum(Problem):
    maximise = True

    @property
    def representation(self) -> DiscreteVector:
        return DiscreteVector(1, 2**31 - 1)

    def cost(self, x: Solution) -> int:
        return cost_of(x)


@final
@frozen
class Scripted(Search[Walk]):
    """Walks through the costs that it is told, then stands still."""

    costs: tuple[int, ...]

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        if state.iteration >= len(self.costs):
            return state.stay(3)
        cost, space = self.costs[state.iteration], state.current.representation
        return state.go_to(EvaluatedSolution(space, np.array([MIDDLE + cost], space.dtype), cost), 3)

    def done(self, state: Walk) -> bool:
        return False


def first_states(search: Search[Walk], problem: Problem, count: int) -> list[Walk]:
    return list(islice(iterate(search, problem, parallel=NUMPY), count))


def view(problem: Problem, costs: tuple[int, ...] = (), seconds: float = 0.0) -> View:
    """The view after so many steps of a scripted walk."""
    search = Scripted(costs)
    return view_of(search, problem, first_states(search, problem, len(costs) + 1)[-1], seconds=seconds)


def one_by_one(search: Search[Any], problem: Problem, criterion: Stop) -> int:
    """The first iteration where the criterion holds, by looking at each."""
    for state in iterate(search, problem, parallel=NUMPY):
        if np.all(criterion.holds(view_of(search, problem, state))):
            break
    return int(state.walk.iteration)


leaves = st.one_of(
    st.builds(stop.iterations, st.integers(1, LAST)),
    st.builds(stop.target, st.integers(-20, 5)),
    st.builds(stop.no_improvement, st.integers(1, 12)),
    st.builds(stop.evaluations, st.integers(1, 3 * LAST)),
)
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a | b, inner, inner),
        st.builds(lambda a, b: a & b, inner, inner),
        st.builds(lambda a: ~a, inner),
    ),
    max_leaves=6,
)
costs = st.lists(st.integers(-20, 20), max_size=LAST).map(tuple)


@given(trees, costs, st.sampled_from([Flat(), FlatMaximum()]))
def test_every_composition_ends_where_looking_at_each_iteration_would(
    tree: Stop, costs: tuple[int, ...], problem: Problem
) -> None:
    criterion = tree | stop.iterations(LAST)
    result = run(Scripted(costs), problem, stop=criterion, parallel=NUMPY)
    assert result.iterations == one_by_one(Scripted(costs), problem, criterion)


@given(trees, costs)
def test_between_two_looks_an_expression_does_not_change(tree: Stop, costs: tuple[int, ...]) -> None:
    views = [view_of(Scripted(costs), Flat(), state) for state in first_states(Scripted(costs), Flat(), LAST)]
    look = views[0]
    for here in views[1:]:
        if tree.until(look, LAST).reached(here.walk):
            look = here
        assert np.all(tree.holds(here)) == np.all(tree.holds(look))


@pytest.mark.parametrize(
    ("criterion", "iterations"),
    [
        (stop.iterations(25), 25),
        (stop.no_improvement(7) & stop.iterations(20), None),
        (stop.iterations(300) | stop.no_improvement(15), None),
        (stop.iterations(40) & stop.no_improvement(3) | stop.no_improvement(60), None),
    ],
)
def test_tabu_search_ends_where_looking_at_each_iteration_would(criterion: Stop, iterations: int | None) -> None:
    search, qap = TabuSearch(Swap()), QAP.random(9, seed=4)
    result = run(search, qap, stop=criterion, parallel=NUMPY)
    assert result.iterations == one_by_one(search, qap, criterion)
    assert iterations in (None, result.iterations)


def test_a_target_is_an_upper_bound_of_what_is_minimised() -> None:
    result = run(Scripted((3, -4, -9)), Flat(), stop=stop.target(-4), parallel=NUMPY)
    assert (result.cost, result.iterations) == (-4, 2)


def test_a_target_is_a_lower_bound_of_what_is_maximised() -> None:
    result = run(Scripted((3, -4, -9)), FlatMaximum(), stop=stop.target(4), parallel=NUMPY)
    assert (result.cost, result.iterations) == (4, 2)


@pytest.mark.parametrize(
    ("problem", "aim", "cost"),
    [
        (Flat(), -3.5, -4),
        (Flat(), np.int64(-3), -3),
        (Flat(), -(10**30), -(2**63)),
        (FlatMaximum(), 3.5, -4),
        (FlatMaximum(), np.float64(3), -3),
    ],
)
def test_a_device_is_given_a_whole_target(problem: Problem, aim: float, cost: int) -> None:
    until = stop.target(aim).until(view(problem), 10)
    assert until == Until(10, cost)
    assert isinstance(until.cost, int)


def test_the_nearest_of_several_leaves_ends_a_chunk() -> None:
    several = stop.iterations(9) | stop.iterations(4) & stop.target(-8) | stop.target(-6) & stop.no_improvement(3)
    assert (several | stop.no_improvement(5)).until(view(Flat()), 100) == Until(4, -6, 3)


def test_what_holds_already_ends_no_chunk_except_by_an_improvement() -> None:
    here = view(Flat(), (-5, 0, 0))
    criterion = stop.iterations(2) | stop.target(-5) | stop.no_improvement(2)
    assert criterion.until(here, 50) == Until(50, None, None, improvement=True)


def test_seconds_hold_from_their_limit_on() -> None:
    assert not stop.seconds(2).holds(view(Flat(), seconds=1.9))
    assert stop.seconds(2).holds(view(Flat(), seconds=2.0))


def test_whole_numbers_are_written_alike() -> None:
    assert repr(stop.seconds(60.0)) == repr(stop.seconds(60)) == "seconds(60)"
    assert content_hash(stop.seconds(60.0), "stop") == content_hash(stop.seconds(60), "stop")
    assert content_hash(stop.seconds(0.5), "stop") != content_hash(stop.seconds(0.25), "stop")
    assert content_hash(stop.target(-7.0), "stop") == content_hash(stop.target(-7), "stop")


def test_the_time_left_is_that_of_the_next_limit() -> None:
    criterion = stop.seconds(1) & stop.seconds(5) | stop.seconds(9) | stop.iterations(3)
    assert criterion.seconds_left(view(Flat(), seconds=2.0)) == 3.0
    assert stop.iterations(3).seconds_left(view(Flat())) == float("inf")


def test_a_criterion_reads_as_it_is_written() -> None:
    a, b, c = stop.iterations(1), stop.seconds(0.5), stop.target(-7)
    assert repr(a | b & c) == "iterations(1) | seconds(0.5) & target(-7)"
    assert repr((a | b) & c) == "(iterations(1) | seconds(0.5)) & target(-7)"
    assert repr(~a | ~(b & stop.no_improvement(2))) == "~iterations(1) | ~(seconds(0.5) & no_improvement(2))"


def test_a_predicate_reads_as_its_name() -> None:
    def rich_enough(view: View) -> bool:
        return view.evaluated > 9

    assert repr(stop.when(rich_enough)) == "when(rich_enough)"


@pytest.mark.parametrize(
    ("criterion", "reason"),
    [
        (stop.iterations(3), "iterations"),
        (stop.seconds(0), "seconds"),
        (stop.target(5) | stop.iterations(1), "target"),
        (stop.target(-5) | stop.no_improvement(2) | stop.iterations(9), "no_improvement"),
        (stop.when(lambda view: view.iterations == 1), "when"),
        (stop.iterations(9) | stop.iterations(2) & stop.target(0), "iterations(2) & target(0)"),
        (~stop.target(-1) | stop.iterations(9), "~target(-1)"),
    ],
)
def test_a_result_says_what_ended_it(criterion: Stop, reason: str) -> None:
    assert run(Scripted(()), Flat(), stop=criterion, parallel=NUMPY).stopped_by == reason


def test_one_criterion_serves_any_number_of_runs() -> None:
    criterion = stop.no_improvement(4) & stop.iterations(6)
    first, second = (run(Scripted((-1, -2, -3)), Flat(), stop=criterion, parallel=NUMPY) for _ in range(2))
    assert first.iterations == second.iterations == 7


def test_a_criterion_of_ones_own_composes() -> None:
    @final
    @frozen
    class Evaluated(Stop):
        moves: int

        def holds(self, view: View) -> bool:
            return view.evaluated >= self.moves

    result = run(Scripted(()), Flat(), stop=Evaluated(10) | stop.iterations(10**6), parallel=NUMPY)
    assert result.evaluated >= 10
    assert result.stopped_by == repr(Evaluated(10))


@final
@frozen
class Longer(Stop):
    """The walks have made so many iterations, as a criterion finds that defines `holds` alone."""

    iterations: int
    every: int | None = None

    def holds(self, view: View) -> np.ndarray:
        longer: np.ndarray = view.walks.iterations >= self.iterations
        return longer


@pytest.mark.parametrize("device", ["numpy", "host"])
@pytest.mark.parametrize("walks", [1, 3])
@pytest.mark.parametrize(
    ("criterion", "ends"),
    [
        (Longer(23), 24),
        (Longer(23, every=1), 23),
        (Longer(23, every=5), 25),
        (Longer(23) | stop.iterations(1000), 24),
        (Longer(23) & ~Longer(33, every=2), 24),
        (stop.when(lambda view: view.iterations >= 23), 24),
        (stop.when(lambda view: view.iterations >= 24, every=1), 24),
        (Longer(23) & stop.no_improvement(30), None),
    ],
    ids=repr,
)
def test_a_criterion_of_ones_own_ends_a_walk_after_the_same_iterations_on_every_device(
    criterion: Stop, ends: int | None, walks: int, device: str
) -> None:
    runs = [
        run(TabuSearch(Swap()), QAP.random(12, 1), stop=criterion, seed=1, parallel=Multistart(walks, device=name))
        for name in ("numpy", device)
    ]
    first, second = (result.walks.iterations.tolist() for result in runs)
    assert first == second
    assert ends is None or first == [ends] * walks


@pytest.mark.parametrize("n", [0, 2.5, -1.0, True])
@pytest.mark.parametrize("name", ["iterations", "no_improvement"])
def test_a_count_is_a_positive_whole_number(name: str, n: Any) -> None:
    with pytest.raises(InputError, match=rf"`stop\.{name}` must be a whole number(.|\n)*Maybe write"):
        getattr(stop, name)(n)


@pytest.mark.parametrize("value", [float("nan"), "5", None])
@pytest.mark.parametrize("name", ["seconds", "target"])
def test_limits_are_finite_numbers(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=rf"`stop\.{name}` must be a finite number"):
        getattr(stop, name)(value)


def test_less_than_no_time_is_refused() -> None:
    with pytest.raises(InputError, match=r"`stop\.seconds` must be a finite number from 0 on, but is -1"):
        stop.seconds(-1)


def test_when_takes_a_function() -> None:
    with pytest.raises(InputError, match=r"stop\.when\(5\) takes a function"):
        stop.when(5)  # type: ignore[arg-type]


def test_and_and_or_are_refused() -> None:
    with pytest.raises(InputError, match=r"Maybe compose with \| and &"):
        stop.iterations(5) or stop.seconds(1)


def test_criteria_compose_with_criteria_only() -> None:
    with pytest.raises(TypeError):
        stop.iterations(5) | 7  # type: ignore[operator]


# Work


def test_evaluations_end_a_walk_after_the_first_iteration_that_reaches_them() -> None:
    result = run(Scripted(()), Flat(), stop=stop.evaluations(10), parallel=NUMPY)  # 3 moves an iteration
    assert (result.iterations, result.evaluated, result.stopped_by) == (4, 12, "evaluations")


@pytest.mark.parametrize("search", [TabuSearch(Swap()), SimulatedAnnealing(Swap(), 50)], ids=["scan", "trial"])
def test_evaluations_are_the_same_budget_on_every_device(search: Search[Any], device: str) -> None:
    qap, n = QAP.random(9, seed=4), 1000
    result = run(search, qap, stop=stop.evaluations(n), parallel=device)
    walks = (state.walk for state in iterate(search, qap, parallel=NUMPY))
    last = next(walk for walk in walks if walk.evaluated >= n)
    assert (result.iterations, result.evaluated, result.cost) == (last.iteration, last.evaluated, last.best.cost)


def test_each_of_many_walks_has_a_budget_of_its_own() -> None:
    result = run(TabuSearch(Swap()), QAP.random(7, seed=1), stop=stop.evaluations(100), parallel=SeveralWalks(3))
    assert result.walks.evaluated.tolist() == [105, 105, 105]


# Diminished returns


def first_poor_window(costs: Sequence[float], percent: float, ends: list[int]) -> int | None:
    """The iteration at which the first window ends that made the best cost hardly better, by the definition."""
    bests = np.minimum.accumulate(costs)
    windows = ((bests[begin], bests[end], end) for begin, end in pairwise([0, *ends]))
    return next((end for before, after, end in windows if 100 * (before - after) <= percent * abs(before)), None)


@given(costs, st.integers(1, 9), st.sampled_from([0, 10, 50.5, 200]))
def test_diminished_returns_end_with_the_first_window_that_is_hardly_better(
    costs: tuple[int, ...], length: int, percent: float
) -> None:
    path = [0, *costs, *([costs[-1] if costs else 0] * 60)]
    criterion = stop.diminished_returns(percent, iterations=length)
    result = run(Scripted(tuple(path[1:])), Flat(), stop=criterion, parallel=NUMPY)
    assert result.iterations == first_poor_window(path, percent, list(range(length, 60, length)))
    assert result.stopped_by == "diminished_returns"


@given(costs, st.integers(1, 30), st.sampled_from([0, 10]))
def test_windows_may_be_counted_in_evaluations(costs: tuple[int, ...], length: int, percent: float) -> None:
    path = [0, *costs, *([costs[-1] if costs else 0] * 60)]
    ends = [k for k in range(1, 100) if 3 * k // length > 3 * (k - 1) // length]  # 3 moves an iteration
    criterion = stop.diminished_returns(percent, evaluations=length)
    result = run(Scripted(tuple(path[1:])), Flat(), stop=criterion, parallel=NUMPY)
    assert result.iterations == first_poor_window(path, percent, ends)


def test_diminished_returns_end_at_the_same_iteration_on_every_device(device: str) -> None:
    search, qap = TabuSearch(Swap()), QAP.random(9, seed=4)
    criterion = stop.diminished_returns(0.5, iterations=40) & stop.iterations(100)
    result = run(search, qap, stop=criterion, parallel=device)
    walks = list(islice((state.walk for state in iterate(search, qap, parallel=NUMPY)), 2000))
    bests = [walk.best.cost for walk in walks]
    poor = [100 * (bests[k - 40] - bests[k]) <= 0.5 * bests[k - 40] for k in range(40, 2000, 40)]
    holds = [k for k in range(100, 2000) if poor[k // 40 - 1]]  # the answer of the last window that ended
    assert result.iterations == holds[0]


def test_each_of_many_walks_has_windows_of_its_own() -> None:
    search, qap, criterion = TabuSearch(Swap()), QAP.random(8, seed=3), stop.diminished_returns(1, evaluations=300)
    together = run(search, qap, stop=criterion, parallel=SeveralWalks(4))
    for walk in range(4):
        walks = [state.walk for state in islice(iterate(search, qap, parallel=SeveralWalks(1, first=walk)), 800)]
        ends = [k for k in range(1, 800) if walks[k].evaluated // 300 > walks[k - 1].evaluated // 300]
        expected = first_poor_window([each.current.cost for each in walks], 1, ends)
        assert together.walks.iterations[walk] == expected


def test_a_resumed_run_remembers_its_windows(tmp_path: Path) -> None:
    search, qap = TabuSearch(Swap()), QAP.random(9, seed=4)
    criterion = stop.diminished_returns(1, iterations=50)
    whole = run(search, qap, stop=criterion, parallel=NUMPY)
    assert whole.iterations > 50
    for cut in (1, 49, 50, 73):
        saved = [Checkpoint(tmp_path / "run.npz")]
        run(search, qap, stop=criterion | stop.iterations(cut), parallel=NUMPY, watch=saved)
        again = resume(tmp_path / "run.npz", search, qap, stop=criterion, parallel=NUMPY)
        assert (again.iterations, again.cost) == (whole.iterations, whole.cost)


def test_a_run_resumed_under_a_new_criterion_waits_for_a_whole_window(tmp_path: Path) -> None:
    run(Scripted(()), Flat(), stop=stop.iterations(13), parallel=NUMPY, watch=[Checkpoint(tmp_path / "run.npz")])
    criterion = stop.diminished_returns(5, iterations=10)
    assert resume(tmp_path / "run.npz", Scripted(()), Flat(), stop=criterion, parallel=NUMPY).iterations == 30


def test_diminished_returns_take_one_kind_of_window() -> None:
    for given_both in ({}, {"iterations": 5, "evaluations": 5}):
        with pytest.raises(InputError, match="takes either iterations or evaluations"):
            stop.diminished_returns(1, **given_both)
    with pytest.raises(InputError, match=r"`stop\.diminished_returns` must be a finite number from 0 on"):
        stop.diminished_returns(-1, iterations=5)
    with pytest.raises(InputError, match=r"`stop\.diminished_returns, evaluations` must be a whole number"):
        stop.diminished_returns(1, evaluations=0)


@pytest.mark.parametrize("make", [stop.iterations, stop.evaluations, stop.no_improvement])
def test_a_count_may_be_written_as_a_float_that_is_whole(make: Any) -> None:
    assert make(1e3) == make(np.float64(1000)) == make(1000)
    assert repr(make(1e3)).endswith("(1000)")
    for wrong in (0.5, 0.0, float("inf"), float("nan"), 1e30):
        with pytest.raises(InputError, match="must be a whole number"):
            make(wrong)


def test_a_walk_that_reaches_the_target_ends_the_run(device: str) -> None:
    problem = QAP.random(9, 5)
    model = Multistart(7, device=device)
    alone = run(TabuSearch(Swap()), problem, stop=stop.iterations(60), seed=5, parallel=Multistart(7, device="numpy"))
    aim = alone.cost
    found = run(TabuSearch(Swap()), problem, stop=stop.target(aim), seed=5, parallel=model)
    assert found.walks is not None
    assert (found.cost, found.stopped_by) == (aim, "target")
    first = int(found.walks.iterations[found.walks.costs <= aim].min())
    assert found.walks.iterations.max() <= look_from(first)
    assert (found.walks.iterations[found.walks.costs > aim] == look_from(first)).all()
    again = run(TabuSearch(Swap()), problem, stop=stop.target(aim), seed=5, parallel=Multistart(7, device="numpy"))
    assert again.walks is not None
    assert found.walks.iterations.tolist() == again.walks.iterations.tolist()


def test_each_walk_may_be_waited_for() -> None:
    problem = QAP.random(7, 5)
    best = run(TabuSearch(Swap()), problem, stop=stop.iterations(200), seed=5, parallel=NUMPY).cost
    found = run(TabuSearch(Swap()), problem, stop=stop.all_reach(best), seed=5, parallel=Multistart(4, device="numpy"))
    assert found.walks is not None
    assert (found.walks.costs <= best).all()
    assert (found.walks.improved_at == found.walks.iterations).all()


@pytest.mark.parametrize(("iteration", "look"), [(1, 1), (7, 7), (9, 10), (10, 10), (17, 20), (33, 40), (41, 48)])
def test_walks_are_compared_with_a_target_at_fixed_iterations(iteration: int, look: int) -> None:
    assert look_from(iteration) == look
