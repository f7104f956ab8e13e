"""Crossovers: valid children that keep what is promised, the same on all devices, over all pairs of parents."""

from collections.abc import Callable
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import evolve, frozen

from metaheur import (
    BitString,
    DiscreteVector,
    EvaluatedSolution,
    Key,
    Permutation,
    Problem,
    Random,
    Source,
    compiled,
    run,
    stop,
)
from metaheur.device.device import Device
from metaheur.errors import CheckFailed, InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import Islands, Multistart
from metaheur.parts import (
    Crossover,
    CycleCrossover,
    EdgeRecombination,
    GreedyPartition,
    NoCrossover,
    NoPerturbation,
    NPoints,
    OccasionalCrossover,
    OnePoint,
    OrderCrossover,
    PartiallyMapped,
    PositionBased,
    SwapPath,
    TwoPoints,
    Uniform,
    UniformLike,
)
from metaheur.parts.recombination.crossover import coins
from metaheur.parts.recombination.recombination import Recombination
from metaheur.problems import QAP, OneMax
from metaheur.random import Stream
from metaheur.representation import Representation, Solution
from metaheur.searches import GeneticAlgorithm, TabuSearch
from metaheur.testing import check_recombination


@final
@frozen
class Second(Crossover):
    """The second parent; in Python alone."""

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        x[:] = other


STRINGS = (Uniform(), OnePoint(), TwoPoints(), NPoints(3))
ORDERS = (OrderCrossover(), PartiallyMapped(), CycleCrossover(), PositionBased(), UniformLike(), EdgeRecombination())


@pytest.mark.parametrize("crossover", [*STRINGS, NoCrossover()], ids=repr)
def test_children_of_bit_strings(crossover: Crossover, compiling: Device) -> None:
    check_recombination(crossover, BitString(4), devices=[compiling.name])


@pytest.mark.parametrize("space", [BitString(4), DiscreteVector(3, 3), Permutation(4)], ids=repr)
def test_children_that_exchange_entries(space: Representation, compiling: Device) -> None:
    check_recombination(SwapPath(), space, devices=[compiling.name])


def test_a_child_that_exchanges_entries_has_the_values_of_the_first_parent() -> None:
    own, other = np.array([0, 0, 2, 1, 1, 2]), np.array([1, 2, 2, 1, 0, 0])
    children = {tuple(crossed(SwapPath(), own, other, walk)) for walk in range(200)}
    assert {tuple(sorted(child)) for child in children} == {(0, 0, 1, 1, 2, 2)}
    assert {child[2:4] for child in children} == {(2, 1)}  # which both parents have
    assert {tuple(own), tuple(other)} <= children


def crossed(crossover: Crossover, own: np.ndarray, other: np.ndarray, walk: int) -> Any:
    child = own.copy()
    crossover.cross(child, other, Random(Key(0, walk), Stream.RECOMBINATION, 0))
    return child.tolist()


@pytest.mark.parametrize("crossover", STRINGS, ids=repr)
def test_children_of_discrete_vectors(crossover: Crossover) -> None:
    check_recombination(crossover, DiscreteVector(3, 3), devices=[])


@pytest.mark.parametrize(
    ("crossover", "space"),
    [(OccasionalCrossover(Uniform(), 0.5), BitString(4)), (OccasionalCrossover(UniformLike(), 0.5), Permutation(4))],
    ids=repr,
)
def test_children_of_an_occasional_crossover(
    crossover: OccasionalCrossover, space: Representation, compiling: Device
) -> None:
    check_recombination(crossover, space, devices=[compiling.name])
    assert crossover.keeps == crossover.crossover.keeps


def test_an_occasional_crossover_makes_copies_and_the_children_of_its_crossover() -> None:
    copies = 0
    for draw in range(400):
        own, _, child = long_child(OccasionalCrossover(OrderCrossover(), 0.75), draw)
        assert np.array_equal(child, own) or np.array_equal(child, long_child(OrderCrossover(), draw)[2])
        assert np.array_equal(
            long_child(OccasionalCrossover(OrderCrossover(), 1), draw)[2], long_child(OrderCrossover(), draw)[2]
        )
        assert np.array_equal(long_child(OccasionalCrossover(OrderCrossover(), 0), draw)[2], own)
        copies += np.array_equal(child, own)
    assert abs(copies - 100) < 4 * np.sqrt(400 * 0.25 * 0.75)


