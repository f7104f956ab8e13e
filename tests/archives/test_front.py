"""Fronts: what they hold, their indicators against the definitions, and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.archives import Front, read_sets
from metaheur.errors import InputError
from metaheur.problems import FlowShop

OBJECTIVES = ("makespan", "total tardiness")


def front(costs: Any, signs: Any = (1, 1), objectives: tuple[str, ...] = OBJECTIVES) -> Front:
    rows = np.array(costs)
    numbers = np.arange(len(rows))
    return Front(rows, numbers[:, None], objectives, signs, np.zeros(len(rows), int), numbers)


def shop(n: int = 7, objectives: tuple[str, ...] = OBJECTIVES) -> FlowShop:
    generator = np.random.default_rng(4)
    return FlowShop(generator.integers(1, 50, (n, 3)), due_dates=generator.integers(50, 300, n), objectives=objectives)


def test_a_front_of_solutions_holds_those_that_none_dominates_in_the_order_of_costs() -> None:
    problem = shop()
    xs = np.array([np.random.default_rng(k).permutation(7) for k in range(60)])
    found = Front.from_solutions(problem, [*xs, xs[3]])
    costs = sorted(problem.cost(x) for x in xs)
    expected = [c for c in costs if not any(o != c and o[0] <= c[0] and o[1] <= c[1] for o in costs)]
    assert [tuple(row) for row in found.costs.tolist()] == sorted(set(expected))
    assert all(problem.cost(x) == tuple(cost.tolist()) for cost, x in found)
    assert "solutions: makespan" in repr(found)


def test_fronts_merge_and_keep_where_solutions_came_from() -> None:
    one, other = front([[1, 5], [4, 3]]), front([[1, 5], [2, 4], [4, 2]])
    merged = one.merge(other)
    assert merged.costs.tolist() == [[1, 5], [2, 4], [4, 2]]
    assert merged.born.tolist() == [0, 1, 2]
    with pytest.raises(InputError, match="cannot be merged"):
        one.merge(front([[1, 2]], objectives=("makespan", "tardy jobs")))


def test_what_is_maximised_is_shown_as_the_user_reads_it() -> None:
    profits = front([[9, 2], [5, 6]], signs=(-1, -1))
    assert profits.hypervolume([0, 0]) == 9 * 2 + 5 * 4
    assert profits.merge(front([[9, 3]], signs=(-1, -1))).costs.tolist() == [[9, 3], [5, 6]]
    assert profits.reference().tolist() == [4, 1]


def test_the_reference_point_is_a_tenth_of_the_range_beyond() -> None:
    assert front([[0, 40], [20, 0]]).reference().tolist() == [22, 44]
    assert front([[7, 7]]).reference().tolist() == [8, 8]
    assert front([[0, 40], [20, 0]]).hypervolume([22, 44]) == 22 * 4 + 2 * 40
    with pytest.raises(InputError, match=r"must be worse than every cost .* \[20, 0\] is not better"):
        front([[0, 40], [20, 0]]).hypervolume([20, 44])
    with pytest.raises(InputError, match="a finite number for each of the objectives makespan, total tardiness"):
        front([[0, 40]]).hypervolume([20])


def test_epsilon_is_the_least_step_that_covers_the_other_front() -> None:
    own, other = front([[2, 8], [6, 3]]), [[1, 8], [5, 2], [9, 1]]
    for points in (other, front(other)):
        step = own.epsilon(points)
        assert step == 2
    covered = [min(max(a - x, b - y) for a, b in own.costs.tolist()) for x, y in other]
    assert own.epsilon(other) == max(covered)
    assert own.epsilon(own) == 0
    far = 2**62 + 1
    assert front([[far, 0], [0, far]]).epsilon([[-far, -far]]) == 2 * far
    assert front([[far, -far]]).normalised([-far, -far], [far, far]).tolist() == [[1, 0]]


def test_multiplicative_epsilon_is_the_least_factor_that_covers_the_other_front() -> None:
    own, other = front([[2, 8], [6, 3]]), [[1, 8], [5, 2], [9, 1]]
    factors = [min(max(a / x, b / y) for a, b in own.costs) for x, y in other]
    assert own.epsilon(other, multiplicative=True) == max(factors)
    profits = front([[9, 2], [5, 6]], signs=(-1, 1))
    assert profits.epsilon([[12, 2], [5, 3]], multiplicative=True) == 12 / 9
    with pytest.raises(InputError, match="costs above 0, but one is -1"):
        own.epsilon([[2, -1]], multiplicative=True)


def test_contribution_is_the_share_of_the_solutions_that_the_other_front_does_not_dominate() -> None:
    # counts as in the example of Meunier, Talbi and Reininger: 4 common, 4 that dominate, 1 that is not comparable each
    common = [[k, 40 - 2 * k] for k in range(4)]
    better, worse = [[k, 40 - 2 * k] for k in range(10, 14)], [[k, 41 - 2 * k] for k in range(10, 14)]
    own, other = front([*common, *better, [6, 27]]), front([*common, [5, 28]])
    assert own.contribution(front([*common, *worse, [5, 28]])) == (2 + 4 + 1) / (4 + 4 + 1 + 0 + 1)
    assert front([*common, *worse, [5, 28]]).contribution(own) == pytest.approx(0.3)
    assert own.contribution([*other.costs, [9, 99], [5, 28]]) == own.contribution(other)  # neither dominated nor twice
    assert own.contribution(own) == 0.5
    assert front([[1, 1]], signs=(-1, 1)).contribution(front([[2, 1]], signs=(-1, 1))) == 0


def test_entropy_is_that_of_its_definition() -> None:
    expected: list[float] = []
    for seed in range(20):
        generator = np.random.default_rng(seed)
        pair = [Front.from_solutions(shop(), [generator.permutation(7) for _ in range(25)]) for _ in range(2)]
        own, other = ([tuple(cost) for cost in each.costs.tolist()] for each in pair)
        best = pair[0].merge(pair[1]).costs.tolist()
        everyone = [*own, *(tuple(cost) for cost in best if tuple(cost) not in own)]
        low, high = (np.array([bound(column) for column in zip(*everyone, strict=True)]) for bound in (min, max))
        at = {cost: (np.array(cost) - low) / np.maximum(high - low, 1) for cost in everyone}

        def niche(cost: Any, costs: Any, at: Any = at, radius: float = 2 / len(best)) -> int:
            return sum(np.hypot(*(at[cost] - at[each])) < radius for each in costs)

        found, weight = 0.0, 0.0
        for cost in everyone:
            own_share = niche(cost, own) / len(everyone)
            found -= own_share * np.log(own_share or 1) / niche(cost, everyone)
            weight += 1 / niche(cost, everyone)
        expected.append(found / np.log(weight) if weight > 1.001 else 0)
        assert pair[0].entropy(pair[1]) == pair[0].entropy(other) == pytest.approx(expected[-1])
    assert np.count_nonzero(expected) > 10


def test_an_even_front_has_the_entropy_1_and_a_crowd_0() -> None:
    line = front([[k, 9 - k] for k in range(10)])
    spread = front([[0, 8], [4, 4], [8, 0]])
    assert spread.entropy(spread) == pytest.approx(1)
    assert front([[5, 5]]).entropy([[5, 5]]) == 0
    assert front([[4, 5], [5, 4]]).entropy(line) < front([[0, 9], [9, 0]]).entropy(line) < line.entropy(line)


def test_igd_plus_is_the_mean_distance_to_what_is_dominated() -> None:
    own, other = front([[2, 8], [6, 3]]), [[1, 8], [5, 2], [3, 9]]
    distances = [min(np.hypot(max(a - x, 0), max(b - y, 0)) for a, b in own.costs.tolist()) for x, y in other]
    assert own.igd_plus(other) == pytest.approx(np.mean(distances))
    far = 2**62 + 1
    assert front([[far, far]]).igd_plus([[far - 3, far - 4]]) == 5
    with pytest.raises(InputError, match=r"A reference front has the shape \(M, 2\)"):
        own.igd_plus([1, 2])
    with pytest.raises(InputError, match=r"but this one has \(1, 3\)"):
        own.epsilon([[1, 2, 3]])


@pytest.mark.parametrize("name", ["epsilon", "contribution", "entropy", "igd_plus"])
def test_indicators_refuse_another_problem_s_front_and_what_is_not_finite(name: str) -> None:
    measure = getattr(front([[1, 5], [4, 3]]), name)
    with pytest.raises(InputError, match="makespan, total tardiness cannot be compared with one of makespan, tardy"):
        measure(front([[1, 2]], objectives=("makespan", "tardy jobs")))
    with pytest.raises(InputError, match=r"compared with one of makespan, total tardiness \(maximised\)"):
        measure(front([[1, 2]], signs=(1, -1)))
    for wrong in (float("nan"), float("inf"), "a", None):
        with pytest.raises(InputError, match="must hold finite numbers, but is"):
            measure([[1, wrong]])


def test_normalised_costs_lie_between_the_given_ends() -> None:
    assert front([[2, 8], [6, 3]]).normalised([2, 3], [6, 8]).tolist() == [[0, 1], [1, 0]]
    assert front([[9, 2]], signs=(-1, -1)).normalised([10, 10], [0, 0]).tolist() == [[0.1, 0.8]]
    with pytest.raises(InputError, match="`high` must be worse than `low`"):
        front([[2, 8]]).normalised([2, 3], [2, 8])


def test_a_front_is_written_and_listed(tmp_path: Path) -> None:
    own = front([[9, 2], [5, 6]], signs=(-1, 1))
    own.write(tmp_path / "front.txt")
    assert read_sets(tmp_path / "front.txt")[0].tolist() == [[-9, 2], [-5, 6]]
    columns = own.to_columns()
    assert list(columns) == ["makespan", "total tardiness", "walk", "iteration"]
    assert columns["makespan"].tolist() == [9, 5]


def test_without_the_optional_packages_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "moocore", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(
        InputError, match=r"needs moocore, which is not installed\.\nMaybe pip install 'metaheur\[mo\]'"
    ):
        Front.attainment([front([[1, 2]])])
    with pytest.raises(InputError, match=r"needs matplotlib, .*\nMaybe pip install 'metaheur\[plot\]'"):
        front([[1, 2]]).plot()


def test_what_does_not_belong_together_is_refused() -> None:
    other = front([[1, 2]], objectives=("makespan", "tardy jobs"))
    with pytest.raises(InputError, match="must have the same objectives"):
        front([[1, 2]]).plot(other)
    with pytest.raises(InputError, match="all of the same objectives"):
        Front.attainment([front([[1, 2]]), other])
    with pytest.raises(InputError, match="1 fronts to draw, but 2 labels"):
        front([[1, 2]]).plot(labels=["a", "b"])
    with pytest.raises(InputError, match="FlowShop has one objective"):
        Front.from_solutions(FlowShop([[1, 2]]), [[0]])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="needs at least one solution"):
        Front.from_solutions(shop(), [])


@pytest.mark.parametrize("objectives", [OBJECTIVES, (*OBJECTIVES, "tardy jobs")])
def test_a_front_is_drawn(objectives: tuple[str, ...], tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'metaheur[plot]'")
    matplotlib.use("Agg")
    problem = shop(objectives=objectives)
    xs = [np.random.default_rng(k).permutation(7) for k in range(20)]
    figure = Front.from_solutions(problem, xs).plot(Front.from_solutions(problem, xs[:5]), labels=["all", "five"])
    figure.savefig(tmp_path / "front.png")
    assert len(figure.axes) == len(objectives) * (len(objectives) - 1) // 2
    assert [len(ax.lines) for ax in figure.axes] == [2] * len(figure.axes)


@pytest.mark.parametrize("signs", [(1, 1), (1, -1)])
def test_what_runs_attained_is_drawn(signs: tuple[int, int]) -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'metaheur[plot]'")
    pytest.importorskip("moocore", reason="moocore is not installed: pip install 'metaheur[mo]'")
    matplotlib.use("Agg")
    costs = np.array([[[1, 8], [5, 2]], [[2, 7], [5, 3]], [[3, 9], [6, 1]]]) * signs
    (ax,) = Front.plot_attainment([front(each, signs) for each in costs], (50, 100)).axes
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["50 % of 3 runs", "100 % of 3 runs"]
    half, every = (np.stack(line.get_data(), axis=1) * signs for line in ax.lines)
    assert half.tolist() == [[2, 8], [5, 3], [6, 2]]
    assert every.tolist() == [[3, 9], [6, 3]]


def test_moocore_agrees() -> None:
    moocore = pytest.importorskip("moocore", reason="moocore is not installed: pip install 'metaheur[mo]'")
    generator = np.random.default_rng(6)
    problem = shop(objectives=(*OBJECTIVES, "tardy jobs"))
    xs = np.array([generator.permutation(7) for _ in range(300)])
    one, other = Front.from_solutions(problem, xs[:40]), Front.from_solutions(problem, xs[40:])
    a, b = one.minimised.astype(float), other.minimised.astype(float)
    assert one.epsilon(other) == moocore.epsilon_additive(a, ref=b)
    assert one.igd_plus(other) == pytest.approx(moocore.igd_plus(a, ref=b))
    a, b = a + 1, b + 1
    moved = Front(one.costs + 1, one.solutions, one.objectives, one.signs, one.walks, one.born)
    assert moved.epsilon(b, multiplicative=True) == moocore.epsilon_mult(a, ref=b)
    a, b = a - 1, b - 1
    corner = one.merge(other).reference()
    corner = np.maximum(corner, np.maximum(a.max(axis=0), b.max(axis=0)).astype(int) + 1)
    assert one.hypervolume(corner) == moocore.hypervolume(a, ref=corner.astype(float))
    four = Front.from_solutions(shop(objectives=(*OBJECTIVES, "tardy jobs", "total flow time")), xs)
    assert four.hypervolume(four.reference()) > 0
    surface = Front.attainment([one, other], [50])
    assert surface.shape[1] == 4
    assert set(surface[:, 3]) == {50.0}


def test_the_arrays_of_a_front_cannot_be_written() -> None:
    front = Front.from_solutions(shop(), np.array([np.arange(7)]))
    for array in (front.costs, front.solutions, front.signs):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 5
