"""Dynamic programming over a core: against a plain dynamic program, in both halves, interrupted, and refused."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from metaheur import Checkpoint, resume, run, snapshot, stop
from metaheur.device.host.host import Host
from metaheur.door.states import initial_states
from metaheur.errors import InputError
from metaheur.parallel import IterationLevel
from metaheur.problems import Knapsack, OneMax
from metaheur.problems.knapsack_kinds import KINDS
from metaheur.problems.trees.core_decider import beginning, skip
from metaheur.problems.trees.core_host import HostDecider
from metaheur.problems.trees.core_items import items_of
from metaheur.problems.trees.knapsack_core import KnapsackCore
from metaheur.problems.trees.ratio import sorted_by_ratio
from metaheur.random import Key
from metaheur.running.result import Result
from metaheur.running.view import Until
from metaheur.testing import check_search
from metaheur.tree import nodes
from metaheur.tree.state import TreeState

MINUTE = stop.seconds(60)


def optimum(knapsack: Knapsack) -> int:
    """The best profit for each load, item by item."""
    capacity = int(knapsack.capacities[0])
    best = np.zeros(capacity + 1, np.int64)
    for profit, weight in zip(knapsack.profits.tolist(), knapsack.weights[0].tolist(), strict=True):
        if weight <= capacity:
            best[weight:] = np.maximum(best[weight:], best[: capacity + 1 - weight] + profit)
    return int(best.max())


def drawn(random: np.random.Generator, kind: str) -> Knapsack:
    """A small instance; some have items without weight or profit, or a capacity that is unlike the kind's."""
    n, largest, h, seed = (int(random.integers(low, high)) for low, high in ((1, 40), (10, 40), (1, 101), (0, 1 << 30)))
    knapsack = Knapsack.pisinger(kind, n, largest=largest if kind != "similar weights" else 10, h=h, seed=seed)
    if random.random() < 0.7:
        return knapsack
    profits, weights = knapsack.profits.copy(), knapsack.weights[0].copy()
    weights[random.random(n) < 0.1] = 0
    profits[random.random(n) < 0.1] = 0
    return Knapsack.single(profits, weights, int(random.integers(0, int(weights.sum()) + 5)))


def proven(knapsack: Knapsack) -> int:
    """The optimum by the compiled half, and that the changes amount to it."""
    items = items_of(knapsack)
    (best, changes), core = items.near, beginning(items)
    skip(items, core, best)
    decider = HostDecider(items, Host(), 1 << 30)
    decider.load(core)
    while decider.count:
        made = decider.decide(best, 1 << 40, 1 << 40)
        best, changes = made.best, tuple(changes if made.changes is None else made.changes)
    taken = items.order[items.solution(changes)]
    assert int(knapsack.profits[taken].sum()) == best
    assert int(knapsack.weights[0][taken].sum()) <= int(knapsack.capacities[0])
    return best + items.free_profit


