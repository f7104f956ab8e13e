"""Local optima, basins and networks: against enumeration, and equal on all devices."""

import csv
from importlib.util import find_spec
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from metaheur import HillClimbing, SimulatedAnnealing, run, stop
from metaheur.device.names import device_of
from metaheur.errors import InputError
from metaheur.landscape import Landscape, Network, Optima, SearchTrajectoryNetwork, Trajectories
from metaheur.landscape.blocks import ROOM, SwapBlocks
from metaheur.landscape.prefixes import PrefixSearch, order_of
from metaheur.landscape.streams import DescentStream, ResidentDescents, number_of_optima
from metaheur.landscape.symmetries import in_order, interchangeable
from metaheur.neighborhoods import Hamming, Insertion, Swap
from metaheur.parallel import Multistart
from metaheur.problem import Problem
from metaheur.problems import QAP, QUBO
from metaheur.runners.compiled_loop import CompiledLoop
from metaheur.runners.drive import Team
from metaheur.runners.resident import Driver
from metaheur.running.runner import Facts
from tests.landscape.test_samplers import nk, qap
from tests.tree.emulated import Emulated


def symmetric(n: int, seed: int = 1, most: int = 9) -> QAP:
    """A symmetric instance with zeros on the diagonals, and many equal costs."""
    a, b = np.random.default_rng(seed).integers(0, most, (2, n, n))
    return QAP(np.triu(a, 1) + np.triu(a, 1).T, np.triu(b, 1) + np.triu(b, 1).T)


def with_spares() -> QAP:
    """Facilities 1, 3 and 5 have no flows, and facilities 0 and 2 have equal ones."""
    problem = symmetric(6, seed=5, most=30)
    flows = np.array(problem.a)
    flows[[1, 3, 5]], flows[:, [1, 3, 5]] = 0, 0
    flows[2, 4] = flows[4, 2] = flows[0, 4]
    return QAP(flows, problem.b)


class Enumerated:
    """All solutions, their neighbors, the ends of steepest descents: obvious and slow."""

    def __init__(self, problem: Problem, neighborhood: Any, solutions: list[tuple[int, ...]]) -> None:
        kind = problem.representation.dtype
        self.solutions = solutions
        self.costs = {x: problem.cost(np.array(x, kind)) for x in solutions}
        moves = list(neighborhood.moves(problem.representation))
        self.beside = {x: [tuple(m.apply(np.array(x, kind)).tolist()) for m in moves] for x in solutions}

    def optima(self, *, strict: bool = False) -> list[tuple[int, ...]]:
        least = 1 if strict else 0
        return [x for x in self.solutions if all(self.costs[y] - self.costs[x] >= least for y in self.beside[x])]

    def end(self, x: tuple[int, ...]) -> tuple[int, ...]:
        while True:
            best = min(self.beside[x], key=lambda y: self.costs[y])  # of several the first
            if self.costs[best] >= self.costs[x]:
                return x
            x = best

    def transitions(self) -> dict[tuple[Any, Any], int]:
        ends = {x: self.end(x) for x in self.solutions}
        found: dict[tuple[Any, Any], int] = {}
        for x in self.solutions:
            for y in self.beside[x]:
                found[ends[x], ends[y]] = found.get((ends[x], ends[y]), 0) + 1
        return found


def of_qap(problem: QAP, neighborhood: Any = None) -> Enumerated:
    return Enumerated(problem, neighborhood or Swap(), list(permutations(range(len(problem.a)))))


def edges(network: Network) -> dict[tuple[Any, Any], int]:
    """The weights by pairs of solutions."""
    names = [tuple(x) for x in network.optima.solutions.tolist()]
    columns = (network.sources.tolist(), network.targets.tolist(), network.weights.tolist())
    return {(names[s], names[t]): w for s, t, w in zip(*columns, strict=True)}


@pytest.mark.parametrize("problem", [qap(6), symmetric(6), symmetric(5, most=3), with_spares()])
@pytest.mark.parametrize("strict", [False, True])
def test_all_local_optima_are_found(problem: QAP, device: str, strict: bool) -> None:
    found = Landscape(problem, Swap(), device=device).optima(strict=strict)
    assert [tuple(x) for x in found.solutions.tolist()] == of_qap(problem).optima(strict=strict)
    assert found.costs.tolist() == [problem.cost(x) for x in found.solutions]
    assert found.complete
    assert strict <= bool(found.strict.all())


