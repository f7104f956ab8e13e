"""AlignedCrossover: parents agree wherever symmetric solutions can, and children keep what both mean."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from metaheur import EvaluatedSolution, Key, Random, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import Islands, Multistart
from metaheur.parts import AlignedCrossover, CycleCrossover, NoCrossover, OrderCrossover, Uniform, UniformLike
from metaheur.problems import QAP
from metaheur.random import Stream
from metaheur.representation import BitString, Permutation
from metaheur.searches import TabuSearch
from metaheur.testing import check_recombination

KINDS = np.array([0, 1, 0, 1, 1, 2])


@pytest.mark.parametrize("kinds", [[0, 0, 0, 0], [0, 1, 2, 3], [0, 1, 0, 1], [1, 0, 0, 0]])
@pytest.mark.parametrize("inner", [UniformLike(), CycleCrossover(), OrderCrossover(), NoCrossover()], ids=repr)
def test_children_keep_the_promises(inner: Any, kinds: list[int], compiling: Device) -> None:
    crossover = AlignedCrossover(inner, np.array(kinds))
    assert crossover.keeps == ("nothing" if inner == OrderCrossover() else "common")
    check_recombination(crossover, Permutation(4), devices=[compiling.name])


def kinds_of_values(x: np.ndarray) -> dict[int, int]:
    """The kind of position at which each value is."""
    return dict(zip(x.tolist(), KINDS.tolist(), strict=True))


def crossed(crossover: AlignedCrossover, own: np.ndarray, other: np.ndarray, draw: int = 0) -> np.ndarray:
    child = own.copy()
    crossover.cross(child, other, Random(Key(1), Stream.RECOMBINATION, draw))
    return child


def test_an_aligned_parent_means_the_same_and_is_as_like_the_other_as_a_symmetric_solution_can_be() -> None:
    everyone = np.array(list(permutations(range(6))))
    for own in everyone[::37]:
        means = kinds_of_values(own)
        symmetric = np.array([x for x in everyone if kinds_of_values(x) == means])
        for other in everyone[::41]:
            aligned = crossed(AlignedCrossover(NoCrossover(), KINDS), own, other)
            assert kinds_of_values(aligned) == means
            assert (aligned == other).sum() == (symmetric == other).sum(axis=1).max()


def test_children_keep_the_values_that_both_parents_have_at_positions_of_a_kind() -> None:
    generator = np.random.default_rng(1)
    changed = 0
    for draw in range(200):
        own, other = generator.permutation(6), generator.permutation(6)
        child = crossed(AlignedCrossover(UniformLike(), KINDS), own, other, draw)
        common = kinds_of_values(own).items() & kinds_of_values(other).items()
        assert common <= kinds_of_values(child).items()
        changed += kinds_of_values(child) != kinds_of_values(own)
    assert changed > 20


def test_islands_make_the_same_children_on_each_device(device: str) -> None:
    qap = QAP(np.equal.outer(KINDS, KINDS), QAP.random(6, 1).b)
    crossover = AlignedCrossover(UniformLike(), qap.kinds)
    found = [
        run(
            TabuSearch(Swap()),
            qap,
            stop=stop.iterations(40),
            seed=1,
            parallel=Islands(Multistart(4, device=name), 5, recombination=crossover, replaces="always"),
        )
        for name in ("numpy", device)
    ]
    assert found[0].walks.costs.tolist() == found[1].walks.costs.tolist()
    assert found[0].walks.improved_at.tolist() == found[1].walks.improved_at.tolist()


def test_compiled_code_makes_the_same_children_of_many_pairs() -> None:
    qap = QAP.random(40, 1)
    crossover = AlignedCrossover(UniformLike(), np.arange(40) // 15)
    xs = qap.representation.starts([Key(5, walk) for walk in range(12)])
    everyone = [EvaluatedSolution(qap.representation, x, qap.cost(x)) for x in xs]
    pairs = list(zip(everyone[:6], everyone[6:], strict=True))
    randoms = [Random(Key(3, walk), Stream.RECOMBINATION, 100) for walk in range(6)]
    plain, fast = (crossover.bound(qap, threads)(pairs, randoms) for threads in (0, 1))
    assert [each.solution.tolist() for each in fast] == [each.solution.tolist() for each in plain]
    assert [each.cost for each in fast] == [each.cost for each in plain]


def test_what_does_not_fit_is_refused() -> None:
    crossover = AlignedCrossover(UniformLike(), KINDS)
    assert not crossover.supports(Permutation(7))
    assert not crossover.supports(BitString(6))
    with pytest.raises(InputError, match=r"`AlignedCrossover\.kinds` has the kinds of 6 positions.*has 7.*\nMaybe"):
        crossover.require(QAP.random(7, 1))
    with pytest.raises(InputError, match="Uniform"):
        AlignedCrossover(Uniform(), KINDS).require(QAP.random(6, 1))
    with pytest.raises(InputError, match=r"`AlignedCrossover\.kinds` must hold numbers of 0 \.\.\. 1"):
        AlignedCrossover(UniformLike(), np.array([0, 2]))
    with pytest.raises(InputError, match=r"AlignedCrossover\.crossover"):
        AlignedCrossover(3, KINDS)  # type: ignore[arg-type]
