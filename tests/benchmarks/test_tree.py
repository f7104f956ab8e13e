"""Exact search: the paper's knapsacks, multidimensional ones, and a flow shop whose node counts are published.

Rates are nodes by seconds of this process's CPU time, since machines are shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import Array, run, stop
from metaheur.parallel import IterationLevel
from metaheur.problems import FlowShop, Knapsack
from metaheur.problems.trees.flow_shop_tree import FlowShopTree, OneMachine, TwoMachines
from metaheur.problems.trees.knapsack_tree import Dantzig, KnapsackTree, LighterAndDearer
from metaheur.problems.trees.multi_knapsack_tree import MultiKnapsackTree
from metaheur.problems.trees.two_ended_flow_shop_tree import TwoEndedFlowShopTree
from metaheur.representation import Solution
from metaheur.stop import Stop
from metaheur.tree import Bound, BranchAndBound, Branching, BreadthFirst, DepthFirst, Explorers, Proof, nodes
from metaheur.tree.part import Fields, Node, nodes_of
from tests.device.compilers import unit_of

CORE = IterationLevel("host", threads=1)
MOST = 20_000_000


def seconds(search: BranchAndBound, problem: Any, limit: Stop = stop.seconds(600)) -> tuple[float, Proof]:
    """CPU seconds on one core, and the proof."""
    run(search, problem, stop=stop.iterations(1), parallel=CORE)  # compiled
    began = process_time()
    proof = run(search, problem, stop=limit, parallel=CORE).proof
    assert proof is not None
    return process_time() - began, proof


def paper(n: int, seed: int) -> Knapsack:
    """Weights in 1 ... 100, profits 10 above, half of the sum; by the Mersenne twister, as C++ has it."""
    weights = 1 + np.random.RandomState(seed).randint(0, 2**32, size=n, dtype=np.uint32).astype(np.int64) % 100
    return Knapsack.single(weights + 10, weights, int(weights.sum() // 2))


@pytest.mark.parametrize("n", [100, 200, 300, 400, 500])
def test_the_table_of_the_paper(n: int, benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    plain = BranchAndBound(KnapsackTree(), order=BreadthFirst())
    dominated = BranchAndBound(KnapsackTree(), order=BreadthFirst(), dominance=LighterAndDearer())
    rows = []

    def all_seeds() -> None:
        for seed in range(10):
            rows.append((*seconds(plain, paper(n, seed), nodes(MOST)), *seconds(dominated, paper(n, seed))))

    benchmark.pedantic(all_seeds, rounds=1)
    with capsys.disabled():
        print("\n   n seed      branched      M/s  proven |  branched with dominance       ms")
        for seed, (time, proof, other_time, other) in enumerate(rows):
            assert other.status == "optimal"
            print(
                f"{n:4} {seed:4} {proof.counts.branched:13,} {proof.counts.branched / time / 1e6:8.1f} "
                f"{'yes' if proof.status == 'optimal' else f'no, {MOST / 1e6:.0f} M':>7} | "
                f"{other.counts.branched:24,} {1000 * other_time:8.1f}"
            )


FILES = [("mknapcb1.txt", number) for number in range(1, 11)]


def test_multidimensional_knapsacks_with_the_optimum_as_cutoff(
    data_folder: Path, benchmark: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = data_folder / "knapsack"
    rows: list[tuple[int, list[tuple[float, Proof]]]] = []
    lines = [line.split(",") for line in (folder / "bks_mkp.csv").read_text(encoding="utf-8").splitlines()]
    optima = {line[1]: int(float(line[5])) for line in lines if line[0] == "mkp_orlib"}

    def all_instances() -> None:
        for file, number in FILES:
            problem = Knapsack.from_file(folder / "mkp_orlib" / file, number=number)
            cutoff = optima[f"5.100-{number - 1:02}"]
            times = [
                seconds(BranchAndBound(MultiKnapsackTree(), order=order, cutoff=cutoff), problem)
                for order in (DepthFirst(1 << 14), Explorers(64, 20_000))
            ]
            rows.append((number, times))

    benchmark.pedantic(all_instances, rounds=1)
    with capsys.disabled():
        print("\n5.100-   kept nodes   frontier s   explorers s")
        for number, ((frontier, proof), (explorers, same)) in rows:
            assert proof.counts == same.counts
            print(f"   {number - 1:02} {proof.counts.kept:12,} {frontier:12.3f} {explorers:13.3f}")


class Baseline:
    """A hand-written depth-first search of a flow shop with LB1 by children, on one core."""

    def __init__(self, flow_shop: FlowShop, cutoff: int) -> None:
        from metaheur.device.host.host import Host

        text = (Path(__file__).parent / "flow_shop_tree.cpp").read_text(encoding="utf-8")
        self.module, self.times = Host().compile(unit_of(text)), flow_shop.times.astype(np.int64)
        layout = np.dtype([(name, "i8") for name in ("n", "m", "times", "best", "kept")])
        self.job, (n, m) = np.zeros(1, layout), self.times.shape
        self.job[0] = (n, m, self.times.ctypes.data, cutoff, 0)

    def __call__(self) -> float:
        self.module.launch("flow_shop", self.job, 0)
        return float(self.job["kept"][0])


def test_a_flow_shop_against_hand_written_cpp(benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    problem = FlowShop.taillard(14)
    searches = {
        "frontier, LB1": BranchAndBound(FlowShopTree(), OneMachine(), order=DepthFirst(1 << 14), cutoff=1377),
        "explorers, LB1": BranchAndBound(FlowShopTree(), OneMachine(), order=Explorers(64, 20_000), cutoff=1377),
        "frontier, LB2": BranchAndBound(FlowShopTree(), TwoMachines(), order=DepthFirst(1 << 14), cutoff=1377),
    }
    baseline, rates = Baseline(problem, 1377), dict[str, list[float]]()

    def one_round() -> None:
        began = process_time()
        kept = baseline()
        rates.setdefault("C++ by hand, LB1", []).append(kept / (process_time() - began))
        for name, search in searches.items():
            time, proof = seconds(search, problem)
            assert proof.counts.kept == (144_639 if "LB2" in name else kept)
            rates.setdefault(name, []).append(proof.counts.kept / time)

    benchmark.pedantic(one_round, rounds=5)
    with capsys.disabled():
        print("\nta014 from 1377, kept nodes by seconds of CPU time")
        for name, values in rates.items():
            print(f"  {name:20} {median(values):12,.0f} /s")


OPTIMA = {14: 1377, 22: 2099, 25: 2291, 28: 2200, 29: 2237, 30: 2178}


def test_flow_shops_from_both_ends(benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list[tuple[int, float, Proof]]()

    def all_instances() -> None:
        for number, optimum in OPTIMA.items():
            tree, order = TwoEndedFlowShopTree(optimum), Explorers(64, 20_000)
            search = BranchAndBound(tree, order=order, cutoff=optimum)
            rows.append((number, *seconds(search, FlowShop.taillard(number))))

    benchmark.pedantic(all_instances, rounds=1)
    with capsys.disabled():
        print("\n        optimum   kept nodes  seconds of CPU time, from both ends")
        for number, time, proof in rows:
            assert (proof.status, proof.bound) == ("infeasible", OPTIMA[number])
            print(f"  ta{number:03} {OPTIMA[number]:8} {proof.counts.kept:12,} {time:8.2f}")


def by_pybnb(problem: Knapsack, most: int) -> tuple[int, float]:
    """The same tree and bound by pybnb in this process, deepest nodes first: nodes, and seconds of CPU time."""
    pybnb = pytest.importorskip("pybnb")
    tree, bound = KnapsackTree(), KnapsackTree().bound

    class Tree(pybnb.Problem):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            self.depth, self.node = 0, tree.root_nodes(problem)[0]

        def sense(self) -> Any:
            return pybnb.minimize

        def objective(self) -> float:
            return float(min(bound.upper(problem, self.node, self.depth), 0))

        def bound(self) -> float:
            return float(bound.lower(problem, self.node, self.depth))

        def save_state(self, node: Any) -> None:
            node.state = self.depth, self.node

        def load_state(self, node: Any) -> None:
            self.depth, self.node = node.state

        def branch(self) -> Iterator[Any]:
            for k in range(2 if self.depth < len(problem.profits) else 0):
                if (fields := tree.child(problem, self.node, self.depth, k)) is not None:
                    child = pybnb.Node()
                    child.state = self.depth + 1, nodes_of(self.node.dtype, fields, 1)[0]
                    yield child

    began = process_time()
    found = pybnb.solve(Tree(), comm=None, queue_strategy="depth", node_limit=most, log=None)
    return int(found.nodes), process_time() - began


@final
@frozen
class OneByOne(Branching[Knapsack]):
    """The knapsack's tree as somebody writes it first: `child` alone, and no C++."""

    bound: ClassVar[Bound[Knapsack]] = Dantzig()

    def node(self, problem: Knapsack) -> Mapping[str, Array]:
        return KnapsackTree().node(problem)

    def root(self, problem: Knapsack) -> Fields:
        return KnapsackTree().root(problem)

    def child(self, problem: Knapsack, node: Node, depth: int, k: int) -> Fields | None:
        return KnapsackTree().child(problem, node, depth, k)

    def solution(self, problem: Knapsack, node: Node) -> Solution:
        return KnapsackTree().solution(problem, node)