@pytest.mark.parametrize("problem", [qap(5), qap(6), symmetric(6, most=3)])
def test_basins_and_transitions_are_those_of_enumeration(problem: QAP, device: str) -> None:
    landscape, expected = Landscape(problem, Swap(), device=device), of_qap(problem)
    network = landscape.network()
    assert edges(network) == expected.transitions()
    basins = landscape.basins()
    assert basins.sizes.sum() == len(expected.solutions)
    assert basins.sizes.tolist() == network.sizes.tolist()
    assert basins.shares.sum() == pytest.approx(1)
    assert repr(network) == f"<Network of {len(network)} local optima, {len(network.weights)} edges by transition>"
    assert network.probabilities.sum() == pytest.approx(len(network))


def test_compiled_blocks_span_all_sizes_of_blocks(compiling: Any) -> None:
    for n in (4, 7, 8):  # the last six positions, and one or two before them
        problem = symmetric(n, seed=n, most=20)
        blocks = SwapBlocks(problem, compiling)
        reference = Landscape(problem, Swap(), device="numpy").network() if n < 8 else None
        search = PrefixSearch(problem, compiling, False, None)
        assert search.run(60)
        assert len(blocks.optima) == len(search.found())
        counts = blocks.transitions()
        assert counts.sum() == blocks.sizes.sum() * n * (n - 1) // 2
        if reference is not None:
            assert blocks.sizes.tolist() == reference.sizes.tolist()
            assert counts[reference.sources, reference.targets].tolist() == reference.weights.tolist()


def test_labels_beside_a_label_are_counted_whenever_their_list_is_full() -> None:
    line = np.abs(np.arange(7)[:, None] - np.arange(7))
    problem = QAP(line, 100 - 10 * line)
    found, expected = (Landscape(problem, Swap(), device=name).network() for name in ("host", "numpy"))
    assert len(found) == 2
    assert found.weights.sum() > 2 * len(found) * ROOM  # twice each pair, so that a list is full at least once
    assert edges(found) == edges(expected)


def test_threads_of_a_gpu_count_transitions_together_and_wait_for_each_other(tmp_path: Path) -> None:
    problem = symmetric(6, most=3)
    gpu: Any = Emulated(tmp_path, races=True)
    played, expected = SwapBlocks(problem, gpu), SwapBlocks(problem, device_of("host"))
    assert played.sizes.tolist() == expected.sizes.tolist()
    harmless = gpu.races()  # a label that is read while another thread writes it: both lead to the same optimum
    assert played.transitions().tolist() == expected.transitions().tolist()
    search = PrefixSearch(problem, gpu, strict=False, path=None)
    assert search.run(60)
    assert search.found().tolist() == Landscape(problem, Swap(), device="numpy").optima().solutions.tolist()
    assert gpu.races() == harmless


def test_wide_heights_lead_to_the_same_basins() -> None:
    problem = qap(6)
    wide = QAP(problem.a * 20_000, problem.b)
    small, large = (Landscape(each, Swap(), device="host").basins() for each in (problem, wide))
    assert small.sizes.tolist() == large.sizes.tolist()
    assert (large.optima.costs == 20_000 * small.optima.costs).all()


def test_wide_changes_of_cost_have_the_same_local_optima() -> None:
    problem = qap(6)
    wide = QAP(problem.a * 20_000_000, problem.b * 3)
    small, large = (Landscape(each, Swap(), device="host").optima() for each in (problem, wide))
    assert small.solutions.tolist() == large.solutions.tolist()


def test_other_neighborhoods_and_strings_are_enumerated() -> None:
    problem = qap(5)
    expected = of_qap(problem, Insertion())
    assert edges(Landscape(problem, Insertion()).network()) == expected.transitions()
    bits = nk(7)
    enumerated = Enumerated(bits, Hamming(1), list(product((0, 1), repeat=7)))
    found = Landscape(bits, Hamming(1)).optima()
    assert [tuple(x) for x in found.solutions.tolist()] == enumerated.optima()


