"""MaxCut: cuts and changes of cost against loops over the edges, from no edges to all."""

import csv
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur import TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.problems.formats.gset import write_gset
from metaheur.problems.max_cut import MaxCut, WeightedGraph
from metaheur.representation import BitString
from metaheur.testing import check_problem

LIMIT = 2**55
DENSITIES = {"no edge": 0.0, "sparse": 0.3, "dense": 0.7, "complete": 1.0}
densities = pytest.mark.parametrize("density", DENSITIES)


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
    cuts = {x: triangle.displayed(triangle.cost(np.array(x, np.uint8))) for x in product((0, 1), repeat=3)}
    assert cuts == {x: 0 if len(set(x)) == 1 else 2 for x in cuts}


@densities
@pytest.mark.parametrize("n", [1, 2, 9])
def test_every_change_of_cost_is_right(density: str, n: int) -> None:
    radii = (1, 2, 3, 4) if n == 9 else (1, 2)
    for seed in range(5):
        check_problem(instance(density, n), *map(Hamming, radii), seed=seed, devices=[])


@densities
@pytest.mark.parametrize("radius", [1, 4])
def test_the_cpp_half_says_the_same(density: str, radius: int, compiling: Device) -> None:
    for n in (1, 2, 9):
        check_problem(instance(density, n), Hamming(radius), devices=[compiling.name])


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
    heavy = 2**31 // 64
    for moves in ((FlipMove,), ()):
        assert instance("dense", 9).change_type(moves) == "int32"
        assert MaxCut.from_edges(2, [(0, 1)], [heavy]).change_type(moves) == "int64"
        assert MaxCut.from_edges(2, [(0, 1)], [heavy - 1]).change_type(moves) == "int32"


def test_flips_may_take_int32_where_other_moves_may_not() -> None:
    many = MaxCut.from_edges(100, [(2 * i, 2 * i + 1) for i in range(50)], [2**25 - 1] * 50)
    assert many.change_type((FlipMove,)) == "int32"
    assert many.change_type(()) == many.cost_type == "int64"


@pytest.mark.parametrize(
    ("n", "edges", "weights", "reason"),
    [
        (2, [0, 1], None, r"`edges` must have the shape \(m, 2\), .*, but has \(2,\)"),
        (2, [(0, 1, 2)], None, r"but has \(1, 3\)"),
        (2, [(0, 2)], None, "must have 0 <= i < j < n = 2"),
        (2, [(1, 1)], None, "must have 0 <= i < j < n = 2"),
        (3, [(0, 1), (1, 0)], None, "is listed twice, as numbers 0 and 1"),
        (2, [(0, 1)], [1, 2], "i, j and w must have the same length"),
        (2, [(0, 1)], [0.5], r"`w` must hold whole numbers \(int64\), but holds 0\.5"),
        (0, [], None, "`WeightedGraph.n` must be a whole number in 1"),
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
    assert sum(table.size for table in ring.tables(ring.representation).values()) == n + 1 + 2 * 2 * n
    x = np.arange(n, dtype=np.uint8) % 2
    assert ring.cost(x) == -n
    assert ring.delta(x, Hamming(1).batch(ring.representation, np.arange(n))).tolist() == [2] * n


def test_a_short_tabu_search_comes_close_to_the_best_known_cut(data_folder: Path) -> None:
    with (data_folder / "qubo" / "bks.csv").open(newline="") as table:
        known = {row["instance"]: row for row in csv.DictReader(table)}
    problem = MaxCut.from_file(data_folder / "qubo" / known["G1"]["file"])
    best = int(known["G1"]["best_known"])
    search = TabuSearch(Hamming(), tenure=(0.05, 0.1))
    result = run(search, problem, stop=stop.iterations(40_000), seed=1, parallel="host")
    assert 0.998 * best <= result.cost <= best
    assert cut_by_loops(problem, result.solution) == result.cost


@pytest.mark.parametrize(("degree", "weight", "hot"), [(0.1, 7, 3.5), (6, 1, 1.22), (30, 1, 2.0)])
def test_annealing_begins_at_a_temperature_that_follows_from_the_mean_degree(
    degree: float, weight: int, hot: float
) -> None:
    n = 100
    pairs = [*combinations(range(n), 2)][: int(degree * n / 2)]
    found = MaxCut.from_edges(n, np.array(pairs), np.full(len(pairs), -weight)).recommended_within(10**6, 1)
    assert found is not None
    search: Any = found.search
    assert search.temperature == pytest.approx(hot)
    assert search.schedule.last == pytest.approx(0.12 * weight)


edges = st.dictionaries(st.sampled_from([*combinations(range(4), 2)]), st.integers(-(2**50), 2**50))


@given(edges)
def test_the_matrix_of_a_graph_is_symmetric(weights: dict[tuple[int, int], int]) -> None:
    columns = np.array([(i, j, w) for (i, j), w in weights.items()], np.int64).reshape(-1, 3).T
    matrix = WeightedGraph(4, *columns).matrix()
    for i, j in product(range(4), repeat=2):
        assert matrix[i, j] == weights.get((min(i, j), max(i, j)), 0)


def test_a_graph_keeps_64_bit_integers_that_cannot_be_written() -> None:
    graph = WeightedGraph(3, np.array([0]), np.array([1]), np.array([7]))
    for field in (graph.i, graph.j, graph.w):
        assert field.dtype == np.int64
        assert not field.flags.writeable


def test_a_graph_has_no_loops() -> None:
    with pytest.raises(InputError, match="0 <= i < j < n"):
        WeightedGraph(3, np.array([1]), np.array([1]), np.array([1]))
