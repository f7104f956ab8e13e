"""MaxCut: cuts and changes of cost against loops over the edges, from no edges to all."""

import csv
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.problems.graph_files import write_gset
from metaheur.problems.max_cut import MaxCut
from metaheur.representation import BitString
from metaheur.testing import check_problem, check_search

LIMIT = 2**55
DENSITIES = {"no edge": 0.0, "sparse": 0.3, "dense": 0.7, "complete": 1.0}
densities = pytest.mark.parametrize("density", DENSITIES)
radii = pytest.mark.parametrize("radius", [1, 2, 3, 4])


def instance(density: str, n: int, scale: int = 1) -> MaxCut:
    random = np.random.default_rng(n)
    edges = [pair[::-1] for pair in combinations(range(n), 2) if random.random() < DENSITIES[density]]
    return MaxCut.from_edges(n, edges, random.integers(-9, 30, len(edges)) * scale)


def cut_by_loops(problem: MaxCut, x: Any) -> int:
    graph = problem.graph
    edges = zip(graph.i.tolist(), graph.j.tolist(), graph.w.tolist(), strict=True)
    return sum(w for i, j, w in edges if x[i] != x[j])


def bits(n: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2, n, np.uint8)


@densities
@pytest.mark.parametrize("n", [1, 2, 9])
def test_the_cost_is_the_negative_of_the_cut(density: str, n: int) -> None:
    problem = instance(density, n)
    rows = np.stack([bits(n, seed) for seed in range(5)])
    assert [problem.cost(x) for x in rows] == [-cut_by_loops(problem, x) for x in rows]
    assert problem.costs(rows).tolist() == [problem.cost(x) for x in rows]
    assert type(problem.cost(rows[0])) is int


def test_a_triangle_is_cut_in_two_edges_at_most() -> None:
    triangle = MaxCut.from_edges(3, [(0, 1), (2, 1), (0, 2)])
    cuts = {x: triangle.shown(triangle.cost(np.array(x, np.uint8))) for x in product((0, 1), repeat=3)}
    assert cuts == {x: 0 if len(set(x)) == 1 else 2 for x in cuts}


@densities
@radii
def test_every_change_of_cost_is_that_of_the_flipped_solution(density: str, radius: int) -> None:
    problem, x = instance(density, 7), bits(7)
    for at in combinations(range(7), radius):
        flipped = [1 - bit if i in at else bit for i, bit in enumerate(x.tolist())]
        assert problem.delta(x, FlipMove(at)) == cut_by_loops(problem, x) - cut_by_loops(problem, flipped)


@radii
@pytest.mark.parametrize("density", ["sparse", "complete"])
def test_max_cut_keeps_every_promise_of_a_problem(density: str, radius: int) -> None:
    check_problem(instance(density, 9), Hamming(radius), devices=["host"])


def test_large_weights_and_no_weights_keep_them_too() -> None:
    for problem in (instance("dense", 9, 2**40), instance("no edge", 9)):
        check_problem(problem, Hamming(1), Hamming(2), devices=["host"])


@pytest.mark.parametrize("radius", [1, 2])
@pytest.mark.parametrize("density", ["no edge", "sparse"])
def test_a_tabu_search_makes_the_same_steps_on_every_device(density: str, radius: int) -> None:
    check_search(TabuSearch(Hamming(radius)), instance(density, 9), iterations=60, devices=["host"])


@densities
def test_the_adjacency_lists_each_edge_from_both_ends(density: str) -> None:
    problem = instance(density, 9)
    begin, neighbor, weight = problem.adjacency
    found = {(i, int(neighbor[e])): int(weight[e]) for i in range(9) for e in range(int(begin[i]), int(begin[i + 1]))}
    graph = problem.graph
    edges = dict(zip(zip(graph.i.tolist(), graph.j.tolist(), strict=True), graph.w.tolist(), strict=True))
    assert found == edges | {(j, i): w for (i, j), w in edges.items()}
    assert all((np.diff(neighbor[begin[i] : begin[i + 1]]) > 0).all() for i in range(9))
    assert all(problem.weight(i, j) == found.get((i, j), 0) for i in range(9) for j in range(9))


def test_int32_is_chosen_where_weights_are_small() -> None:
    assert instance("dense", 9).cost_type == "int32"
    assert instance("dense", 9, 2**24).cost_type == "int64"
    heavy = 2**31 // 64
    assert MaxCut.from_edges(2, [(0, 1)], [heavy]).cost_type == "int64"
    assert MaxCut.from_edges(2, [(0, 1)], [heavy - 1]).cost_type == "int32"


@pytest.mark.parametrize(
    ("n", "edges", "weights", "reason"),
    [
        (2, [0, 1], None, r"edges is a list of pairs, shape \(m, 2\), but its shape is \(2,\)"),
        (2, [(0, 1, 2)], None, r"shape is \(1, 3\)"),
        (2, [(0, 2)], None, "but 0 <= i < j < n = 2"),
        (2, [(1, 1)], None, "but 0 <= i < j < n = 2"),
        (3, [(0, 1), (1, 0)], None, "Terms 0 and 1 have the same"),
        (2, [(0, 1)], [1, 2], "i, j and w have one length"),
        (2, [(0, 1)], [0.5], r"w holds 0\.5, but its values are whole numbers"),
        (0, [], None, "n is a whole number in 1"),
        (2, [(0, 1)], [LIMIT], f"absolute weights add up to {LIMIT}, which overflows int64"),
        (3, [(0, 1), (1, 2)], [LIMIT - 1, -1], f"absolute weights add up to {LIMIT}, which overflows int64"),
    ],
)
def test_what_makes_no_instance_is_refused(n: int, edges: Any, weights: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        MaxCut.from_edges(n, edges, weights)


def test_an_instance_is_read_from_a_file(tmp_path: Path) -> None:
    write_gset(tmp_path / "path.txt", MaxCut.from_edges(3, [(0, 1), (1, 2)], [5, 7]).graph)
    problem = MaxCut.from_file(tmp_path / "path.txt")
    assert problem.representation == BitString(3)
    assert problem.cost(np.array([0, 1, 0])) == -12
    assert problem.cost(np.array([0, 1, 1])) == -5


def test_twenty_thousand_vertices_take_memory_in_proportion_to_their_edges() -> None:
    n = 20_000
    ring = MaxCut.from_edges(n, [(i, (i + 1) % n) for i in range(n)])
    assert sum(table.size for table in ring.tables.values()) == n + 1 + 2 * 2 * n
    x = np.arange(n, dtype=np.uint8) % 2
    assert ring.cost(x) == -n
    assert ring.delta(x, Hamming(1).batch(ring.representation, np.arange(n))).tolist() == [2] * n


def test_a_short_tabu_search_comes_close_to_the_best_known_cut(data_folder: Path) -> None:
    with (data_folder / "qubo" / "bks.csv").open(newline="") as table:
        known = {row["instance"]: row for row in csv.DictReader(table)}
    problem = MaxCut.from_file(data_folder / "qubo" / known["G1"]["file"])
    best = int(known["G1"]["best_known"])
    search = TabuSearch(Hamming(), tenure=(0.05, 0.1))
    result = run(search, problem, stop=stop.iterations(100_000), seed=1, parallel="host")
    assert 0.998 * best <= result.cost <= best
    assert cut_by_loops(problem, result.solution) == result.cost