def test_a_search_for_optima_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    problem, path = symmetric(7), tmp_path / "optima.npz"
    whole = Landscape(problem, Swap(), device="host").optima()
    first = Landscape(problem, Swap(), device="host").optima(path=path, seconds=0)
    assert not first.complete
    assert repr(first) == "<0 of all local optima, 0 strict>"
    assert f", the best {whole.costs.min()}>" in repr(whole)
    assert not len(first)
    search = PrefixSearch(problem, device_of("host"), False, path)
    search._search(100)
    search.save()
    again = PrefixSearch(problem, device_of("host"), False, path)
    assert again.done == 100
    found = Landscape(problem, Swap(), device="host").optima(path=path)
    assert found.complete
    assert found.solutions.tolist() == whole.solutions.tolist()
    assert found.nodes == whole.nodes
    with pytest.raises(InputError, match="of another problem"):
        Landscape(symmetric(7, seed=2), Swap(), device="host").optima(path=path)
    path.write_bytes(b"nothing")
    with pytest.raises(InputError, match="not a saved search"):
        Landscape(problem, Swap(), device="host").optima(path=path)


def test_the_tree_begins_with_the_facilities_whose_flows_differ_most() -> None:
    problem = qap(6)
    flows = np.array(problem.a)
    flows[3], flows[:, 3] = 0, 0
    flows[2, 4], flows[4, 2] = 900, -900
    order = order_of(QAP(flows, problem.b)).tolist()
    assert set(order[:2]) == {2, 4}
    assert order[-1] == 3


def test_more_optima_than_expected_are_searched_again_with_more_room() -> None:
    flat = QAP(np.arange(25).reshape(5, 5), np.zeros((5, 5)))
    search = PrefixSearch(flat, device_of("host"), False, None)
    search._capacity = 7
    search._session.set(capacity=7)
    assert search.run(60)
    assert len(search.found()) == 120
    with pytest.raises(InputError, match="more than 100 local optima"):
        PrefixSearch(flat, device_of("host"), False, None, most=100).run(60)


def test_optima_that_differ_by_exchanges_are_one_where_all_are_too_many(tmp_path: Path) -> None:
    problem = with_spares()
    expected = of_qap(problem).optima()
    search = PrefixSearch(problem, device_of("host"), False, tmp_path / "optima.npz", most=len(expected) - 1)
    assert search.run(60)
    found = search.found()
    assert search.copies == 12  # of three facilities, and of two
    assert 12 * len(found) == len(expected)
    groups = interchangeable(problem.a)
    assert groups == [[0, 2], [1, 3, 5]]
    assert {tuple(x) for x in in_order(np.array(expected), groups).tolist()} == {tuple(x) for x in found.tolist()}
    again = PrefixSearch(problem, device_of("host"), False, tmp_path / "optima.npz")
    assert again.copies == 1
    assert [tuple(x) for x in again.found().tolist()] == expected
    flat = Optima(found, np.zeros(len(found)), np.zeros(len(found), bool), copies=12)
    flat.to_npz(tmp_path / "found.npz")
    assert Optima.from_npz(tmp_path / "found.npz").copies == 12


@pytest.mark.parametrize(
    ("name", "all_of_them", "strict"),
    [
        ("chr12a", 2265, 2161),
        pytest.param("nug12", 3528, 984, marks=pytest.mark.thorough),
        pytest.param("tai12a", 3333, 3327, marks=pytest.mark.thorough),
    ],
)
def test_the_optima_of_qaplib_are_as_many_as_brute_force_counts(
    name: str, all_of_them: int, strict: int, data_folder: Path
) -> None:
    found = Landscape(QAP.from_file(data_folder / "qaplib" / f"{name}.dat"), Swap(), device="host").optima()
    assert (len(found), int(found.strict.sum())) == (all_of_them, strict)


def test_symmetries_of_a_grid_turn_optima_into_optima_with_basins_of_equal_cost() -> None:
    """Distances on a grid of 2 by 3 locations: four symmetries, none of which leaves a permutation as it is."""
    places = np.array([(i, j) for i in range(2) for j in range(3)])
    grid = np.abs(places[:, None] - places[None]).sum(axis=2)
    found = Landscape(QAP(symmetric(6, seed=3).a, grid), Swap(), device="host").optima()
    turn = [np.array([3 * (1 - i) + j for i, j in places]), np.array([3 * i + 2 - j for i, j in places])]
    for image in (*turn, turn[0][turn[1]]):
        at = found.index(image[found.solutions])
        assert (at >= 0).all()
        assert (at != np.arange(len(found))).all()
        assert (found.costs[at] == found.costs).all()
    assert len(found) % 4 == 0


