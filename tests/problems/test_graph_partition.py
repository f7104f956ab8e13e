"""Balanced partitions of graphs: changes of cost by kept links, optima of all partitions, files of METIS."""

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Interchange
from metaheur.problems import GraphPartition, problem_from_file
from metaheur.problems.formats.metis import read_metis
from metaheur.testing import check_problem

FILE = "4 4 1\n2 7 3 1\n1 7 3 2\n1 1 2 2 4 5\n3 5\n"


def cut(problem: GraphPartition, x: Any) -> int:
    pairs = zip(problem.edges.tolist(), problem.weights.tolist(), strict=True)
    return sum(weight for (u, v), weight in pairs if x[u] != x[v])


@pytest.mark.parametrize("factor", [-1, 2**50])
def test_changes_of_cost_of_kept_links_are_exact(factor: int, compiling: Device) -> None:
    drawn = GraphPartition.random(9, 3, density=0.5, seed=1)
    weights = factor * np.random.default_rng(1).integers(1, 9, len(drawn.edges))
    problem = GraphPartition(*map(np.array, ([2, 3, 4], [*drawn.edges, drawn.edges[0]], [*weights, factor])))
    report = check_problem(problem, Interchange(), devices=[compiling.name])
    assert {"cost", "delta"} <= set(report.offers[f"Interchange() on {compiling.name}"].names())


def test_the_recommended_searches_find_the_best_of_all_partitions() -> None:
    problem = GraphPartition.random(8, 3, density=0.5, seed=2)
    assert problem.sizes.tolist() == [3, 3, 2]
    best = min(cut(problem, x) for x in {*permutations([0, 0, 0, 1, 1, 1, 2, 2])})
    for each in problem.recommended():
        limit = stop.iterations(3000) | stop.target(best)
        result = run(each.search, problem, stop=limit, seed=1, parallel="numpy")
        assert result.cost == best == cut(problem, result.solution)


def test_the_recommended_annealing_is_as_long_as_the_budget() -> None:
    found = GraphPartition.random(20, 2, density=0.5, seed=1).recommended_within(5000, 3)
    assert found is not None
    assert (found.length, found.walks, found.of_length(9000).length) == (5000, 3, 9000)
    nothing = GraphPartition.random(20, 2, density=0.0, seed=1)
    assert nothing.recommended_within(5000, 3) is None
    assert len(nothing.recommended()) > 1


def test_files_of_metis_are_read_with_weights_comments_and_vertices_without_neighbors(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(FILE)
    problem = problem_from_file(tmp_path / "a", k=2)
    assert isinstance(problem, GraphPartition)
    assert problem.edges.tolist() == [[0, 1], [0, 2], [1, 2], [2, 3]]
    assert (problem.weights.tolist(), problem.sizes.tolist()) == ([7, 1, 2, 5], [2, 2])
    (tmp_path / "b.graph").write_text("% a comment\n3 1\n\n3\n% another\n2\n")
    assert [each.tolist() for each in read_metis(tmp_path / "b.graph")[1:]] == [[[1, 2]], [1]]
    (tmp_path / "c.graph").write_text("2 1 11 1\n1 2 6\n1 1 6\n")
    assert [each.tolist() for each in read_metis(tmp_path / "c.graph")[1:]] == [[[0, 1]], [6]]
    with pytest.raises(InputError, match="`k`, the number of groups, is missing"):
        problem_from_file(tmp_path / "a")


def test_a_cycle_may_be_a_list_of_edges_or_of_neighbors_so_that_its_file_must_say_which(tmp_path: Path) -> None:
    lines = "".join(f"{(v - 1) % 6 + 1} {(v + 1) % 6 + 1}\n" for v in range(6))
    (tmp_path / "a").write_text(f"6 6\n{lines}")
    with pytest.raises(InputError, match=r"2 formats.*colored.*divided"):
        problem_from_file(tmp_path / "a", k=2)
    assert isinstance(problem_from_file(tmp_path / "a", k=2, layout="metis"), GraphPartition)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("% only\n", "is empty, except for comments"),
        ("3 1\n2\n1\n", "has 2 lines of vertices, but its first line says 3"),
        ("2 1\n2\n\n", "lists edge .1, 2. in the line of vertex 1 alone"),
        ("2 1 1\n2 4\n1 5\n", "in the line of vertex . alone"),
        ("2 2\n2\n1\n", "has 1 edges, but its first line says 2"),
        ("2 1\n2 2\n1\n", "lists edge .1, 2. twice"),
        ("2 1\n3\n1\n", r"a vertex must be in 1 \.\.\. 2, but is 3"),
        ("2 1 1\n2\n1 5\n", "a vertex has no weight behind it"),
        ("2 1 10\n3 2\n1 1\n", r"weighs vertex 1 by \[3\]"),
    ],
)
def test_broken_files_are_refused_in_words(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "a.graph").write_text(text)
    with pytest.raises(InputError, match=reason):
        read_metis(tmp_path / "a.graph")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (([2, 1], [[0, 1]], [1, 2]), "a row of two vertices for each of 2 weights"),
        (([2, 0], [[0, 1]], [1]), "`sizes` must be 1 or more"),
        (([1, 1], [[0, 2]], [1]), r"two different vertices in 0 \.\.\. 1, but row 0 is \[0, 2\]"),
        (([1, 1], [[1, 1]], [1]), "two different vertices"),
        (([1, 1], [[0, 1]], [2**60]), "overflows int64"),
    ],
)
def test_what_is_no_instance_is_refused(fields: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        GraphPartition(*fields)
