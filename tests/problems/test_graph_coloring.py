"""Graph colouring: costs and changes of cost against loops over the edges."""

import csv
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.neighborhoods.substitution import Substitution, SubstitutionMove
from metaheur.problems.dimacs import write_col
from metaheur.problems.graph_coloring import GraphColoring
from metaheur.random import Key, Random
from metaheur.representation import DiscreteVector, Solution
from metaheur.testing import check_problem

PATH = [[0, 1], [2, 1], [2, 3]]


def conflicts(edges: Any, x: Any) -> int:
    return sum(x[i] == x[j] for i, j in edges)


def random_solution(problem: GraphColoring, seed: int = 1) -> Solution:
    return problem.representation.random(Random(Key(seed), 0, 0))


@st.composite
def instances(draw: st.DrawFn) -> GraphColoring:
    n = draw(st.integers(1, 8))
    pairs = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    turned = [edge[::-1] if draw(st.booleans()) else edge for edge in edges]
    return GraphColoring(n, turned, draw(st.integers(2, 5)))


def test_the_cost_counts_edges_with_both_ends_of_one_colour() -> None:
    problem = GraphColoring(4, PATH, 3)
    assert problem.cost(np.array([0, 0, 0, 0])) == 3
    assert problem.cost(np.array([0, 1, 1, 2])) == 1
    assert problem.cost(np.array([0, 1, 0, 1])) == 0


@given(instances(), st.integers(0, 100))
def test_costs_are_those_of_a_loop_over_the_edges(problem: GraphColoring, seed: int) -> None:
    rows = np.stack([random_solution(problem, seed + k) for k in range(3)])
    assert problem.costs(rows).tolist() == [conflicts(problem.edges.tolist(), row) for row in rows]
    assert [problem.cost(row) for row in rows] == problem.costs(rows).tolist()


@given(instances(), st.integers(0, 100))
def test_every_change_of_cost_is_that_of_the_recoloured_graph(problem: GraphColoring, seed: int) -> None:
    x, edges = random_solution(problem, seed), problem.edges.tolist()
    moves = list(Substitution().moves(problem.representation))
    expected = []
    for move in moves:
        recoloured = x.tolist()
        recoloured[move.at] = (recoloured[move.at] + move.shift) % problem.k
        expected.append(conflicts(edges, recoloured) - conflicts(edges, x))
    assert [problem.delta(x, move) for move in moves] == expected
    batch = Substitution().batch(problem.representation, np.arange(len(moves)))
    assert problem.delta(x, batch).tolist() == expected


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
def test_the_cpp_half_counts_the_same(problem: GraphColoring) -> None:
    check_problem(problem, Substitution(), devices=["host"])


@pytest.mark.cuda
def test_a_gpu_counts_the_same(gpu: Any) -> None:
    check_problem(GraphColoring.random(40, 7, density=0.3, seed=2), Substitution(), devices=[gpu.name])


def test_a_graph_of_chromatic_number_4_has_no_proper_3_colouring(tmp_path: Path) -> None:
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


def test_its_solutions_are_vectors_of_colours() -> None:
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
        (0, [], 3, "n is the number of vertices"),
        (2**31 - 1, [], 3, "n is the number of vertices"),
        (4, PATH, 1, "k is the number of colours"),
        (3, PATH, 3, r"edges holds 3, but the vertices are 0 \.\.\. 2"),
        (4, [[0, -1]], 3, "edges holds -1, which is no vertex"),
        (4, [[0, 2**31]], 3, "edges holds 2147483648, which is no vertex"),
        (4, [[0, 1], [2, 2]], 3, "joins vertex 2 to itself"),
        (4, [[0, 1], [1, 0]], 3, "between 0 and 1 is there twice"),
        (4, [[0, 1, 2]], 3, r"edges has the shape \(m, 2\)"),
        (4, [0, 1], 3, r"edges has the shape \(m, 2\)"),
        (4, [[0, 1], [2]], 3, "edges is ragged"),
        (4, [[0, 1.5]], 3, "edges is made of whole numbers"),
        (4, [["0", "1"]], 3, "edges is made of whole numbers"),
    ],
)
def test_what_makes_no_instance_is_refused(n: int, edges: Any, k: int, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        GraphColoring(n, edges, k)


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ({"n": 0}, "size of a random graph"),
        ({"n": 20_001}, "size of a random graph"),
        ({"density": 1.5}, "density"),
        ({"density": "x"}, "density"),
        ({"seed": -1}, "seed"),
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
        x, move = random_solution(problem), SubstitutionMove(0, 1, problem.k)
        assert problem.cost(move.apply(x)) - problem.cost(x) == problem.delta(x, move)