def test_a_stream_of_descents_ends_where_single_descents_end(compiling: Any) -> None:
    problem = symmetric(6, seed=4, most=30)
    ground = Landscape(problem, Swap(), device=compiling.name, seed=3)._ground
    stream, expected = DescentStream(ground, 50), of_qap(problem)
    stepped = DescentStream(Landscape(problem, Swap(), device="numpy", seed=3)._ground, 50)
    for first in (0, 100):
        ends, starts, others = stream.ends(first), ground.starts(50, first), stepped.ends(first)
        solutions = ends.solutions()
        assert [tuple(x) for x in solutions.tolist()] == [expected.end(tuple(x)) for x in starts.tolist()]
        assert ends.costs.tolist() == [expected.costs[tuple(x)] for x in solutions.tolist()]
        assert ends.hashes.tolist() == others.hashes.tolist()
        assert ends.steps.tolist() == others.steps.tolist()


@pytest.mark.parametrize("team", [Team("thread", 32), Team("warp", 64)], ids=lambda each: each.per)
def test_threads_of_a_gpu_begin_and_end_descents_together(team: Team, tmp_path: Path) -> None:
    problem = symmetric(6, seed=4, most=30)
    gpu: Any = Emulated(tmp_path, races=True)
    driver = Driver(CompiledLoop(problem, HillClimbing(Swap()).loop, gpu, team), Facts("", "", ""))
    descents = ResidentDescents(driver, 70, seed=3)
    stepped = DescentStream(Landscape(problem, Swap(), device="numpy", seed=3)._ground, 70)
    for first in (0, 100):
        found, expected = descents.ends(first), stepped.ends(first)
        assert found.solutions().tolist() == expected.solutions().tolist()
        assert found.costs.tolist() == expected.costs.tolist()
        assert found.steps.tolist() == expected.steps.tolist()
        assert found.hashes.tolist() == expected.hashes.tolist()
    assert not gpu.races()


def test_enough_descents_find_how_many_optima_there_are() -> None:
    problem = symmetric(6, seed=4, most=30)
    landscape = Landscape(problem, Swap(), device="numpy", seed=3)
    found, count = landscape.number_of_optima(300), len(landscape.optima())
    assert found.low <= count <= found.high + 1
    assert number_of_optima(landscape._ground, 2).value <= count


@pytest.mark.parametrize("distance", [1, 2])
def test_escape_edges_count_descents_from_around_each_optimum(distance: int, device: str) -> None:
    problem = symmetric(5, seed=4, most=30)
    expected = of_qap(problem)
    found = Landscape(problem, Swap(), device=device).network("escape", distance=distance)
    counted: dict[tuple[Any, Any], int] = {}
    for x in expected.optima():
        around = set(expected.beside[x])
        if distance == 2:
            around |= {z for y in expected.beside[x] for z in expected.beside[y]}
        for y in around - {x}:
            counted[x, expected.end(y)] = counted.get((x, expected.end(y)), 0) + 1
    assert edges(found) == counted
    landscape = Landscape(problem, Swap(), device="numpy")
    some = _first(landscape.optima(), 1)
    with pytest.raises(InputError, match="not among those given"):
        landscape.network("escape", optima=some)


def _first(optima: Optima, count: int) -> Optima:
    return Optima(optima.solutions[:count], optima.costs[:count], optima.strict[:count])


def test_perturbation_edges_are_the_same_on_all_devices(compiling: Any) -> None:
    problem = symmetric(6, seed=4, most=30)
    first, other = (
        Landscape(problem, Swap(), device=name, seed=3).network("perturbation", kicks=20)
        for name in ("numpy", compiling.name)
    )
    assert edges(first) == edges(other)
    assert np.bincount(first.sources, first.weights).tolist() == [20] * len(first)


