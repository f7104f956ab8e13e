"""Branch and bound proves the optimum, whatever the order, and branches the same nodes everywhere."""

import math
import time
from itertools import product
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import TabuSearch, Trace, Until, data, iterate, run, stop
from metaheur.device.device import Device
from metaheur.errors import CheckFailed, InputError
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP, Knapsack, OneMax
from metaheur.problems.trees.knapsack_tree import KnapsackTree, LighterAndDearer
from metaheur.running.result import Result
from metaheur.source import Source
from metaheur.tree import Beam, BestFirst, BranchAndBound, BreadthFirst, DepthFirst, Explorers, Order, Proof, gap, nodes
from metaheur.tree.bound import Bound
from metaheur.tree.explorers import ExplorerEngine
from metaheur.tree.runner import TreeRunner
from tests.helpers import started
from tests.tree.toys import Bits, Cheaper, Linear, Negatives, linear

MINUTE = stop.seconds(60)

ORDERS: list[Order] = [
    DepthFirst(),
    DepthFirst(batch=3),
    BreadthFirst(),
    BreadthFirst(batch=5),
    BestFirst(batch=1),
    BestFirst(batch=7),
    Beam(10**6),
    Beam(4),
    Explorers(),
    Explorers(5, 7),
]


def knapsack(n: int, seed: int = 1) -> Knapsack:
    """A strongly correlated knapsack that no choice of items fills: hard for its size."""
    weights = 2 * np.random.default_rng(seed).integers(5, 50, n)
    return Knapsack.single(weights + 11, weights, int(weights.sum()) // 4 * 2 + 1)


def best_by_brute_force(problem: Any) -> int:
    cost = min(problem.cost(np.array(x, np.uint8)) for x in product((0, 1), repeat=problem.representation.length))
    return int(problem.displayed(cost))


def proof(result: Result) -> Proof:
    assert result.proof is not None
    return result.proof


@pytest.mark.parametrize("order", ORDERS, ids=repr)
@pytest.mark.parametrize("dominance", [None, LighterAndDearer()], ids=["plain", "with dominance"])
def test_every_order_proves_the_optimum_of_a_knapsack(order: Order, dominance: Any, device: str) -> None:
    if dominance and isinstance(order, Explorers):
        pytest.skip("explorers compare no nodes")
    problem = knapsack(11)
    search = BranchAndBound(KnapsackTree(), order=order, dominance=dominance)
    result, reference = (run(search, problem, stop=MINUTE, parallel=name) for name in (device, "numpy"))
    assert proof(result) == proof(reference)
    assert (result.iterations, result.evaluated) == (reference.iterations, reference.evaluated)
    assert result.solution.tolist() == reference.solution.tolist()
    assert result.cost == problem.displayed(problem.cost(result.solution))
    if not isinstance(order, Beam):
        assert (proof(result).status, result.cost, proof(result).bound) == (
            "optimal",
            best_by_brute_force(problem),
            result.cost,
        )
        assert (result.stopped_by, proof(result).open, proof(result).share) == ("proof", 0, 1.0)


def test_the_same_nodes_are_branched_by_any_number_of_cores() -> None:
    problem, search = knapsack(90, 2), BranchAndBound(KnapsackTree(), order=BreadthFirst())
    one, four = (run(search, problem, stop=MINUTE, parallel=IterationLevel("host", threads=t)) for t in (1, 4))
    assert proof(one).counts.branched > 4096 * 90  # so many that levels are shared
    assert proof(one) == proof(four)
    assert one.solution.tolist() == four.solution.tolist()


@pytest.mark.parametrize("apart", [False, True])
def test_a_tree_in_python_alone_is_searched(apart: bool) -> None:
    problem = linear(9, apart=apart)
    result = run(BranchAndBound(Bits(), Negatives(), dominance=Cheaper()), problem, stop=MINUTE)
    assert result.device == "numpy"
    assert "Bits has no C++ half" in result.plan
    assert (proof(result).status, result.cost) == ("optimal", best_by_brute_force(problem))


def test_the_counts_add_up() -> None:
    problem = knapsack(20)
    search = BranchAndBound(KnapsackTree(), keep="all", dominance=LighterAndDearer())
    result = run(search, problem, stop=MINUTE)
    counts = proof(result).counts
    assert 0 < counts.complete < counts.bounded
    # every node, with the root, was branched or pruned, or is a solution that was not worse than the incumbent
    solutions = counts.bounded + 1 - counts.branched - counts.by_bound - counts.by_dominance
    assert proof(result).solutions <= solutions <= counts.complete


def test_a_beam_that_left_nodes_out_proves_nothing_unless_they_were_worse() -> None:
    problem = knapsack(24)
    beam = run(BranchAndBound(KnapsackTree(), order=Beam(2)), problem, stop=MINUTE)
    assert "a heuristic where a level has more than 2 nodes" in beam.plan
    narrow = proof(beam)
    exact = proof(run(BranchAndBound(KnapsackTree(), dominance=LighterAndDearer()), problem, stop=MINUTE))
    assert narrow.status == "feasible"
    assert narrow.bound is not None
    assert narrow.cost is not None
    assert exact.cost is not None
    assert narrow.cost <= exact.cost <= narrow.bound
    assert ("others left out" in str(narrow), "others left out" in str(exact)) == (True, False)


def test_a_search_proves_the_solution_of_another_search() -> None:
    problem = knapsack(24)
    found = run(TabuSearch(Hamming(1)), problem, stop=stop.iterations(300), seed=1)
    result = run(BranchAndBound(KnapsackTree()), problem, stop=MINUTE, start=found.solution)
    assert proof(result).status == "optimal"
    assert result.cost >= found.cost
    again = run(BranchAndBound(KnapsackTree()), problem, stop=MINUTE, start=result.solution)
    assert again.solution.tolist() == result.solution.tolist()
    assert not again.improvements
    assert proof(again).counts.branched <= proof(result).counts.branched


def test_incumbents_are_handed_back_as_improvements() -> None:
    problem = linear(8)
    result = run(BranchAndBound(Bits(), Bits().bound, order=DepthFirst(1)), problem, stop=MINUTE, start=np.ones(8))
    costs = [each.cost for each in result.improvements]
    assert costs == sorted(costs, reverse=True)
    assert len(costs) > 1
    assert costs[-1] == result.cost


def test_a_solution_that_the_tree_does_not_hold_does_not_become_an_incumbent() -> None:
    problem = Linear(np.array([-5, -3, -5]), apart=True)
    result = run(BranchAndBound(Bits()), problem, stop=MINUTE, start=[1, 1, 1])
    assert (proof(result).status, result.cost, result.solution.tolist()) == ("optimal", -10, [1, 0, 1])


def test_nothing_better_than_the_cutoff_is_infeasible() -> None:
    problem = knapsack(12)
    best = best_by_brute_force(problem)
    none = run(BranchAndBound(KnapsackTree(), cutoff=best), problem, stop=MINUTE)
    assert proof(none).status == "infeasible"
    some = run(BranchAndBound(KnapsackTree(), cutoff=best - 1), problem, stop=MINUTE)
    assert (proof(some).status, some.cost) == ("optimal", best)


@pytest.mark.parametrize("order", [DepthFirst(), BreadthFirst(), BestFirst(4)], ids=repr)
def test_all_optimal_solutions_are_kept(order: Order, device: str) -> None:
    problem = Knapsack.single([3, 3, 3, 2, 5, 1, 1], [3, 3, 3, 2, 5, 1, 1], 9)
    result = run(BranchAndBound(KnapsackTree(), order=order, keep="all"), problem, stop=MINUTE, parallel=device)
    expected = sorted(x for x in product((0, 1), repeat=7) if problem.cost(np.array(x)) == -9)
    assert sorted(map(tuple, result.solutions.tolist())) == expected
    assert proof(result).solutions == len(expected) > 5


def test_the_k_best_solutions_are_kept(device: str) -> None:
    problem = knapsack(9)
    result = run(BranchAndBound(KnapsackTree(), keep=7), problem, stop=MINUTE, parallel=device)
    costs = sorted(problem.cost(np.array(x, np.uint8)) for x in product((0, 1), repeat=9))[:7]
    assert [problem.cost(x) for x in result.solutions] == costs
    assert len({x.tobytes() for x in result.solutions}) == 7
    assert result.cost == -costs[0]


def test_explorers_prove_the_same_whatever_their_number() -> None:
    problem = knapsack(24)
    costs = {
        run(BranchAndBound(KnapsackTree(), order=Explorers(c, 50)), problem, stop=MINUTE).cost for c in (1, 7, 300)
    }
    assert costs == {run(BranchAndBound(KnapsackTree()), problem, stop=MINUTE).cost}


@pytest.mark.parametrize("order", [DepthFirst(500), Explorers(40, 70)], ids=repr)
def test_an_eager_incumbent_proves_the_same_optimum(order: Order, device: str) -> None:
    problem = knapsack(24)
    fixed, eager = (BranchAndBound(KnapsackTree(), order=order, incumbent=each) for each in ("fixed", "eager"))
    expected = run(fixed, problem, stop=MINUTE, parallel="numpy", start=np.zeros(24))
    found = run(eager, problem, stop=MINUTE, parallel=device, start=np.zeros(24))
    assert ('"eager": the nodes may differ' in found.plan, "eager" in expected.plan) == (True, False)
    assert (proof(found).status, found.cost, proof(found).bound) == ("optimal", expected.cost, expected.cost)
    if (device, order) in (("numpy", Explorers(40, 70)), ("host", DepthFirst(500))):
        assert proof(found).counts.branched < proof(expected).counts.branched


def test_gap_and_nodes_end_a_run_with_a_bound() -> None:
    problem = knapsack(36)
    optimum = run(BranchAndBound(KnapsackTree(), dominance=LighterAndDearer()), problem, stop=MINUTE).cost
    start = np.zeros(36)
    search = BranchAndBound(KnapsackTree(), order=BestFirst(8))
    by_gap = run(search, problem, stop=gap(0.5), start=start)
    assert by_gap.stopped_by == "gap"
    assert proof(by_gap).gap <= 0.5
    by_nodes = run(search, problem, stop=nodes(100) | stop.iterations(30), start=start)
    assert by_nodes.stopped_by == "nodes"
    assert proof(by_nodes).status == "feasible"
    bound = proof(by_nodes).bound
    assert bound is not None
    assert by_nodes.cost <= optimum <= bound
    with pytest.raises(InputError, match="proves nothing"):
        run(TabuSearch(Hamming(1)), OneMax(9), stop=gap(0.1))


@pytest.mark.parametrize("order", [DepthFirst(50), BreadthFirst(50), Explorers(8, 60)], ids=repr)
def test_nodes_end_a_run_with_the_same_round_everywhere(order: Order, device: str) -> None:
    problem, most = knapsack(36), 3000
    search = BranchAndBound(KnapsackTree(), order=order)
    found = run(search, problem, stop=nodes(most) | MINUTE, parallel=device, start=np.zeros(36))
    rounds = found.iterations
    assert (found.stopped_by, most <= proof(found).counts.branched) == ("nodes", True)
    before = run(search, problem, stop=stop.iterations(rounds - 1), parallel="numpy", start=np.zeros(36))
    assert most - 480 <= proof(before).counts.branched < most


def test_a_run_can_be_stopped_at_an_iteration_and_iterated() -> None:
    problem = knapsack(14)
    search = BranchAndBound(KnapsackTree(), order=DepthFirst(2))
    whole = run(search, problem, stop=MINUTE)
    part = run(search, problem, stop=stop.iterations(5), watch=[trace := Trace(every=1)])
    assert (part.iterations, part.stopped_by, len(trace.rows)) == (5, "iterations", 6)
    *_, last = iterate(search, problem)
    assert last.walk.iteration == whole.iterations
    assert last.counts == proof(whole).counts


def test_open_nodes_wait_on_disk_where_memory_is_short(device: str) -> None:
    problem = knapsack(28)
    for order in (DepthFirst(64), BreadthFirst(64), BestFirst(64), BreadthFirst(64)):
        free, short = (
            run(BranchAndBound(KnapsackTree(), order=order, memory=memory), problem, stop=MINUTE, parallel=device)
            for memory in (None, 6000)
        )
        assert proof(free) == proof(short)
        assert short.solution.tolist() == free.solution.tolist()


def test_a_run_ends_with_its_nodes_where_disk_is_short_too() -> None:
    problem = knapsack(50)
    search = BranchAndBound(KnapsackTree(), order=BreadthFirst(64), memory=6000, disk=10_000)
    result = run(search, problem, stop=MINUTE)
    assert result.stopped_by == "memory"
    assert proof(result).status == "feasible"
    assert proof(result).open > 64


@pytest.mark.parametrize(
    ("fault", "wording"),
    [("falls", "falls from"), ("crosses", "its solution costs"), ("promises", "but the bound says")],
)
@pytest.mark.parametrize("order", [DepthFirst(), Explorers(3, 4)], ids=repr)
def test_a_wrong_bound_is_noticed_during_the_run(fault: str, wording: str, order: Order) -> None:
    with pytest.raises(CheckFailed, match=wording):
        run(BranchAndBound(Bits(), Negatives(fault), order=order), linear(6), stop=MINUTE, start=np.zeros(6))


@pytest.mark.parametrize("order", [DepthFirst(), Explorers(3, 4)], ids=repr)
def test_a_compiled_bound_that_falls_is_named_with_its_nodes(order: Order, compiling: Device) -> None:
    wording = r"Falling\.lower falls from -\d+ to -\d+ between a node at depth \d, weight=.*, and its child weight="
    with pytest.raises(CheckFailed, match=wording):
        run(BranchAndBound(KnapsackTree(), Falling(), order=order), knapsack(9), stop=MINUTE, parallel=compiling.name)


@final
@frozen
class Falling(Bound[Knapsack]):
    """A bound that falls with the depth, except at complete nodes."""

    source: ClassVar[Source] = Source(
        "struct Falling : FallingData { MH_FN i64 lower(const KnapsackTree& tree, const Node& node, int depth) const "
        "{ return depth < n ? -1000 - depth : -i64(node.profit); } };",
        "falling.cuh",
    )

    def lower(self, problem: Knapsack, node: Any, depth: int) -> int:
        return -1000 - depth if depth < len(problem.profits) else -int(node["profit"])


@final
@frozen
class Spare(Bound[Knapsack]):
    """A bound with an array as a field, so that the bound has no hash."""

    spare: np.ndarray = data("int64", ndim=1)
    source: ClassVar[Source] = Source(
        "struct Spare : SpareData { MH_FN i64 lower(const KnapsackTree&, const Node& node, int depth) const "
        "{ return depth < n ? -i64(spare(0)) : -i64(node.profit); } };",
        "spare.cuh",
    )

    def lower(self, problem: Knapsack, node: Any, depth: int) -> int:
        return -int(self.spare[0]) if depth < len(problem.profits) else -int(node["profit"])


@final
@frozen
class Generated(Bound[Knapsack]):
    """A bound of all profits, by C++ that is generated for the problem."""

    def source_for(self, problem: Knapsack, device: Any) -> Source:
        return Source(
            "struct Generated : GeneratedData { MH_FN i64 lower(const KnapsackTree&, const Node& node, int depth) const"
            f" {{ return depth < n ? -{int(problem.profits.sum())} : -i64(node.profit); }} }};",
            "generated.cuh",
        )

    def lower(self, problem: Knapsack, node: Any, depth: int) -> int:
        return -int(problem.profits.sum()) if depth < len(problem.profits) else -int(node["profit"])


@pytest.mark.parametrize("order", [DepthFirst(), Explorers(3, 40)], ids=repr)
def test_a_part_may_generate_its_half(order: Order, compiling: Device) -> None:
    problem, search = knapsack(8), BranchAndBound(KnapsackTree(), Generated(), order=order)
    result = run(search, problem, stop=MINUTE, parallel=compiling.name)
    assert (result.device, result.cost) == (compiling.name, best_by_brute_force(problem))
    assert proof(result) == proof(run(search, problem, stop=MINUTE, parallel="numpy"))


def test_parts_need_no_hash(compiling: Device) -> None:
    problem = knapsack(8)
    search = BranchAndBound(KnapsackTree(), Spare(problem.profits.sum(keepdims=True)), order=Explorers(3, 40))
    result = run(search, problem, stop=MINUTE, parallel=compiling.name)
    assert result.cost == best_by_brute_force(problem)
    assert proof(result) == proof(run(search, problem, stop=MINUTE, parallel="numpy"))


def test_a_round_that_would_end_too_late_is_not_begun() -> None:
    problem, search = knapsack(24), BranchAndBound(KnapsackTree(), order=Explorers(3, 5))
    runner = IterationLevel("numpy").bind(search, problem)
    assert isinstance(runner, TreeRunner)
    assert isinstance(runner.engine, ExplorerEngine)
    walks = runner.advance(runner.load([started(search, problem, x=np.zeros(24, np.uint8))]), Until(9)).walks
    runner.engine._each = runner.engine._child = 1e6
    runner.alarm.deadline = time.perf_counter() + 0.1
    before = runner.state()
    assert runner.advance(walks, Until(20)).walks.iterations[0] == 9
    assert {name: a.tolist() for name, a in runner.state().open.items()} == {
        name: a.tolist() for name, a in before.open.items()
    }
    runner.engine._each = runner.engine._child = 0.0
    runner.alarm.deadline = math.inf
    assert runner.advance(walks, Until(20)).walks.iterations[0] == 20


def test_arguments_without_a_meaning_are_refused() -> None:
    with pytest.raises(InputError, match="must be of the type Branching"):
        BranchAndBound(Swap())  # type: ignore[arg-type, unused-ignore]
    with pytest.raises(InputError, match=r"`BranchAndBound\.dominance` must be a Dominance"):
        BranchAndBound(KnapsackTree(), dominance=KnapsackTree())  # type: ignore[arg-type, unused-ignore]
    with pytest.raises(InputError, match="compare no nodes"):
        BranchAndBound(KnapsackTree(), dominance=LighterAndDearer(), order=Explorers())
    with pytest.raises(InputError, match="keep"):
        BranchAndBound(KnapsackTree(), keep=0)
    with pytest.raises(InputError, match='must be "fixed" or "eager", but is \'soon\''):
        BranchAndBound(KnapsackTree(), incumbent="soon")
    with pytest.raises(InputError, match="keeps the best solution alone"):
        BranchAndBound(KnapsackTree(), incumbent="eager", keep=2)
    with pytest.raises(InputError, match="has no C\\+\\+ half, and host needs one"):
        run(BranchAndBound(Bits()), linear(5), stop=MINUTE, parallel="host")
    with pytest.raises(InputError, match="this is a QAP"):
        run(BranchAndBound(KnapsackTree()), QAP.taillard(12), stop=MINUTE)