def test_a_tree_in_python_alone(benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rates = dict[str, list[float]]()

    def of_ours(tree: Branching[Knapsack], problem: Knapsack, most: int) -> float:
        began = process_time()
        search = BranchAndBound(tree, order=BreadthFirst())
        proof = run(search, problem, stop=nodes(most), parallel="numpy").proof
        time = process_time() - began
        assert proof is not None
        if proof.status == "optimal":
            assert proof.counts == seconds(BranchAndBound(KnapsackTree(), order=BreadthFirst()), problem)[1].counts
        return proof.counts.branched / time

    def all_seeds() -> None:
        for seed in range(10):
            problem = paper(60, seed)
            count, time = by_pybnb(problem, 20_000)
            if count < 1000:  # what begins a run is not what is asked for
                continue
            rates.setdefault("pybnb", []).append(count / time)
            rates.setdefault("one by one", []).append(of_ours(OneByOne(), problem, 20_000))
            rates.setdefault("many at once", []).append(of_ours(KnapsackTree(), problem, 300_000))

    benchmark.pedantic(all_seeds, rounds=1)
    with capsys.disabled():
        print("\nknapsacks of 60 items in Python alone, nodes branched by seconds of CPU time")
        for name, values in rates.items():
            print(f"  {name:20} {median(values):10,.0f} /s ({min(values):,.0f} ... {max(values):,.0f})")


def test_strongly_correlated_knapsacks_with_dominance(benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    search = BranchAndBound(KnapsackTree(), order=BreadthFirst(), dominance=LighterAndDearer())
    rows: list[tuple[float, Proof]] = []

    def all_seeds() -> None:
        for seed in range(10):
            weights = np.random.default_rng(seed).integers(1, 1001, 2000)
            rows.append(seconds(search, Knapsack.single(weights + 100, weights, int(weights.sum() // 2))))

    benchmark.pedantic(all_seeds, rounds=1)
    with capsys.disabled():
        print("\nn = 2,000, weights up to 1,000, profits 100 above")
        for time, proof in rows:
            assert proof.status == "optimal"
            print(f"{proof.counts.branched:12,} nodes branched {time:8.3f} s")
