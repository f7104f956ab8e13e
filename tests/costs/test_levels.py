"""Levels of a cost: packed numbers are ordered as tuples, searches walk by them, and people read tuples."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from metaheur import (
    DiscreteVector,
    HillClimbing,
    Permutation,
    Problem,
    TabuSearch,
    compiled,
    data,
    resume,
    run,
    solve,
    stop,
)
from metaheur.costs.levels import MOST_PACKED, Levels
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.errors import CompileError, InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.evaluators.costs import python_cost
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import Hamming, Substitution, Swap
from metaheur.parallel import Multistart
from metaheur.problem import levels_of, minimised, reaches
from metaheur.testing import check_problem, check_search
from metaheur.watch import Checkpoint, Statistics, Trace
from tests.costs.timetable import InCpp, Timetable, WithDelta, timetable
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.helpers import evaluated

KINDS = (Timetable, WithDelta, InCpp)

pairs = st.lists(st.tuples(st.integers(-40, 0), st.integers(0, 40)), min_size=2, max_size=4)


@given(pairs, st.data())
def test_packed_numbers_are_ordered_as_tuples_and_lead_back(bounds: Any, draw: Any) -> None:
    levels = Levels(tuple("abcd"[: len(bounds)]), tuple(bounds))
    one, other = (tuple(draw.draw(st.integers(*pair)) for pair in bounds) for _ in range(2))
    a, b = levels.packed(one), levels.packed(other)
    assert (a < b, a == b) == (one < other, one == other)
    assert levels.unpacked(a) == one
    change = tuple(x - y for x, y in zip(one, other, strict=True))
    assert levels.packed(change) == a - b
    assert levels.unpacked(a - b) == change
    assert abs(a) <= levels.largest


def test_the_order_of_a_whole_space_is_that_of_its_tuples() -> None:
    levels = Levels(("hard", "medium", "soft"), ((0, 3), (-2, 1), (-3, 0)))
    every = list(itertools.product(range(4), range(-2, 2), range(-3, 1)))
    packed = levels.packed(np.array(every))
    assert sorted(every) == [every[k] for k in np.argsort(packed)]
    assert levels.unpacked(packed).tolist() == [list(each) for each in every]
    assert not levels.wrong(packed).any()
    assert levels.wrong(np.array([levels.packed((0, 2, 0)), levels.packed((0, 0, 1))])).all()


@pytest.mark.parametrize("kind", KINDS)
def test_every_move_of_a_small_space_changes_the_cost_by_the_packed_difference(kind: Any) -> None:
    problem, levels = timetable(kind, n=4), levels_of(timetable(kind, n=4))
    assert levels is not None
    moves = NumpyEvaluator(problem).of(Substitution())
    for x in itertools.product(range(3), repeat=4):
        solution = evaluated(problem, np.array(x, problem.representation.dtype))
        deltas = moves.deltas(solution)
        for k, delta in enumerate(deltas.tolist()):
            after = Substitution().move(problem.representation, k).apply(solution.solution)
            want = np.subtract(problem.cost(after), problem.cost(solution.solution)).tolist()
            assert list(levels.unpacked(delta)) == want
            assert moves.delta(solution, k) == delta


@pytest.mark.parametrize("kind", KINDS)
def test_every_form_is_the_same_on_all_devices(kind: Any, compiling: Device) -> None:
    problem = timetable(kind)
    check_problem(problem, Substitution(), devices=[compiling.name])
    check_search(TabuSearch(Substitution()), problem, devices=[compiling.name])


def test_the_first_of_all_tuples_is_found(device: str) -> None:
    problem = timetable()
    best = min(problem.cost(np.array(x)) for x in itertools.product(range(3), repeat=6))
    result = run(TabuSearch(Substitution()), problem, stop=stop.target(best) | stop.iterations(500), parallel=device)
    assert (result.cost, result.stopped_by, result.feasible) == (best, "target", True)
    assert best[0] == 0 > best[1]  # a gain is a negative soft cost


def test_results_show_tuples(tmp_path: Path) -> None:
    problem, trace, statistics = timetable(n=12), Trace(every=5), Statistics(every=5)
    path, model = tmp_path / "run.npz", Multistart(3, device="numpy")
    result = run(
        TabuSearch(Substitution()),
        problem,
        stop=stop.iterations(20),
        seed=1,
        parallel=model,
        watch=[trace, statistics, Checkpoint(path)],
    )
    assert result.levels == ("hard", "soft")
    assert problem.cost(result.solution) == result.cost
    assert result.costs.shape == (3, 2)
    assert result.walks.feasible.tolist() == [cost[0] == 0 for cost in result.costs.tolist()]
    assert f"hard {result.cost[0]}, soft {result.cost[1]}" in str(result)
    assert f"{result.walks.feasible.sum()} feasible" in str(result)
    assert all(isinstance(row.current, tuple) and isinstance(row.best, tuple) for row in trace.rows)
    assert all(isinstance(row.median, tuple) and len(row.median) == 2 for row in statistics.rows)
    assert all(isinstance(each.cost, tuple) for each in result.improvements)
    assert {"<title>hard</title>" in result._repr_html_(), "<title>soft</title>" in result._repr_html_()} == {True}
    more = resume(path, TabuSearch(Substitution()), problem, stop=stop.iterations(40), parallel=model)
    whole = run(TabuSearch(Substitution()), problem, stop=stop.iterations(40), seed=1, parallel=model)
    assert (more.cost, more.costs.tolist()) == (whole.cost, whole.costs.tolist())


def test_a_target_leaves_lower_levels_open(compiling: Device) -> None:
    problem = timetable(n=12, rooms=6, seed=3)

    def found(device: str, aim: Any) -> Any:
        result = run(
            TabuSearch(Substitution()), problem, stop=stop.target(aim) | stop.iterations(999), seed=2, parallel=device
        )
        reached = result.reached(aim)
        assert reached is not None
        return result.cost, result.iterations, result.stopped_by, reached[1]

    assert found(compiling.name, (0, None)) == found("numpy", (0, None))
    cost, iterations, reason, moves = found("numpy", (0, None))
    assert (cost[0], reason) == (0, "target")
    assert 0 < iterations <= moves
    assert not reaches((1, -99), (0, None), maximise=False)
    assert reaches((0, 99), (0, None), maximise=False)


@pytest.mark.parametrize(
    ("target", "highest"),
    [((0, 3), (0, 3)), ((0, None), (0, 9)), ((0,), (0, 9)), ((0.5, 1), (0, 9)), ((2, 2.5), (2, 2)), ((99, -1), (5, 9))],
)
def test_the_highest_cost_that_reaches_a_target(target: Any, highest: Any) -> None:
    levels = Levels(("hard", "soft"), ((0, 5), (-4, 9)))
    assert levels.ceiling(target, "it") == levels.packed(highest)
    reached = [each for each in itertools.product(range(6), range(-4, 10)) if reaches(each, target, maximise=False)]
    assert max(reached) == highest


def test_an_impossible_target_is_not_reached() -> None:
    levels = Levels(("hard", "soft"), ((0, 5), (-4, 9)))
    assert levels.ceiling((-1, None), "it") < levels.packed((0, -4))
    assert levels.ceiling((0, -5), "it") < levels.packed((0, -4))


@pytest.mark.parametrize("target", [3, (None, 3), (0, 0, 0), ()])
def test_a_target_of_other_levels_is_refused(target: Any) -> None:
    with pytest.raises(InputError, match="does not fit the levels hard, soft of Timetable"):
        run(HillClimbing(Substitution()), timetable(), stop=stop.target(target))


def test_a_tuple_is_no_target_of_one_number() -> None:
    from metaheur.problems import OneMax

    with pytest.raises(InputError, match="is one"):
        run(HillClimbing(Hamming(1)), OneMax(4), stop=stop.target((0, None)))


@final
@frozen(eq=False)
class Loose(Problem):
    """Its soft level may leave the bounds; with `wide`, the costs of a walk on a device may, too."""

    levels = ("hard", "soft")
    values: np.ndarray = data("int32", ndim=1)
    most: int = data("int32")

    @property
    def representation(self) -> DiscreteVector:
        return DiscreteVector(len(self.values), 3)

    def level_bounds(self) -> Any:
        return (0, 1), (0, self.most)

    @compiled
    def cost(self, x: Any) -> Any:
        return 0, sum(self.values[k] * x[k] for k in range(self.n))


def test_a_level_beyond_its_bounds_is_an_error_on_every_device(device: str) -> None:
    problem = Loose(np.array([-5, 3, 4]), 8)
    with pytest.raises(InputError, match=r"soft = -10, but|beyond the bounds .*: hard 0 \.\.\. 1, soft 0 \.\.\. 8"):
        run(TabuSearch(Substitution()), problem, stop=stop.iterations(50), start=np.zeros(3, np.uint8), parallel=device)


@pytest.mark.parametrize("most", [3, 6])
def test_starts_beyond_their_bounds_are_found(most: int, compiling: Device) -> None:
    with pytest.raises(InputError, match="level_bounds"):
        run(
            HillClimbing(Substitution()),
            Loose(np.array([9, 9, 9]), most),
            stop=stop.iterations(5),
            parallel=Multistart(8, device=compiling.name),
        )


def declared(**members: Any) -> Any:
    """A problem with these members."""
    kind = type("Declared", (Problem,), {"representation": Permutation(3), "cost": lambda self, x: (0, 0), **members})
    return frozen(eq=False)(kind)()


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"levels": ("hard",)}, "2 ... 4 different names"),
        ({"levels": ("a", "b", "c", "d", "e")}, "2 ... 4 different names"),
        ({"levels": ("hard", "soft")}, "a pair for each of the levels"),
        ({"levels": ("hard", "soft"), "level_bounds": lambda self: ((0, 1), (5, 2))}, "the bounds of soft"),
        ({"levels": ("hard", "soft"), "level_bounds": lambda self: ((0, 2**31), (0, 2**31))}, "need numbers up to"),
        ({"levels": ("hard", "soft"), "objectives": ("a", "b")}, "both `levels` and `objectives`"),
        ({"levels": ("hard", "soft"), "cost_type": "float64"}, "must be int64"),
    ],
)
def test_declarations_that_do_not_fit_are_refused(members: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        levels_of(declared(**members))


def test_other_numbers_than_the_levels_are_refused() -> None:
    problem = declared(levels=("hard", "soft"), level_bounds=lambda self: ((0, 9), (0, 9)), cost=lambda self, x: 3)
    with pytest.raises(InputError, match="2 numbers, for the levels hard, soft"):
        python_cost(problem, np.arange(3))


def test_what_int64_just_holds_is_packed() -> None:
    levels = levels_of(declared(levels=("hard", "soft"), level_bounds=lambda self: ((0, 2**20), (-(2**38), 0))))
    assert levels is not None
    assert levels.largest < MOST_PACKED
    assert levels.unpacked(levels.packed((2**20, -(2**38)))) == (2**20, -(2**38))


def test_bounds_are_widened_to_hold_0() -> None:
    levels = levels_of(declared(levels=("hard", "soft"), level_bounds=lambda self: ((2, 5), (-9, -3))))
    assert levels is not None
    assert levels.bounds == ((0, 5), (-9, 0))


@final
@frozen(eq=False)
class Best(Problem):
    """Both levels are maximised."""

    maximise = True
    levels = ("covered", "value")
    values: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> DiscreteVector:
        return DiscreteVector(len(self.values), 2)

    def level_bounds(self) -> Any:
        return (-self.n, 0), (-int(self.values.sum()), 0)

    def cost(self, x: Any) -> Any:
        return -int(x.sum()), -int(self.values @ x)


def test_maximised_levels_are_shown_with_their_own_sign() -> None:
    problem = Best(np.array([3, 1, 2]))
    result = run(
        HillClimbing(Substitution()),
        problem,
        stop=stop.target((3, None)) | stop.iterations(9),
        start=np.zeros(3, np.uint8),
    )
    assert (result.cost, result.stopped_by) == ((3, 6), "target")
    assert minimised(problem, (3, 6)) == python_cost(problem, np.ones(3, np.uint8))


def test_solve_takes_levels() -> None:
    result = solve(timetable(n=10, rooms=6), work=20_000, seed=1, parallel="numpy", target=(0, None))
    assert result.feasible
    assert result.stopped_by == "target"
    assert f"hard 0, soft {result.cost[1]}" in str(result)


def test_a_fold_with_levels_is_refused() -> None:
    @frozen(eq=False)
    class Folded(Problem):
        levels = ("hard", "soft")
        representation = property(lambda self: Permutation(3))

        def level_bounds(self) -> Any:
            return (0, 9), (0, 9)

        @compiled
        def start(self) -> Any:
            return 0

        @compiled
        def step(self, s: Any, item: Any) -> Any:
            return s + item

        @compiled
        def finish(self, s: Any) -> Any:
            return s

    with pytest.raises(CompileError, match="levels, but a fold has one cost"):
        run(HillClimbing(Swap()), Folded(), stop=stop.iterations(1), parallel="host")


def test_nvrtc_compiles_levels() -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    for kind in KINDS:
        unit = compose(timetable(kind), moves_of(Substitution()), NoGPU())  # type: ignore[arg-type]
        assert nvrtc.compiled(unit.text, ARCHITECTURES[-1], binary=False)