def test_wrong_occasional_crossovers_are_refused() -> None:
    with pytest.raises(InputError, match=r"OccasionalCrossover\.probability.*2"):
        OccasionalCrossover(Uniform(), 2)
    with pytest.raises(InputError, match=r"OccasionalCrossover\.crossover"):
        OccasionalCrossover(0.9)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="Uniform"):
        run(
            GeneticAlgorithm(OccasionalCrossover(Uniform()), NoPerturbation()),
            QAP.random(6, 1),
            stop=stop.iterations(1),
            parallel="numpy",
        )


def test_children_of_partitions(compiling: Device) -> None:
    check_recombination(GreedyPartition(), DiscreteVector(4, 3), devices=[compiling.name])


@pytest.mark.parametrize("crossover", ORDERS, ids=repr)
def test_children_of_permutations(crossover: Crossover, compiling: Device) -> None:
    check_recombination(crossover, Permutation(4), devices=[compiling.name])


@pytest.mark.parametrize("crossover", [*STRINGS, *ORDERS], ids=repr)
@pytest.mark.parametrize("n", [1, 2])
def test_shortest_solutions(crossover: Crossover, n: int) -> None:
    check_recombination(crossover, BitString(n) if crossover in STRINGS else Permutation(n), devices=[])


def long_child(crossover: Crossover, draw: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(draw)
    own, other = generator.permutation(40), generator.permutation(40)
    child = own.copy()
    crossover.cross(child, other, Random(Key(1), 16, draw))
    return own, other, child


def test_partially_mapped_is_the_textbook_map() -> None:
    for draw in range(30):
        own, other, child = long_child(PartiallyMapped(), draw)
        random = Random(Key(1), 16, draw)
        first, last = sorted((random.index(0, 40), random.index(1, 40)))
        inside = set(other[first : last + 1].tolist())
        mapped = dict(zip(other[first : last + 1].tolist(), own[first : last + 1].tolist(), strict=True))
        for k in range(40):
            item = int(own[k])
            while not first <= k <= last and item in inside:
                item = mapped[item]
            assert child[k] == (other[k] if first <= k <= last else item)


def test_order_crossover_keeps_a_segment_and_the_cyclic_order_of_the_others() -> None:
    for draw in range(30):
        own, other, child = long_child(OrderCrossover(), draw)
        random = Random(Key(1), 16, draw)
        first, last = sorted((random.index(0, 40), random.index(1, 40)))
        assert (child[first : last + 1] == own[first : last + 1]).all()
        kept = set(own[first : last + 1].tolist())
        turned, wanted = np.roll(child, -(last + 1)).tolist(), np.roll(other, -(last + 1)).tolist()
        assert [each for each in turned if each not in kept] == [each for each in wanted if each not in kept]


def test_edge_recombination_goes_to_a_neighbor_that_has_the_fewest_neighbors_left() -> None:
    drawn = stuck = 0
    for draw in range(30):
        own, other, child = (each.tolist() for each in long_child(EdgeRecombination(), draw))
        near: dict[int, set[int]] = {item: set() for item in own}
        for tour in (own, other):
            for a, b in zip(tour, tour[1:] + tour[:1], strict=True):
                near[a].add(b)
                near[b].add(a)
        assert child[0] == own[0]
        for k in range(1, 40):
            left = set(child[k:])
            choice = {item: len(near[item] & left) for item in near[child[k - 1]] & left}
            fewest = [item for item, count in choice.items() if count == min(choice.values())]
            assert child[k] in (fewest or left)
            drawn += len(fewest) > 1
            stuck += not fewest
    assert drawn > 100
    assert stuck > 5


def test_a_greedy_partition_takes_the_largest_class_of_each_parent_in_turn() -> None:
    at_random = 0
    for draw in range(30):
        generator = np.random.default_rng(draw)
        own, other = generator.integers(0, 6, (2, 40))
        child = own.copy()
        GreedyPartition().cross(child, other, Random(Key(1), 16, draw))
        left, values = set(range(40)), set(range(6))
        for turn in range(6):
            parent = (own, other)[turn % 2]
            classes = [{k for k in left if parent[k] == value} for value in range(6)]
            largest = max(range(6), key=lambda value: (len(classes[value]), -value))
            value = largest if largest in values else min(values)
            assert {int(child[k]) for k in classes[largest]} == {value}
            left -= classes[largest]
            values.remove(value)
        at_random += len(left)
    assert at_random > 100


def test_children_have_about_half_of_each_parent() -> None:
    for crossover in (PositionBased(), UniformLike(), CycleCrossover()):
        shares = [np.mean(child == own) for own, _, child in (long_child(crossover, draw) for draw in range(200))]
        assert 0.4 < np.mean(shares) < 0.65, crossover


def test_coins_are_fair_and_differ() -> None:
    heads = coins(Random(Key(3), 16, 5), 10_000)
    assert 4_800 < heads.sum() < 5_200
    assert not np.array_equal(heads[:128], heads[128:256])


@final
@frozen
class EveryThird(Crossover):
    """A crossover of one's own, in Python that is compiled."""

    keeps: ClassVar[str] = "parents"

    @compiled
    def cross(self, x: Any, other: Any, random: Any) -> None:
        for k in range(len(x)):
            if random.integer(k, 0, 2) == 0:
                x[k] = other[k]


def test_a_compiled_crossover_of_ones_own(compiling: Device) -> None:
    check_recombination(EveryThird(), BitString(4), devices=[compiling.name])


@final
@frozen
class Forgetful(Crossover):
    """Promises common values, and breaks the promise."""

    keeps: ClassVar[str] = "common"

    def cross(self, x: Any, other: Any, random: Any) -> None:
        x[:] = np.roll(x, 1)


@final
@frozen
class IntoOther(Recombination):
    """Writes into the solution that arrives."""

    def child(
        self, problem: Problem, own: EvaluatedSolution, other: EvaluatedSolution, random: Random
    ) -> EvaluatedSolution:
        other.solution[:] = own.solution[::-1]
        return other


@final
@frozen
class Repeating(Crossover):
    """Makes children that are no permutations."""

    def cross(self, x: Any, other: Any, random: Any) -> None:
        x[0] = other[0]


WRONG = """struct Biased : BiasedData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random) const {
        team.for_each(n, [=](i64 k) { x[k] = other[k]; });
    }
};"""


@final
@frozen
class Biased(Crossover):
    """Has a C++ half that differs."""

    source: ClassVar[Source] = Source(WRONG, "<Biased>")

    def cross(self, x: Any, other: Any, random: Any) -> None:
        x[0] = other[0]


def test_halves_that_differ_are_found(compiling: Device) -> None:
    with pytest.raises(CheckFailed, match=r"in C\+\+ on"):
        check_recombination(Biased(), BitString(3), devices=[compiling.name])


def test_wrong_crossovers_are_found() -> None:
    with pytest.raises(CheckFailed, match="both parents have the same value at position 0"):
        check_recombination(Forgetful(), BitString(3))
    with pytest.raises(CheckFailed, match="parents are equal"):
        check_recombination(Forgetful(), Permutation(3))
    with pytest.raises(CheckFailed, match="not a solution"):
        check_recombination(Repeating(), Permutation(3))
    with pytest.raises(CheckFailed, match="does not support"):
        check_recombination(Uniform(), Permutation(3))
    with pytest.raises(CheckFailed, match="more than 1,000"):
        check_recombination(UniformLike(), Permutation(12))


def of_ones_own(cross: Callable[[Any, Any, Any], Any], **facts: Any) -> Crossover:
    """A crossover in Python alone."""

    class Own(Crossover):
        keeps: ClassVar[str] = facts.get("keeps", "nothing")
        copies: ClassVar[bool] = facts.get("copies", False)

        def cross(self, x: Any, other: Any, random: Any) -> Any:
            return cross(x, other, random)

    return Own()


def into_second_parent(x: Any, other: Any, random: Any) -> None:
    other[:] = x[::-1]


@pytest.mark.parametrize(
    ("crossover", "message"),
    [
        (of_ones_own(into_second_parent), r"`cross` of \[0, 1, 2\] and .* changes the second parent.*\nMaybe"),
        (of_ones_own(lambda x, other, random: other.copy()), r"returns array\(\[0, 1, 2\].*\nMaybe"),
        (of_ones_own(lambda x, other, random: x[len(x)]), "raises IndexError"),
        (of_ones_own(lambda x, other, random: None, keeps="everything"), "nothing, common, parents.*'everything'"),
        (of_ones_own(lambda x, other, random: x.put(range(3), other), copies=True), "`copies` is True"),
    ],
)
def test_crossovers_that_break_the_contract_are_found(crossover: Crossover, message: str) -> None:
    with pytest.raises(CheckFailed, match=message):
        check_recombination(crossover, Permutation(3))


def test_a_population_and_islands_are_safe_from_a_crossover_that_writes_the_second_parent() -> None:
    search = GeneticAlgorithm(of_ones_own(into_second_parent), NoPerturbation(), size=5)
    with pytest.raises(ValueError, match="read-only"):
        run(search, QAP.random(5, 1), stop=stop.iterations(20), seed=1, parallel="numpy")
    model = Islands(Multistart(3, device="numpy"), 5, recombination=IntoOther(), replaces="always")
    with pytest.raises(ValueError, match="read-only"):
        run(TabuSearch(Swap()), QAP.random(5, 1), stop=stop.iterations(20), seed=1, parallel=model)


def test_wrong_representations_are_refused() -> None:
    with pytest.raises(InputError, match=r"OrderCrossover.*OneMax.*\nMaybe"):
        OrderCrossover().require(OneMax(5))
    with pytest.raises(InputError, match=r"Uniform.*QAP"):
        Uniform().require(QAP.random(5, 1))


def pairs_of(problem: Problem, count: int) -> list[tuple[EvaluatedSolution, EvaluatedSolution]]:
    space = problem.representation
    xs = space.starts([Key(5, walk) for walk in range(2 * count)])
    everyone = [EvaluatedSolution(space, x, problem.cost(x)) for x in xs]
    return list(zip(everyone[:count], everyone[count:], strict=True))


@pytest.mark.parametrize(
    ("crossover", "problem"),
    [*((each, OneMax(20)) for each in STRINGS), *((each, QAP.random(9, 1)) for each in ORDERS)],
    ids=repr,
)
def test_compiled_code_makes_the_same_children_of_many_pairs(crossover: Crossover, problem: Problem) -> None:
    pairs = pairs_of(problem, 6)
    randoms = [Random(Key(3, walk), Stream.RECOMBINATION, 100 + walk) for walk in range(6)]
    plain, compiled_ones = (crossover.bound(problem, threads)(pairs, randoms) for threads in (0, 1))
    assert [each.solution.tolist() for each in compiled_ones] == [each.solution.tolist() for each in plain]
    assert [each.cost for each in compiled_ones] == [each.cost for each in plain]
    assert any((each.solution != own.solution).any() for each, (own, _) in zip(plain, pairs, strict=True))


def test_a_crossover_without_a_cpp_half_makes_children_in_python() -> None:
    problem = OneMax(8)
    pairs = pairs_of(problem, 2)
    randoms = [Random(Key(3, walk), Stream.RECOMBINATION, 1) for walk in range(2)]
    children = Second().bound(problem, 1)(pairs, randoms)
    assert [each.solution.tolist() for each in children] == [other.solution.tolist() for _, other in pairs]


@pytest.mark.parametrize("device", ["numpy", "host"])
def test_islands_recombine_by_crossovers(device: str) -> None:
    model = Islands(Multistart(3, device=device), 5, recombination=UniformLike(), replaces="always")
    qap = QAP.random(8, 1)
    found = run(TabuSearch(Swap()), qap, stop=stop.iterations(20), seed=1, parallel=model)
    assert found.cost == qap.cost(found.solution)
    alone = run(
        TabuSearch(Swap()),
        qap,
        stop=stop.iterations(20),
        seed=1,
        parallel=evolve(model, model=Multistart(3, device="numpy")),
    )
    assert found.walks.costs.tolist() == alone.walks.costs.tolist()
