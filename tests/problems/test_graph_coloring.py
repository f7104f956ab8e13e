"""Graph coloring: costs and changes of cost against loops over the edges."""

import csv
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.substitution import Substitution, SubstitutionMove
from metaheur.parts import Tenure
from metaheur.problems.formats.dimacs import write_col
from metaheur.problems.graph_coloring import GraphColoring
from metaheur.representation import DiscreteVector
from metaheur.searches import HybridEvolutionaryAlgorithm
from metaheur.testing import check_problem
from tests.helpers import solution_of

PATH = [[0, 1], [2, 1], [2, 3]]


def conflicts(edges: Any, x: Any) -> int:
    return sum(x[i] == x[j] for i, j in edges)


@st.composite
def instances(draw: st.DrawFn) -> GraphColoring:
    n = draw(st.integers(1, 8))
    pairs = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    turned = [edge[::-1] if draw(st.booleans()) else edge for edge in edges]
    return GraphColoring(n, turned, draw(st.integers(2, 5)))


def test_the_cost_counts_edges_with_both_ends_of_one_color() -> None:
    problem = GraphColoring(4, PATH, 3)
    assert problem.cost(np.array([0, 0, 0, 0])) == 3
    assert problem.cost(np.array([0, 1, 1, 2])) == 1
    assert problem.cost(np.array([0, 1, 0, 1])) == 0


@given(instances(), st.integers(0, 100))
def test_costs_are_those_of_a_loop_over_the_edges(problem: GraphColoring, seed: int) -> None:
    rows = np.stack([solution_of(problem, seed + k) for k in range(3)])
    assert problem.costs(rows).tolist() == [conflicts(problem.edges.tolist(), row) for row in rows]
    assert [problem.cost(row) for row in rows] == problem.costs(rows).tolist()


@given(instances(), st.integers(0, 100))
def test_every_change_of_cost_is_that_of_the_recolored_graph(problem: GraphColoring, seed: int) -> None:
    check_problem(problem, Substitution(), seed=seed, devices=[])


@pytest.mark.parametrize(
    "problem",
    [
        GraphColoring(1, [], 2),
        GraphColoring(5, [], 3),
        GraphColoring(4, PATH, 2),
        GraphColoring.random(12, 4, density=1.0, seed=1),
        GraphColoring.random(40, 7, density=0.3, seed=2),
    ],
)
def test_the_cpp_half_counts_the_same(problem: GraphColoring, compiling: Device) -> None:
    check_problem(problem, Substitution(), devices=[compiling.name])


def test_a_graph_of_chromatic_number_4_has_no_proper_3_coloring(tmp_path: Path) -> None:
    cycle = [(i, (i + 1) % 5) for i in range(5)]
    mirrored = [(i, 5 + j) for i, j in cycle] + [(j, 5 + i) for i, j in cycle]
    groetzsch = np.sort(cycle + mirrored + [(5 + i, 10) for i in range(5)], axis=1)
    write_col(tmp_path / "myciel3.col", 11, groetzsch)
    three, four = (GraphColoring.from_file(tmp_path / "myciel3.col", k) for k in (3, 4))
    assert min(three.costs(np.array(list(product(range(3), repeat=11))))) == 1
    assert four.cost(np.array([0, 1, 0, 1, 2, 0, 1, 0, 1, 2, 3])) == 0


def test_the_same_seed_gives_the_same_random_graph() -> None:
    one, same, other = (GraphColoring.random(30, 3, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.edges, same.edges)
    assert not np.array_equal(one.edges, other.edges)
    assert 150 < len(one.edges) < 285


def test_a_random_graph_of_extreme_density_is_empty_or_complete() -> None:
    assert GraphColoring.random(9, 3, density=0, seed=1).edges.shape == (0, 2)
    assert GraphColoring.random(9, 3, density=1, seed=1).edges.tolist() == [list(p) for p in combinations(range(9), 2)]


def test_its_solutions_are_vectors_of_colors() -> None:
    assert GraphColoring(4, PATH, 3).representation == DiscreteVector(4, 3)


def test_edges_are_a_copy_of_ones_own() -> None:
    edges = np.array(PATH)
    problem = GraphColoring(4, edges, 3)
    edges[0, 0] = 3
    assert problem.edges.tolist() == PATH
    with pytest.raises(ValueError, match="read-only"):
        problem.edges[0, 0] = 3


@pytest.mark.parametrize(
    ("n", "edges", "k", "reason"),
    [
        (0, [], 3, r"`n` must be a whole number in 1 \.\.\. 2147483646"),
        (2**31 - 1, [], 3, r"`n` must be a whole number in 1 \.\.\. 2147483646"),
        (4, PATH, 1, r"`k` must be a whole number in 2 \.\.\. 2147483647"),
        (3, PATH, 3, r"`edges` must be in 0 \.\.\. 2, but one is 3"),
        (4, [[0, -1]], 3, "`edges` must be 0 or more, .*, but one is -1"),
        (4, [[0, 2**31]], 3, "less than n, but one is 2147483648"),
        (4, [[0, 1], [2, 2]], 3, "joins vertex 2 to itself"),
        (4, [[0, 1], [1, 0]], 3, r"The edge \(0, 1\) is listed twice"),
        (4, [[0, 1, 2]], 3, r"`edges` must have the shape \(m, 2\)"),
        (4, [0, 1], 3, r"`edges` must have the shape \(m, 2\)"),
        (4, [[0, 1], [2]], 3, "`edges` is ragged"),
        (4, [[0, 1.5]], 3, "`edges` must hold whole numbers"),
        (4, [["0", "1"]], 3, "`edges` must hold whole numbers"),
    ],
)
def test_what_makes_no_instance_is_refused(n: int, edges: Any, k: int, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        GraphColoring(n, edges, k)


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ({"n": 0}, r"`n` must be a whole number in 1 \.\.\. 20000"),
        ({"n": 20_001}, r"`n` must be a whole number in 1 \.\.\. 20000"),
        ({"density": 1.5}, "`density` must be a finite number"),
        ({"density": "x"}, "density"),
        ({"seed": -1}, "`seed` must be a whole number"),
    ],
)
def test_what_makes_no_random_graph_is_refused(numbers: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        GraphColoring.random(**{"n": 5, "k": 3, "seed": 1, **numbers})


def test_every_published_graph_is_read_and_a_move_changes_its_cost_as_said(data_folder: Path) -> None:
    with (data_folder / "gcp" / "bks.csv").open(newline="") as table:
        rows = {row["instance"]: row for row in csv.DictReader(table)}
    files = sorted((data_folder / "gcp").glob("*.col"))
    assert files
    for file in files:
        problem = GraphColoring.from_file(file, int(rows[file.stem]["colors"]) if file.stem in rows else 5)
        x, move = solution_of(problem), SubstitutionMove(0, 1, problem.k)
        assert problem.cost(move.apply(x)) - problem.cost(x) == problem.delta(x, move)


@pytest.mark.parametrize(("n", "low", "high"), [(1, 4, 13), (250, 5, 14), (500, 10, 19), (1000, 20, 29)])
def test_tenures_grow_with_graphs(n: int, low: int, high: int) -> None:
    (found,) = GraphColoring.random(n, 3, density=0.01, seed=1).recommended()
    assert isinstance(found.search, HybridEvolutionaryAlgorithm)
    assert found.search.tenure == Tenure(0, 0, low_plus=low, high_plus=high)
