"""Archived annealing against its cases, written with lists, and what it does with members of other archives."""

from collections import Counter
from fractions import Fraction
from math import log, prod
from typing import Any

import numpy as np
import pytest

from metaheur import Random, run, stop
from metaheur.archives import Crowding, Members, Unbounded
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import ArchivedAnnealing
from metaheur.neighborhoods import Swap
from metaheur.parallel import Islands, Multistart
from metaheur.parts import Cooling, Geometric
from metaheur.problems import FlowShop, OneMax
from metaheur.searches import AMOSA
from tests.helpers import started

GENERATOR = np.random.default_rng(9)
SHOP = FlowShop(
    GENERATOR.integers(1, 99, (7, 3)),
    due_dates=GENERATOR.integers(60, 400, 7),
    objectives=("makespan", "total tardiness"),
)
Cost = tuple[int, ...]


def dominates(a: Cost, b: Cost) -> bool:
    return a != b and all(x <= y for x, y in zip(a, b, strict=True))


def amount(a: Cost, b: Cost, all_of_them: list[Cost]) -> Fraction:
    spans = [max(column) - min(column) for column in zip(*all_of_them, strict=True)]
    return prod((Fraction(abs(x - y), s) for x, y, s in zip(a, b, spans, strict=True) if x != y), start=Fraction(1))


def logit(bits: int) -> float:
    return log((2**32 - bits) / (bits + 1))


def decided(seen: Counter[str], archive: list[Cost], costs: tuple[Cost, Cost], level: float, bits: int) -> Cost | None:
    """Where the walk goes: to the new cost, to a member's, or nowhere; the archive is changed."""
    current, new = costs
    everyone = [*archive, current, new]
    above = [member for member in archive if dominates(member, new)]
    if dominates(new, current) and above:
        least = min(above, key=lambda member: amount(member, new, everyone))
        goes = -float(amount(least, new, everyone)) < logit(bits)
        seen["to a member" if goes else "not to a member"] += 1
        return least if goes else new
    if above or dominates(current, new):
        which = [*above, current] if dominates(current, new) else above
        mean = float(sum(amount(a, new, everyone) for a in which) / len(which))
        yes = mean < level * logit(bits)
        seen[f"{'dominated' if dominates(current, new) else 'not comparable'}, {yes}"] += 1
        return new if yes else None
    seen["enters"] += new not in archive
    if new not in archive:
        archive[:] = [member for member in archive if not dominates(new, member)] + [new]
    return new


def test_its_steps_are_those_of_the_cases() -> None:
    seen = Counter[str]()
    search = ArchivedAnnealing(Swap(), Cooling(0.5, Geometric(0.95, 20)), Crowding(60))
    state, evaluate = started(search, SHOP), NumpyEvaluator(SHOP, Swap())
    archive: list[Cost] = [state.walk.current.cost]
    for iteration in range(1, 1500):
        words = Random(state.walk.key, 4, iteration).words(0)
        k = ((words[1] << 32) | words[0]) * 21 >> 64
        new = SHOP.cost(Swap().move(SHOP.representation, k).apply(state.walk.current.solution))
        current, level = state.walk.current.cost, float(state.kept["cooling"]["level"])
        expected = decided(seen, archive, (current, new), level, words[2])
        state = search.step(state, evaluate)
        assert state.walk.current.cost == (current if expected is None else expected)
        assert SHOP.cost(state.walk.current.solution) == state.walk.current.cost
        (members,) = search.fronts(state)
        assert [tuple(cost) for cost in members.costs.tolist()] == archive
    assert len(seen) == 7
    assert min(seen.values()) > 2


def test_it_ends_with_its_schedule_and_keeps_no_more_members_than_its_archive() -> None:
    search = AMOSA(Swap(), 1.0, Geometric(0.5, 9, last=0.1), archive=Crowding(3))
    found = run(search, SHOP, stop=stop.iterations(999), seed=1, parallel="numpy")
    assert (found.iterations, found.stopped_by) == (36, "schedule ended")
    assert found.front is not None
    assert len(found.front) <= 3


def test_members_of_other_archives_are_offered_to_its_own() -> None:
    search = AMOSA(Swap(), 1.0, archive=Crowding(4))
    state = started(search, SHOP)
    xs = np.array([np.random.default_rng(k).permutation(7) for k in range(30)])
    costs = [SHOP.cost(x) for x in xs]
    arrivals = [Members.of(SHOP.representation, xs[part], costs[part]) for part in (slice(20), slice(20, 30))]
    expected = search.sent(state, None)
    for each in arrivals:
        expected = Crowding(4).offer(expected, each)
    state = search.received(state, arrivals)
    (members,) = search.fronts(state)
    assert members.costs.tolist() == expected.costs.tolist()
    assert members.solutions.tolist() == expected.solutions.tolist()
    assert state.walk.best.cost == min(map(tuple, members.costs.tolist()))


def test_islands_are_the_same_under_every_model() -> None:
    search: Any = AMOSA(Swap(), 0.3, Geometric(0.9, 10), archive=Crowding(5))
    fronts = []
    for device in ("numpy", "host"):
        for model in (Multistart(3, device=device), Islands(Multistart(3, device=device), 16)):
            front = run(search, SHOP, stop=stop.iterations(64), seed=2, parallel=model).front
            assert front is not None
            fronts.append((front.costs.tolist(), front.walks.tolist(), front.born.tolist()))
    assert fronts[0] == fronts[2]
    assert fronts[1] == fronts[3] != fronts[0]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match=r"must be bounded, but is Unbounded.*\nMaybe use Crowding\(100\)"):
        AMOSA(Swap(), archive=Unbounded())
    with pytest.raises(InputError, match="several objectives"):
        run(AMOSA(Swap()), OneMax(9), stop=stop.iterations(1), parallel="numpy")
