"""Decomposition into subproblems against its definition, with fractions; weights that divide a simplex."""

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Random, run, stop
from metaheur.archives import nearest_weights, simplex_lattice
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming
from metaheur.parts import Breeding, Decomposition, NearParents, RandomMoves, Uniform
from metaheur.problems import QUBO, MultiObjective
from metaheur.random import Stream
from metaheur.searches import MOEAD

WEIGHTS = simplex_lattice(8, 3)
NEAR = nearest_weights(WEIGHTS, 6)


def population(seed: int) -> dict[str, Any]:
    """Members, a child that is better than many of them, and an ideal point that is the least of all members."""
    generator = np.random.default_rng(seed)
    size = len(WEIGHTS)
    costs = generator.integers(0, 999, (size, 3)) + (999 if seed % 3 else 0) * np.eye(3, dtype=np.int64)[0]
    return {
        "solutions": np.arange(size * 2).reshape(size, 2),
        "costs": costs,
        "children": np.full((1, 2), -1),
        "child_costs": generator.integers(0, 500, (1, 3)) + (-400, 0, 300, 600)[seed % 4],
        "parents": generator.integers(0, size, 2),
        "ideal": costs.min(axis=0)[None].copy(),
    }


@pytest.mark.parametrize("most", [1, 3, 6])
def test_a_child_takes_the_places_of_neighbors_whose_subproblems_it_solves_better(most: int) -> None:
    numbers = set()
    for seed in range(40):
        kept = population(seed)
        costs, child = kept["costs"].tolist(), kept["child_costs"][0].tolist()
        ideal = [min(column) for column in zip(*costs, child, strict=True)]
        spread = [max(column) - z for column, z in zip(zip(*costs, strict=True), ideal, strict=True)]

        def chebyshev(cost: list[int], s: int, z: list[int] = ideal, h: list[int] = spread) -> Fraction:
            weights = [max(Fraction(round(8 * w), 8), Fraction(1, 10**6)) for w in WEIGHTS[s].tolist()]
            return max(w * Fraction(c - low, d) for w, c, low, d in zip(weights, cost, z, h, strict=True))

        near = NEAR[kept["parents"][0]].tolist()
        leaving = [s for s in near if chebyshev(child, s) <= chebyshev(costs[s], s)][:most]
        Decomposition(WEIGHTS, NEAR, most).replace(kept)
        assert kept["costs"].tolist() == [child if s in leaving else cost for s, cost in enumerate(costs)]
        assert np.flatnonzero(kept["solutions"][:, 0] == -1).tolist() == sorted(leaving)
        assert kept["ideal"].tolist() == [ideal]
        numbers.add(len(leaving))
    assert numbers >= {0, most}


def test_a_full_population_is_rated_by_its_least_values() -> None:
    kept = population(1)
    expected = kept["ideal"].copy()
    kept["ideal"][:] = 0
    Decomposition(WEIGHTS, NEAR).rate(kept)
    assert kept["ideal"].tolist() == expected.tolist()


def test_parents_are_a_random_member_and_one_of_its_neighbors() -> None:
    selection, pairs = NearParents(NEAR[:, 1:]), set()
    for iteration in range(3_000):
        random = Random(Key(1), Stream.SELECTION, iteration)
        pairs.add(tuple(selection.parent(np.zeros(len(NEAR)), random, number) for number in range(2)))
    assert pairs == {(s, int(t)) for s, row in enumerate(NEAR) for t in row[1:]}


def test_weights_divide_a_simplex() -> None:
    for divisions, objectives in ((1, 2), (5, 2), (4, 3), (3, 5)):
        rows = simplex_lattice(divisions, objectives)
        assert rows.shape == (comb(divisions + objectives - 1, objectives - 1), objectives)
        assert len({tuple(row) for row in rows.tolist()}) == len(rows)
        assert np.allclose(rows.sum(axis=1), 1)
        assert np.array_equal(rows * divisions, np.rint(rows * divisions))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: simplex_lattice(0, 3), "`divisions` must be a whole number from 1 on, but is 0"),
        (lambda: simplex_lattice("a", 3), "`divisions` must be a whole number from 1 on, but is 'a'"),  # type: ignore[arg-type, unused-ignore]
        (lambda: simplex_lattice(3, 1), "`objectives` must be a whole number from 2 on, but is 1"),
        (lambda: nearest_weights([[1, 0], [0, 1]], 0), "`count` must be a whole number from 1 on, but is 0"),
        (lambda: nearest_weights([1, 0], 1), "`weights` must be a matrix"),
        (lambda: nearest_weights([[1, float("nan")]], 1), "`weights` must hold finite numbers"),
    ],
)
def test_wrong_lattices_are_refused(make: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make()


def test_weights_may_be_a_list_and_few() -> None:
    assert nearest_weights([[1, 0], [0, 1]], 9).tolist() == [[0, 1], [1, 0]]


def test_wrong_weights_and_neighbors_are_refused() -> None:
    with pytest.raises(InputError, match=r"weights.*-1"):
        Decomposition(np.array([[1, -1]]), np.array([[0]]))
    with pytest.raises(InputError, match=r"neighbors.*row for each of 2.*\nMaybe.*nearest_weights"):
        Decomposition(np.eye(2), np.array([[0]]))
    with pytest.raises(InputError, match=r"0 \.\.\. 1, but one is 2"):
        Decomposition(np.eye(2), np.array([[0], [2]]))
    with pytest.raises(InputError, match=r"0 \.\.\. 1, but are"):
        NearParents(np.array([[0], [2]]))
    with pytest.raises(InputError, match=r"5 members and 45 rows.*\nMaybe"):
        Breeding(Uniform(), size=5, replacement=Decomposition(WEIGHTS, NEAR))
    with pytest.raises(InputError, match=r"5 members and 45 rows.*\nMaybe"):
        Breeding(Uniform(), size=5, selection=NearParents(NEAR))
    with pytest.raises(InputError, match=r"5151 weights, more than 5000"):
        MOEAD(Uniform(), RandomMoves(Hamming(), 1), objectives=3, divisions=100)
    two = MultiObjective([QUBO(np.eye(5, dtype=int)), QUBO(-np.eye(5, dtype=int))])
    with pytest.raises(InputError, match=r"3 objectives.*has 2.*\nMaybe.*objectives=2"):
        run(
            MOEAD(Uniform(), RandomMoves(Hamming(), 1), objectives=3, divisions=9),
            two,
            stop=stop.iterations(1),
            parallel="numpy",
        )