def test_sampled_networks_are_parts_of_the_whole_and_the_same_on_all_devices(compiling: Any) -> None:
    problem = symmetric(6, seed=4, most=30)
    found, other = (
        Landscape(problem, Swap(), device=n, seed=5).sampled_network(4, iterations=6) for n in ("numpy", compiling.name)
    )
    assert edges(found) == edges(other)
    assert found.trace.tolist() == other.trace.tolist()
    assert (Landscape(problem, Swap(), device="numpy").optima().index(found.optima.solutions) >= 0).all()
    assert (found.optima.costs[found.targets] <= found.optima.costs[found.sources]).all()
    assert sorted(set(found.trace[:, 0].tolist())) == [0, 1, 2, 3]
    assert found.sizes.sum() == len(found.trace) + 4
    for run_number in range(4):
        steps = found.trace[found.trace[:, 0] == run_number].tolist()
        assert all(before[2] == after[1] for before, after in pairwise(steps))
    assert 0 <= found.metrics()["success"] <= 1


def test_refused_steps_may_be_edges() -> None:
    problem = symmetric(6, seed=4, most=30)
    landscape = Landscape(problem, Swap(), device="numpy", seed=5)
    found, accepted = (landscape.sampled_network(4, iterations=6, refused=each) for each in (True, False))
    assert found.weights.sum() == 24
    assert found.sizes.sum() == 28
    assert {edge: w for edge, w in edges(found).items() if edge in edges(accepted)} == edges(accepted)
    for run_number in range(4):
        steps = found.trace[found.trace[:, 0] == run_number].tolist()
        for (_, source, target), (_, after, _) in pairwise(steps):
            better = found.optima.costs[target] <= found.optima.costs[source]
            assert after == (target if better else source)
    assert found.metrics()["success"] == accepted.metrics()["success"]


def test_a_run_without_a_better_optimum_has_a_loop_at_its_start() -> None:
    found = Landscape(QUBO(-np.eye(5)), Hamming(1), device="numpy").sampled_network(2, iterations=1)
    assert found.trace.tolist() == [[0, 0, 0], [1, 0, 0]]
    rough = Landscape(nk(9), Hamming(1), seed=2).sampled_network(12, iterations=1, strength=4)
    assert sorted(set(rough.trace[:, 0].tolist())) == list(range(12))


def small() -> Network:
    """Costs 3, 2, 2, 1, 1, 5: 0 -> 1 <-> 2 -> 3, 4 alone with a loop, 5 -> 4 and back."""
    optima = Optima(np.arange(12).reshape(6, 2), np.array([3, 2, 2, 1, 1, 5]), np.full(6, True))
    pairs = [(0, 1), (1, 2), (2, 1), (2, 3), (4, 4), (5, 4), (4, 5), (5, 4)]
    return Network.of_pairs(
        optima, ([s for s, _ in pairs], [t for _, t in pairs]), "perturbation", np.array([1, 2, 3, 4, 5, 6])
    )


def test_monotonic_networks_lead_nowhere_worse() -> None:
    found = small().monotonic()
    assert list(zip(found.sources.tolist(), found.targets.tolist(), strict=True)) == [
        (0, 1),
        (1, 2),
        (2, 1),
        (2, 3),
        (5, 4),
    ]
    assert found.weights.tolist() == [1, 1, 1, 1, 2]


def test_compressed_networks_merge_what_is_connected_and_equal() -> None:
    found = small().compressed()
    assert found.optima.costs.tolist() == [3, 2, 1, 1, 5]
    assert found.sizes.tolist() == [1, 5, 4, 5, 6]
    assert list(zip(found.sources.tolist(), found.targets.tolist(), strict=True)) == [(0, 1), (1, 2), (4, 3)]
    assert found.metrics()["neutral"] == 1 / 6
    funnels = found.funnels()
    assert funnels.sinks.tolist() == [2, 3]
    assert funnels.sizes.tolist() == [3, 2]
    assert funnels.deepest.tolist() == [0, 0, 0, 1, 1]
    assert funnels.reached.tolist() == [1] * 5


def test_metrics_have_the_meaning_that_their_names_have_in_lonkit() -> None:
    found = small().metrics()
    assert found == {
        "n_optima": 6,
        "n_funnels": 1,  # node 3; node 4 leads to node 5
        "n_global_funnels": 1,
        "neutral": 2 / 6,
        "global_strength": 3 / 7,  # the loop does not count
        "sink_strength": 1.0,
        "global_funnel_proportion": 1.0,
    }
    compressed = small().compressed().metrics()
    assert compressed["n_global_funnels"] == 2
    assert small().metrics(best=0)["n_global_funnels"] == 0


