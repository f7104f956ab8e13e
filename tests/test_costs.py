"""What a cost must be: whole where costs are, in a range that no difference leaves, and right at the end of a run."""

from collections.abc import Callable
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    BitString,
    CandidateDescent,
    HillClimbing,
    IteratedLocalSearch,
    ParetoLocalSearch,
    Permutation,
    Problem,
    Search,
    SimulatedAnnealing,
    Source,
    TabuSearch,
    data,
    run,
    run_many,
    stop,
)
from metaheur.errors import CheckFailed, InputError
from metaheur.neighborhoods import Hamming, Insertion, Swap, TwoOpt
from metaheur.parallel import IterationLevel, Multistart
from metaheur.parts import Rebuild
from metaheur.problems import MultiObjective, Scalarised
from metaheur.searches import RandomWalk

SWAPS: list[Search[Any]] = [
    HillClimbing(Swap()),
    TabuSearch(Swap()),
    SimulatedAnnealing(Swap(), 100),
    RandomWalk(Swap()),
]


@final
@frozen(eq=False)
class Table(Problem):
    """A permutation costs what a function says of it."""

    function: Callable[[np.ndarray], Any]
    cost_type: str = "int64"

    @property
    def representation(self) -> Permutation:
        return Permutation(4)

    def cost(self, x: np.ndarray) -> Any:
        return self.function(x)


def half(x: np.ndarray) -> float:
    """Whole at the start, 0 1 2 3; with a fraction elsewhere."""
    return 10.0 - 0.1 * float((x != np.arange(4)).sum())


# ---- fractions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parallel", ["numpy", "auto"])
@pytest.mark.parametrize("search", SWAPS, ids=lambda search: type(search).__name__)
def test_a_fraction_is_refused_wherever_it_is_met(search: Search[Any], parallel: str) -> None:
    with pytest.raises(InputError, match=r"Table.costs? returned 9\.[68]\d*, but its cost_type is 'int64'"):
        run(search, Table(half), stop=stop.iterations(30), start=[0, 1, 2, 3], parallel=parallel)
    assert run(search, Table(half, "float64"), stop=stop.iterations(30), start=[0, 1, 2, 3]).cost == pytest.approx(9.6)


def test_whole_floats_are_whole_numbers() -> None:
    result = run(HillClimbing(Swap()), Table(lambda x: float(x[0])), stop=stop.iterations(9), start=[3, 1, 2, 0])
    assert (result.cost, type(result.cost)) == (0, int)


@final
@frozen(eq=False)
class Ring(Problem):
    """A tour, whose edges cost what a table says; the insertions of a city, too."""

    lengths: np.ndarray

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.lengths), cyclic=True)

    def edge(self, a: Any, b: Any) -> Any:
        return self.lengths[a, b]

    def cost(self, x: np.ndarray) -> Any:
        return float(self.lengths[x, np.roll(x, -1)].sum())

    def insertions(self, partial: np.ndarray, item: int) -> Any:
        return np.array([self.lengths[item, item]] * (len(partial) + 1)) / 2