def require_optima(count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        knapsack = drawn(random, kind)
        assert proven(knapsack) == optimum(knapsack), (number, kind)


def test_the_optimum_of_a_thousand_instances_of_all_kinds_is_proven() -> None:
    require_optima(1000, 1)


@pytest.mark.thorough
def test_the_optimum_of_ten_thousand_instances_of_all_kinds_is_proven() -> None:
    require_optima(10_000, 2)


def outcome(result: Result) -> tuple[object, ...]:
    return result.proof, result.iterations, result.evaluated, result.solution.tolist(), result.improved_at


@pytest.mark.parametrize("kind", KINDS)
def test_numpy_and_the_host_find_the_same_and_count_the_same(kind: str) -> None:
    random = np.random.default_rng(7)
    for _ in range(4):
        knapsack = drawn(random, kind)
        python, host = (run(KnapsackCore(), knapsack, stop=MINUTE, seed=1, parallel=on) for on in ("numpy", "host"))
        assert outcome(python) == outcome(host)
        assert python.proof is not None
        assert (python.proof.status, python.cost, python.proof.bound) == ("optimal", *2 * (optimum(knapsack),))


def test_it_steps_alike_wherever_it_stands() -> None:
    check_search(KnapsackCore(), Knapsack.pisinger("circle", 60, seed=1), devices=["host"])


def test_it_goes_on_where_it_stopped_on_another_device(tmp_path: Path) -> None:
    knapsack, file = Knapsack.pisinger("circle", 60, seed=3), tmp_path / "run.npz"
    whole = run(KnapsackCore(), knapsack, stop=MINUTE)
    assert whole.iterations > 8
    for end in (1, 3, whole.iterations // 2):
        part = run(KnapsackCore(), knapsack, stop=stop.iterations(end), watch=[Checkpoint(file)], parallel="numpy")
        assert part.proof is not None
        assert part.proof.bound is not None
        assert whole.cost <= part.proof.bound
        assert outcome(resume(file, KnapsackCore(), knapsack, stop=MINUTE, parallel="host")) == outcome(whole)


WRONG: dict[str, tuple[Callable[[np.ndarray], np.ndarray], str]] = {
    "weights": (lambda found: found + 1, "differs from the sums"),
    "profits": (lambda found: found - 1, "differs from the sums"),
    "paths": (lambda found: found + 10**6, "has no path"),
    "parents": (lambda found: found + 1, "comes before"),
    "changed": (lambda found: found + 60, "an item outside"),
    "ends": (lambda found: found + 1000, "its core is from"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_state_that_the_items_do_not_have_is_refused(name: str) -> None:
    knapsack, search = Knapsack.pisinger("circle", 60, seed=3), KnapsackCore()
    runner = IterationLevel("numpy").bind(search, knapsack)
    walks = runner.load(initial_states(search, knapsack, [Key(1)]))
    state: TreeState = snapshot(runner.advance(walks, Until(9)).walks.state(0))
    search.require_state(state, knapsack)
    change, reason = WRONG[name]
    with pytest.raises(InputError, match=reason):
        search.require_state(evolve(state, open={**state.open, name: change(state.open[name])}), knapsack)
    for count in (-1, 2**62 + 1):
        with pytest.raises(InputError, match="its core counts"):
            search.require_state(evolve(state, counts=evolve(state.counts, bounded=count)), knapsack)


def test_what_ends_it_early_keeps_the_best_and_a_bound() -> None:
    knapsack = Knapsack.pisinger("weakly correlated spanner", 2000, h=90, seed=1)
    best = run(KnapsackCore(), knapsack, stop=MINUTE).cost
    full = KnapsackCore(memory=200_000)
    for search, end, reason in (
        (KnapsackCore(), nodes(1000), "nodes"),
        (KnapsackCore(), stop.evaluations(1000), "evaluations"),
        (full, MINUTE, "memory"),
    ):
        result = run(search, knapsack, stop=end)
        assert result.proof is not None
        assert result.proof.bound is not None
        assert (result.stopped_by, result.proof.status) == (reason, "feasible")
        assert result.proof.cost == result.cost <= best <= result.proof.bound


def test_numbers_just_below_the_limit_are_exact_and_others_refused() -> None:
    most = 2**29
    profits, weights = [most, most - 1, most - 2, 5], [most, most - 9, most - 1, 7]
    knapsack = Knapsack.single(profits, weights, 2 * most - 2)
    results = [run(KnapsackCore(), knapsack, stop=MINUTE, seed=1, parallel=on) for on in ("numpy", "host")]
    assert outcome(results[0]) == outcome(results[1])
    assert results[0].cost == 2 * most - 1 + 5
    with pytest.raises(InputError, match=r"overflows int64.*\nMaybe"):
        run(KnapsackCore(), Knapsack.single([2**31, 2**31 - 1], [2**31, 2**31 - 1], 2**31), stop=MINUTE)


def test_ratios_are_compared_exactly() -> None:
    """Against fractions; in every third draw ratios are close to 1, where floats cannot tell them apart."""
    random = np.random.default_rng(1)
    for number in range(150):
        n, *bits = (int(random.integers(1, high)) for high in (40, 61, 61))
        weights, profits = (random.integers(0, 2**most, n) for most in bits)
        if number % 3 == 0:
            weights = 2 ** bits[0] - random.integers(0, 2, n)
            profits = weights - random.integers(0, 2, n)
        pairs = zip(profits.tolist(), weights.tolist(), strict=True)
        keys = [(w > 0, Fraction(-p, w) if w else 0) for p, w in pairs]
        assert sorted_by_ratio(profits, weights).tolist() == sorted(range(n), key=keys.__getitem__)


def test_what_it_cannot_search_is_refused() -> None:
    with pytest.raises(InputError, match="this is a OneMax"):
        run(KnapsackCore(), OneMax(5), stop=MINUTE)
    with pytest.raises(InputError, match="MultiKnapsackTree"):
        run(KnapsackCore(), Knapsack(np.array([1]), np.array([[1], [1]]), np.array([1, 1])), stop=MINUTE)


def test_a_gpu_is_refused_with_the_reason(device: str) -> None:
    if device.startswith("cuda"):
        with pytest.raises(InputError, match=r"one after the other.*\nMaybe"):
            run(KnapsackCore(), Knapsack.single([1], [1], 1), stop=MINUTE, parallel=device)
    else:
        assert run(KnapsackCore(), Knapsack.single([1], [1], 1), stop=MINUTE, parallel=device).cost == 1