def test_the_structure_of_a_network_follows_from_its_probabilities() -> None:
    found = small().structure()
    assert found["density"] == 6 / 30
    assert found["loops"] == (1 / 2) / 6
    assert found["disparity"] == pytest.approx((1 + 1 + 0.5 + 1 + 1) / 5)
    assert 0 < found["best_pagerank"] < 1
    ends = Network.of_pairs(small().optima, ([0, 1], [1, 0]), "escape", np.ones(6)).structure()
    assert ends["fitness_correlation"] == pytest.approx(-1)


def test_files_hold_the_network(tmp_path: Path) -> None:
    problem = symmetric(6, seed=4, most=30)
    found = Landscape(problem, Swap(), device="numpy", seed=5).sampled_network(3, iterations=4)
    found.to_npz(tmp_path / "network.npz")
    again = Network.from_npz(tmp_path / "network.npz")
    assert edges(again) == edges(found)
    assert again.metrics() == found.metrics()
    found.to_trace(tmp_path / "trace.csv")
    header, *rows = csv.reader((tmp_path / "trace.csv").read_text().splitlines())
    assert header == ["run", "fit1", "node1", "fit2", "node2"]
    assert rows
    assert all(int(row[3]) <= int(row[1]) for row in rows)
    assert {row[4] for row in rows} <= set(found.names())
    found.to_graphml(tmp_path / "network.graphml")
    space = "{http://graphml.graphdrawing.org/xmlns}"
    graph = ET.parse(tmp_path / "network.graphml").getroot().find(f"{space}graph")
    assert graph is not None
    assert len(graph.findall(f"{space}node")) == len(found)
    assert len(graph.findall(f"{space}edge")) == len(found.sources)
    with pytest.raises(InputError, match="has a trace"):
        small().to_trace(tmp_path / "none.csv")
    optima = Landscape(problem, Swap(), device="numpy").optima()
    optima.to_npz(tmp_path / "optima.npz")
    assert Optima.from_npz(tmp_path / "optima.npz").solutions.tolist() == optima.solutions.tolist()
    with pytest.raises(InputError, match="does not have the columns"):
        Network.from_npz(tmp_path / "optima.npz")


def test_parquet_needs_pyarrow_and_says_so(tmp_path: Path) -> None:
    if find_spec("pyarrow") is None:
        with pytest.raises(InputError, match="pyarrow"):
            small().to_parquet(tmp_path)
    else:
        small().to_parquet(tmp_path)
        assert (tmp_path / "nodes.parquet").exists()
        assert (tmp_path / "edges.parquet").exists()


def test_networks_are_drawn_in_two_and_three_dimensions() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    for dimensions in (2, 3):
        assert small().plot(dimensions=dimensions).collections
    with pytest.raises(InputError, match="must be 2 or 3"):
        small().plot(dimensions=4)


def test_trajectories_of_searches_meet_where_they_are_shared() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    problem = QUBO(-np.eye(6))  # all ones is the only optimum
    seen = {"descent": Trajectories(), "annealing": Trajectories(every=2)}
    run(
        HillClimbing(Hamming(1)),
        problem,
        stop=stop.iterations(50),
        parallel=Multistart(3, device="numpy"),
        watch=[seen["descent"]],
    )
    search = SimulatedAnnealing(Hamming(1), 1.0)
    run(search, problem, stop=stop.iterations(100), parallel=Multistart(2, device="numpy"), watch=[seen["annealing"]])
    found = SearchTrajectoryNetwork.of(seen)
    metrics = found.metrics()
    assert found.costs.min() == -6
    assert found.shared[found.costs == -6].all()
    assert metrics["nodes"] == len(found.costs)
    assert metrics["components"] == 1
    assert found.starts.sum() <= 5
    assert 0 < metrics["best_strength"] <= 1
    levels = SearchTrajectoryNetwork.of(seen, location=lambda x: int(x.sum()))
    assert levels.metrics()["nodes"] <= 7
    assert (levels.costs[levels.targets] < levels.costs[levels.sources]).all()
    assert found.plot().collections
    with pytest.raises(InputError, match="must have watched"):
        SearchTrajectoryNetwork.of({"none": Trajectories()})