def ring(n: int, first: float) -> Ring:
    """Edges of length 1, but for one."""
    lengths = np.ones((n, n))
    lengths[0, n // 2] = lengths[n // 2, 0] = first
    return Ring(lengths)


@pytest.mark.parametrize("n", [6, 600], ids=["a table of edges", "edges one by one"])
def test_a_fraction_of_an_edge_is_refused(n: int) -> None:
    candidates = np.array([[(k + n // 2) % n, (k + 1) % n] for k in range(n)])
    search = CandidateDescent(TwoOpt(), candidates)
    with pytest.raises(InputError, match=r"Ring.edge returned 0.5, but its cost_type is 'int64'"):
        run(search, ring(n, 0.5), stop=stop.iterations(9), start=list(range(n)), parallel="numpy")
    result = run(search, ring(n, 0.0), stop=stop.iterations(9), start=list(range(n)), parallel="numpy")
    assert result.cost == n - 1


def test_a_fraction_of_an_insertion_is_refused() -> None:
    search = IteratedLocalSearch(HillClimbing(Swap()), Rebuild(2))
    with pytest.raises(InputError, match=r"Ring.insertions returned 0.5, but its cost_type is 'int64'"):
        run(search, ring(6, 2.0), stop=stop.iterations(9), parallel="numpy")


# ---- the range -------------------------------------------------------------------------------------------------------


def apart(low: int, high: int) -> Table:
    return Table(lambda x: high if x[0] else low)


@pytest.mark.parametrize(("low", "high"), [(-(2**63), 2**63 - 1), (-(2**62), 0), (0, 2**62), (0, 2**70)])
@pytest.mark.parametrize("start", [[0, 1, 2, 3], [1, 0, 2, 3]])
def test_costs_whose_difference_may_not_fit_are_refused(low: int, high: int, start: list[int]) -> None:
    with pytest.raises(
        InputError, match=r"Table.costs? returned -?\d+, but costs must lie between -2\*\*62 and 2\*\*62"
    ):
        run(RandomWalk(Swap()), apart(low, high), stop=stop.iterations(30), start=start, parallel="numpy")


def test_the_largest_difference_is_a_change_of_cost() -> None:
    problem = apart(1 - 2**62, 2**62 - 1)
    result = run(HillClimbing(Swap()), problem, stop=stop.iterations(9), start=[1, 0, 2, 3], parallel="numpy")
    assert (result.start_cost, result.cost) == (2**62 - 1, 1 - 2**62)


def test_a_change_of_cost_beyond_the_type_that_is_promised_is_refused() -> None:
    problem = Table(lambda x: 2**31 if x[0] else 0, "int32")
    with pytest.raises(
        InputError, match=r"Table says that int32 holds every change of cost under Swap\(\), but one is"
    ):
        run(HillClimbing(Swap()), problem, stop=stop.iterations(9), start=[1, 0, 2, 3], parallel="numpy")
    with pytest.raises(InputError, match=r"but one is -2147483648"):
        run(SimulatedAnnealing(Swap(), 9), problem, stop=stop.iterations(50), start=[1, 0, 2, 3], parallel="numpy")


@final
@frozen(eq=False)
class Peak(Problem):
    """A string of bits costs `usual`, but one that begins with a bit that is set costs `high`: evaluated in full."""

    high: int = data("int64")
    usual: int = data("int64")
    cost_type: str = "int64"

    source: ClassVar[Source] = Source(
        """struct Peak : PeakData {
            MH_FN Total cost(Team, const Item* x) const { return x[0] ? high : usual; }
        };""",
        "peak.cuh",
    )

    @property
    def representation(self) -> BitString:
        return BitString(5)

    def cost(self, x: np.ndarray) -> int:
        return self.high if x[0] else self.usual


@pytest.mark.parametrize("resident", [True, False], ids=["resident", "stepped"])
@pytest.mark.parametrize("high", [2**62, -(2**62), -(2**63)])
def test_a_cost_out_of_range_is_seen_in_compiled_code(high: int, resident: bool, device: str) -> None:
    model = IterationLevel(device, resident=resident and device != "numpy")
    for usual in (0, 2**62 - 1, 1 - 2**62):
        with pytest.raises(InputError, match=r"-2\*\*62"):
            run(RandomWalk(Hamming(1)), Peak(high, usual), stop=stop.iterations(200), start=[0] * 5, parallel=model)
        with pytest.raises(InputError, match=r"-2\*\*62"):
            run(TabuSearch(Hamming(1)), Peak(high, usual), stop=stop.iterations(9), start=[0] * 5, parallel=model)


@final
@frozen(eq=False)
class Peaks(Problem):
    """The number of bits that are set, beside what a `Peak` costs, times a factor: both evaluated in full."""

    high: float = data("float64")
    usual: float = data("float64")
    factor: float = data("float64")
    cost_type: str = "int64"

    objectives: ClassVar[tuple[str, ...]] = ("bits", "peak")
    source: ClassVar[Source] = Source(
        """struct Peaks : PeaksData {
            MH_FN Total cost(Team, const Item* x) const {
                Total total = 0;
                for (int k = 0; k < n; ++k) total[0] += x[k];
                total[1] = Number((x[0] ? high : usual) * factor);
                return total;
            }
        };""",
        "peaks.cuh",
    )

    @property
    def representation(self) -> BitString:
        return BitString(5)

    def cost(self, x: np.ndarray) -> tuple[Any, Any]:
        whole = int if self.cost_type == "int64" else float
        with np.errstate(over="ignore"):
            return whole(x.sum()), whole(np.float64(self.high if x[0] else self.usual) * self.factor)


@pytest.mark.parametrize("resident", [True, False], ids=["resident", "stepped"])
@pytest.mark.parametrize("high", [2.0**62, -(2.0**62)])
def test_one_of_several_costs_out_of_range_is_seen_in_compiled_code(high: float, resident: bool, device: str) -> None:
    search, model = ParetoLocalSearch(Hamming(1)), IterationLevel(device, resident=resident and device != "numpy")
    for usual in (0.0, 2.0**61, -(2.0**61)):
        with pytest.raises(InputError, match=r"-2\*\*62"):
            run(search, Peaks(high, usual, 1.0), stop=stop.iterations(9), start=[0] * 5, parallel=model)
    within = run(search, Peaks(high, 0.0, 0.5), stop=stop.iterations(9), start=[0] * 5, parallel=model)
    assert within.front is not None
    assert within.front.costs.tolist()[0] == [0, 0]


@pytest.mark.parametrize("resident", [True, False], ids=["resident", "stepped"])
def test_one_of_several_costs_that_is_not_finite_is_seen_in_compiled_code(resident: bool, device: str) -> None:
    search, model = ParetoLocalSearch(Hamming(1)), IterationLevel(device, resident=resident and device != "numpy")
    problem = Peaks(1e308, 0.0, 10.0, "float64")
    with pytest.raises(InputError, match=r"not a finite number|must return a finite number"):
        run(search, problem, stop=stop.iterations(9), start=[0] * 5, parallel=model)


@pytest.mark.parametrize("resident", [True, False], ids=["resident", "stepped"])
def test_a_change_that_its_type_does_not_hold_is_seen_in_compiled_code(resident: bool, device: str) -> None:
    model = IterationLevel(device, resident=resident and device != "numpy")
    with pytest.raises((InputError, CheckFailed), match=r"int32|best cost is reported as -\d+, but Peak.cost gives"):
        run(TabuSearch(Hamming(1)), Peak(2**31, 0, "int32"), stop=stop.iterations(9), start=[0] * 5, parallel=model)


def test_weights_under_which_objectives_overflow_are_refused() -> None:
    problem = MultiObjective([Peak(2**40, 0), Peak(2**41, 0)])
    largest = Scalarised(problem, [2**20, 2**20])
    assert largest.cost(np.ones(5, np.uint8)) == 3 * 2**60
    with pytest.raises(InputError, match=r"Weighted objectives add up to 6\.92e"):
        Scalarised(problem, [2**21, 2**21]).cost(np.ones(5, np.uint8))
    search, start = HillClimbing(Hamming(1)), [1, 0, 0, 0, 0]
    with pytest.raises(InputError, match="Maybe divide the weights by a common factor"):
        run(search, Scalarised(problem, [2**53, 2**53]), stop=stop.iterations(9), start=start, parallel="numpy")


# ---- functions that write --------------------------------------------------------------------------------------------


def sorts(x: np.ndarray) -> int:
    x.sort()
    return int(x[0])


@pytest.mark.parametrize("search", SWAPS, ids=lambda search: type(search).__name__)
def test_a_cost_that_sorts_the_solution_is_refused(search: Search[Any]) -> None:
    with pytest.raises(InputError, match=r"Table.cost writes into the solution(.|\n)*Maybe write x = x.copy\(\)"):
        run(search, Table(sorts), stop=stop.iterations(9))


def test_an_error_of_a_cost_stays_what_it_is() -> None:
    with pytest.raises(ValueError, match="mine"):
        run(HillClimbing(Swap()), Table(lambda x: int("mine")), stop=stop.iterations(9))


# ---- the end of a run ------------------------------------------------------------------------------------------------


@final
@frozen(eq=False)
class Wrong(Problem):
    """The number of bits that are set; the change of cost of a flip is wrong by one, in both halves, where `wrong`."""

    wrong: int = data("int64")
    maximise: ClassVar[bool] = True

    source: ClassVar[Source] = Source(
        """struct Wrong : WrongData {
            MH_FN Cost delta(Team, const Item* x, FlipMove<1> m) const { return x[m.at[0]] ? 1 : -1 - Cost(wrong); }
        };""",
        "wrong.cuh",
    )

    @property
    def representation(self) -> BitString:
        return BitString(6)

    def cost(self, x: np.ndarray) -> int:
        return -int(x.sum())

    def delta(self, x: np.ndarray, move: Any) -> Any:
        return np.where(x[move.at[0]], 1, -1 - self.wrong)


@pytest.mark.parametrize("many", [False, True], ids=["one walk", "many walks"])
def test_the_best_solution_is_evaluated_in_full_at_the_end(many: bool, device: str) -> None:
    model = Multistart(5, device=device) if many else IterationLevel(device)
    search, limit = HillClimbing(Hamming(1)), stop.iterations(9)
    assert run(search, Wrong(0), stop=limit, start=[0] * 6, parallel=model).cost == 6
    with pytest.raises(CheckFailed, match=r"(?s)best cost is reported as 12, but Wrong.cost gives 6\..*check_problem"):
        run(search, Wrong(1), stop=limit, start=[0] * 6, parallel=model)


def test_seeds_that_run_together_are_evaluated_each() -> None:
    runs = run_many(
        HillClimbing(Hamming(1)), Wrong(1), seeds=range(3), stop=stop.iterations(9), parallel=IterationLevel("host")
    )
    assert len(runs.failures) == 3
    assert all("but Wrong.cost gives 6" in str(each.error) for each in runs.failures)


def test_rounding_is_no_other_cost() -> None:
    """One cost among large ones is so small that it is all rounding."""
    problem = Table(lambda x: 1e9 * abs(x[0] - 0.1) + 1e-7 * float(x[1]) if x[0] else 1e-9 * float(x[1]), "float64")
    result = run(TabuSearch(Insertion()), problem, stop=stop.iterations(50), start=[3, 2, 1, 0], parallel="numpy")
    assert result.solution[0] == 0
