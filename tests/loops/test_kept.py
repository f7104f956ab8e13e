"""What a file says that a loop keeps is compared with what the loop and its parts declare."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import Checkpoint, resume, run, snapshot, stop
from metaheur.component import members_of
from metaheur.door.states import initial_states
from metaheur.errors import CheckpointError, InputError
from metaheur.fields import Array
from metaheur.loops import Loop
from metaheur.neighborhoods import Swap
from metaheur.parts import AdaptiveMoves, Limit, Part, PathRelinking, RandomMoves, UpperConfidenceBound
from metaheur.problem import Problem
from metaheur.problems import QAP, QUBO
from metaheur.random import Key
from metaheur.representation import Representation
from metaheur.search import LoopState, Search
from metaheur.searches import (
    AdaptiveSearch,
    DiversificationDrivenTabuSearch,
    HillClimbing,
    IteratedLocalSearch,
    Sequence,
    TabuSearch,
    VariableNeighborhoodDescent,
)
from tests.compositions import LOOPS
from tests.running.test_checkpoint import rewrite

QAP_9 = QAP.random(9, seed=4)
QUBO_9 = QUBO(np.random.default_rng(1).integers(-9, 10, (9, 9)))
ITERATED = IteratedLocalSearch(TabuSearch(Swap()), AdaptiveMoves(Swap(), 2, 5), limit=Limit(5), remembers=True)
RELINKED = IteratedLocalSearch(HillClimbing(Swap()), PathRelinking(Swap(), RandomMoves(Swap(), 3)), limit=Limit(5))
DESCENDING = IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 3))
SHAKEN = IteratedLocalSearch(DESCENDING, RandomMoves(Swap(), 3), limit=Limit(10**9))
SHUFFLED = VariableNeighborhoodDescent([Swap(), Swap(), Swap()], order="random")
HANDING = Sequence([TabuSearch(Swap()), HillClimbing(Swap())], Limit(5), cycles=True, hands_over_best=True)
ADAPTIVE = AdaptiveSearch([Swap(), Swap()], UpperConfidenceBound())
PHASES = DiversificationDrivenTabuSearch(stagnation=1)


def walked(search: Search[Any], problem: Problem, iterations: int = 60) -> LoopState:
    """Where a walk stands after some iterations."""
    from metaheur.parallel import IterationLevel
    from metaheur.running.view import Until

    runner = IterationLevel("numpy").bind(search, problem)
    walks = runner.load(initial_states(search, problem, [Key(5)]))
    state: LoopState = runner.advance(walks, Until(iterations)).walks.state(0)
    return state


def part(state: LoopState, path: str) -> Any:
    """What is kept at a path such as "perturbation.count"."""
    node: Any = state
    for name in path.split("."):
        node = (node.kept if isinstance(node, LoopState) else node)[name]
    return node


@pytest.mark.parametrize("value", [-1, 9, 100_000, 2**30, -(2**31)])
def test_a_solution_out_of_range_is_refused_before_any_device_sees_it(tmp_path: Path, value: int) -> None:
    path = tmp_path / "run.npz"
    run(ITERATED, QAP_9, stop=stop.iterations(50), parallel="numpy", watch=[Checkpoint(path)])

    def change(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        name = header["states"][0]["fields"]["kept"]["keys"]["home"]["array"]
        arrays[name][0, 3] = value

    rewrite(path, change)
    with pytest.raises(CheckpointError, match=rf"run.npz cannot be resumed: Nest.home holds {value}, but .* 0 ... 8"):
        resume(path, ITERATED, QAP_9, stop=stop.iterations(99))


def swapped(row: np.ndarray) -> None:
    row[[0, 1]] = row[[1, 0]]


def dearer(number: np.ndarray) -> None:
    number[...] += 1


def to(value: Any, at: Any = ()) -> Callable[[np.ndarray], None]:
    def set_(array: np.ndarray) -> None:
        array[at] = value

    return set_


@pytest.mark.parametrize(
    ("search", "problem", "path", "change", "message"),
    [
        (ITERATED, QAP_9, "home", swapped, "the Nest.home 0 cost is saved as .*, but the solution costs"),
        (ITERATED, QAP_9, "found", to(3, 0), r"the Nest.found 0 solution cannot be right. .* both hold 3"),
        (ITERATED, QAP_9, "home_cost", dearer, "the Nest.home 0 cost is saved"),
        (ITERATED, QAP_9, "perturbation.count", to(6), r"Nest.perturbation.count holds 6, but .* 2 ... 5"),
        (ITERATED, QAP_9, "perturbation.count", to(-1), "Nest.perturbation.count holds -1"),
        (ITERATED, QAP_9, "rounds", to(-1), "Nest.rounds holds -1"),
        (ITERATED, QAP_9, "inner.memory.expiries", to(-1, (4, 2)), "Scan.memory.expiries holds -1"),
        (RELINKED, QAP_9, "perturbation.filled", to(11), r"Nest.perturbation.filled holds 11, but .* 0 ... 10"),
        (RELINKED, QAP_9, "perturbation.pool", to(9, (0, 0)), r"Nest.perturbation.pool holds 9"),
        (RELINKED, QAP_9, "perturbation.costs", to(7, 0), "the Nest.perturbation.pool 0 cost is saved as 7"),
        (RELINKED, QAP_9, "found_cost", dearer, "the best cost of a phase is .*, but the walk is at"),
        (SHAKEN, QAP_9, "inner.found_cost", dearer, "the best cost of a phase is .*, but the walk is at"),
        (SHUFFLED, QAP_9, "order.listed", to(0), "Phases.order.listed holds an entry twice"),
        (SHUFFLED, QAP_9, "order.failed", to(3), r"Phases.order.failed holds 3, but .* 0 ... 2"),
        (SHUFFLED, QAP_9, "turn", to(3), r"Phases.turn holds 3, but .* -1 ... 2"),
        (HANDING, QAP_9, "found", swapped, "the Phases.found 0 cost is saved"),
        (ADAPTIVE, QAP_9, "choice.rewards", to(-5, 1), "AdaptiveTrial.choice.rewards holds -5"),
        (PHASES, QUBO_9, "found", to(2, 0), "FlipPhases.found holds 2, but its entries are 0 ... 1"),
        (PHASES, QUBO_9, "cursor", to(9), r"FlipPhases.cursor holds 9, but .* 0 ... 8"),
        (PHASES, QUBO_9, "perturbation.elite", to(255, (0, 1)), "FlipPhases.perturbation.elite holds 255"),
    ],
)
def test_what_is_kept_is_refused_where_it_cannot_be_right(
    search: Any, problem: Problem, path: str, change: Callable[[np.ndarray], None], message: str
) -> None:
    state = walked(search, problem)
    search.require_state(state, problem)
    wrong = snapshot(state)
    change(part(wrong, path))
    with pytest.raises(InputError, match=message):
        search.require_state(wrong, problem)


def test_rows_of_a_pool_that_are_not_used_may_hold_anything_in_range() -> None:
    state = walked(RELINKED, QAP_9, 8)
    filled = int(part(state, "perturbation.filled"))
    assert 0 < filled < 10
    part(state, "perturbation.pool")[filled] = 5
    part(state, "perturbation.costs")[filled] = -77
    RELINKED.require_state(state, QAP_9)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_temperatures_are_finite_and_not_negative(value: float) -> None:
    problem, loop = next((problem, loop) for name, (problem, loop) in LOOPS.items() if "LundyMees" in name)
    state = walked(loop, problem, 9)
    part(state, "acceptance.cooling.level")[()] = value
    with pytest.raises(InputError, match=r"Trial.acceptance.cooling.level holds (nan|inf|-1.0)"):
        loop.require_state(state, problem)


def declared(component: Any, space: Representation) -> Iterator[tuple[str, dict[str, Array]]]:
    """What a loop or a part and those inside it keep, by their classes."""
    yield type(component).__name__, dict(component.state(space))
    for _, inner in members_of(component):
        if isinstance(inner, Loop | Part):
            yield from declared(inner, space)


FREE = {"hashes", "moves"}
"""Any whole number may be a hash; moves are numbered."""


@pytest.mark.parametrize("name", LOOPS)
def test_all_that_ships_says_what_its_whole_numbers_may_be(name: str) -> None:
    problem, loop = LOOPS[name]
    for owner, arrays in declared(loop, problem.representation):
        for key, array in arrays.items():
            standard = array.dtype in ("bool", "cost", "total", "item", "float64")
            assert standard or array.within is not None or key in FREE, f"{owner}.{key}"
            assert array.costs in ("", *arrays), f"{owner}.{key}"
            assert array.rows in ("", *arrays), f"{owner}.{key}"
            if array.dtype == "item" and array.shape[-1] == problem.representation.length:
                assert array.costs, f"{owner}.{key} holds solutions whose costs nobody knows"
