"""`check_search` finds wrong costs, and walks that part on a device, among other walks or after a pause."""

import re
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import evolve, field, frozen

from metaheur import EvaluatedSolution, Evaluator, HillClimbing, Key, Neighborhood, Search, Source, TabuSearch, Walk
from metaheur.device.device import Device
from metaheur.errors import CheckFailed
from metaheur.loops import Scan, Trial
from metaheur.neighborhoods import Swap
from metaheur.parts import PlacementMemory, Selection, Tenure
from metaheur.problems import QAP
from metaheur.source import source_of
from metaheur.testing import check_search
from tests.toys import InTurn, LateAcceptance, SecondBest, linear_ordering

PROBLEM = linear_ordering("what is kept", n=8)


def message(search: Any, problem: Any = PROBLEM, *, devices: Any = (), **options: Any) -> str:
    """What the check says of a fault; in one line."""
    with pytest.raises(CheckFailed) as failure:
        check_search(search, problem, devices=devices, **{"iterations": 20, **options})
    return str(failure.value).replace("\n", " ")


@pytest.mark.parametrize(
    "search",
    [
        HillClimbing(Swap()),
        TabuSearch(Swap(), (0.1, 0.3), long_term=50),
        InTurn(Swap()),
        Trial(Swap(), acceptance=LateAcceptance()),
        SecondBest(Swap()),
    ],
    ids=lambda search: type(search).__name__,
)
def test_right_searches_pass(search: Search[Any], compiling: Device) -> None:
    check_search(search, PROBLEM, iterations=40, devices=[compiling.name])


def test_it_wants_instances() -> None:
    assert message(HillClimbing).endswith("is not a Search. Maybe pass an instance such as TabuSearch(Swap()).")
    assert message(HillClimbing(Swap()), QAP).endswith("is not a Problem. Maybe pass an instance such as OneMax(10).")


# ---- costs and solutions ---------------------------------------------------------------------------------------------


@final
@frozen
class Careless(Search[Walk]):
    """Moves in the order of their indices; something goes wrong in iteration 10."""

    fault: str
    neighborhood: Neighborhood = Swap()

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        k = state.iteration % evaluate.size
        delta = evaluate.delta(state.current, k)
        assert delta is not None
        made = state.make_move(self.neighborhood, k, delta + (self.fault == "cost" and state.iteration == 9), 1)
        if self.fault == "solution" and made.iteration == 10:
            x = np.zeros_like(made.current.solution)
            return evolve(made, current=EvaluatedSolution(made.current.representation, x, made.current.cost))
        if self.fault == "best" and made.iteration == 10:
            x = made.current.solution
            return evolve(made, best=EvaluatedSolution(made.current.representation, x, made.current.cost - 10**6))
        return made

    def done(self, state: Walk) -> bool:
        return False


@pytest.mark.parametrize(
    ("fault", "wording"),
    [
        ("cost", "the current cost is "),
        ("solution", "the current solution is invalid: positions 0 and 1 both hold 0"),
        ("best", "the best cost is "),
    ],
)
def test_a_wrong_state_is_named_with_its_iteration(fault: str, wording: str) -> None:
    found = message(Careless(fault))
    assert found.startswith(f"Careless on LinearOrdering after 10 iterations: {wording}")
    assert fault == "solution" or ", but the solution costs " in found


# ---- a pause ---------------------------------------------------------------------------------------------------------


@final
@frozen
class Forgetful(Search[Walk]):
    """Remembers beside its state how often it was asked, which no checkpoint knows."""

    neighborhood: Neighborhood = Swap()
    asked: list[int] = field(factory=list)

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        self.asked[:] = [self.asked[0] + 2 if state.iteration else 0]
        k = self.asked[0] % evaluate.size
        delta = evaluate.delta(state.current, k)
        assert delta is not None
        return state.make_move(self.neighborhood, k, delta, 1)

    def done(self, state: Walk) -> bool:
        return False


def test_a_search_that_remembers_beside_its_state_is_found() -> None:
    assert message(Forgetful()).startswith(
        "Forgetful on LinearOrdering: a walk resumed after 10 iterations ends with another state.current"
    )


def one_more(count: int) -> int:
    return count + 1


@frozen
class Counted:
    """A state with a member that a constructor does not take as it is."""

    walk: Walk
    count: int = field(converter=one_more)


@final
@frozen
class Counting(Search[Counted]):
    """Stands still; its state changes when it is made anew."""

    neighborhood: Neighborhood = Swap()

    def init(self, start: EvaluatedSolution, key: Key) -> Counted:
        return Counted(Walk(key, start, start), 0)

    def step(self, state: Counted, evaluate: Evaluator) -> Counted:
        return Counted(state.walk.stay(1), state.count)

    def done(self, state: Counted) -> bool:
        return False


def test_a_state_that_changes_when_it_is_saved_is_found() -> None:
    assert message(Counting()) == "Counting on LinearOrdering: state.count changes when a state is saved and loaded."


# ---- devices ---------------------------------------------------------------------------------------------------------


@final
@frozen
class Highest(Selection):
    """The largest change of cost, by a C++ half that says the lowest."""

    source: ClassVar[Source] = Source("struct Highest : HighestData { MH_FN Cost score(Cost d) const { return d; } };")

    def score(self, delta: Any) -> Any:
        return -delta


def test_halves_that_walk_apart_are_found(compiling: Device) -> None:
    scan = Scan(Swap(), memory=PlacementMemory(), selection=Highest())
    wording = message(scan, devices=[compiling.name])
    assert wording.startswith(f"Scan on LinearOrdering on {compiling.name}, resident=")
    assert wording.endswith(" differs from numpy.")
    assert ": after 1 iterations state.walk.current" in wording


def test_walks_that_share_random_numbers_are_found(compiling: Device) -> None:
    """The C++ half draws those of the first walk, so that each walk but the first goes another way."""
    text = source_of(PlacementMemory).text
    shared = text.replace("random.bits(", "Random{random.seed, 0, random.stream, random.iteration}.bits(")
    assert shared != text
    memory: Any = type("PlacementMemory", (PlacementMemory,), {"source": Source(shared)})
    wording = message(Scan(Swap(), memory=memory(Tenure(0.1, 2))), devices=[compiling.name], iterations=60)
    assert ": among three walks, state." in wording
    assert re.search(r" of walk [12] differs from where it goes alone\.$", wording)
