"""Several fronts at once: each walk as it is alone, archives that are exchanged, and the front of all."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import Key, ParetoLocalSearch, Portfolio, Random, Until, resume, run, stop
from metaheur.archives import Crowding, Front, covered, nondominated
from metaheur.door.states import initial_states
from metaheur.errors import InputError
from metaheur.neighborhoods import Insertion, Swap
from metaheur.parallel import Allotment, Complete, Distributed, Islands, MultiGPU, Multistart, ParallelModel, Ring
from metaheur.parts import OrderCrossover, RandomMoves
from metaheur.problems import FlowShop
from metaheur.random import Stream
from metaheur.searches import NSGA2
from metaheur.watch import Checkpoint
from tests.helpers import stepped
from tests.parallel.test_multi_gpu import of_kind

GENERATOR = np.random.default_rng(9)
SHOP = FlowShop(
    GENERATOR.integers(1, 99, (9, 3)),
    due_dates=GENERATOR.integers(60, 540, 9),
    objectives=("makespan", "total tardiness", "tardy jobs"),
)
SEARCH = ParetoLocalSearch(Insertion())


UNLIKE = Portfolio([SEARCH, ParetoLocalSearch(Swap(), explore="dominating", archive=Crowding(9))])


def states_of(model: ParallelModel, *ends: int, search: Any = SEARCH) -> list[Any]:
    """The states of a model's walks, at the last of the iterations where chunks end."""
    runner, keys = model.bind(search, SHOP), model.keys(4)
    walks = runner.begin(keys, SHOP.representation.starts(keys))
    for end in ends:
        walks = runner.advance(walks, Until(end)).walks
    return [walks.state(w) for w in range(len(walks))]


def archive(state: Any) -> Any:
    members = state.members
    return [getattr(members, name).tolist() for name in ("costs", "solutions", "visited", "born")]


def alone(walks: int, iterations: int) -> list[Any]:
    keys = [Key(4, w) for w in range(walks)]
    return [stepped(SEARCH, SHOP, state, iterations)[0] for state in initial_states(SEARCH, SHOP, keys)]


def test_each_walk_is_what_it_is_alone_and_the_front_that_of_all(device: str) -> None:
    model, lone = Multistart(3, device=device), alone(3, 15)
    assert [archive(state) for state in states_of(model, 4, 15)] == [archive(state) for state in lone]
    front = run(SEARCH, SHOP, stop=stop.iterations(15), seed=4, parallel=model).front
    assert front is not None
    first, *others = [Front.of(SHOP, [(w, state.members)]) for w, state in enumerate(lone)]
    assert front.costs.tolist() == first.merge(*others).costs.tolist()
    for w, cost in zip(front.walks.tolist(), front.costs.tolist(), strict=True):
        assert cost in lone[w].members.costs.tolist()
    two = MultiGPU(Multistart(3), (of_kind(device),) * 2)
    assert [archive(state) for state in states_of(two, 15)] == [archive(state) for state in lone]


def test_workers_find_the_front_of_one() -> None:
    alone = Multistart(3, device="numpy")
    with ThreadPoolExecutor(2) as pool:
        here, there = (
            run(SEARCH, SHOP, stop=stop.iterations(6), seed=4, parallel=model).front
            for model in (alone, Distributed(alone, pool, 2))
        )
    assert here is not None
    assert there is not None
    assert here.costs.tolist() == there.costs.tolist()
    assert here.solutions.tolist() == there.solutions.tolist()
    assert here.walks.tolist() == there.walks.tolist()


def exchanged(islands: Islands, states: list[Any], iteration: int) -> list[tuple[list[Any], list[bool]]]:
    """Costs and visits of each archive after an exchange, from lists and the definition."""
    after = []
    for w, state in enumerate(states):
        kept = [*zip(state.members.costs.tolist(), state.members.visited.tolist(), strict=True)]
        random = Random(state.walk.key, Stream.MIGRATION, iteration)
        for source in islands.topology.sources(w, len(states), random):
            sent = zip(states[source].members.costs.tolist(), states[source].members.visited.tolist(), strict=True)
            for cost, visited in sent:
                if not any(all(np.less_equal(other, cost)) for other, _ in kept):
                    kept = [each for each in kept if not all(np.less_equal(cost, each[0]))] + [(cost, visited)]
        after.append(([cost for cost, _ in kept], [visited for _, visited in kept]))
    return after


@pytest.mark.parametrize("topology", [Ring(), Complete()])
def test_islands_offer_each_other_all_their_members(topology: Any, device: str) -> None:
    islands = Islands(Multistart(3, device=device), 5, topology)
    found = states_of(islands, 3, 5)
    expected = exchanged(islands, alone(3, 5), 5)
    assert [(s.members.costs.tolist(), s.members.visited.tolist()) for s in found] == expected
    assert any(len(costs) != len(state.members) for (costs, _), state in zip(expected, alone(3, 5), strict=True))


def test_islands_of_fronts_are_the_same_on_every_device(device: str) -> None:
    here = states_of(Islands(Multistart(3, device=device), 4), 7, 21)
    there = states_of(Islands(Multistart(3, device="numpy"), 4), 21)
    assert [archive(state) for state in here] == [archive(state) for state in there]
    for state in here:
        assert len(nondominated(state.members.costs)) == len(state.members)
        assert state.walk.best.cost <= min(tuple(cost) for cost in state.members.costs.tolist())
    last = states_of(Islands(Multistart(2, device=device), 20), 20)
    assert all(covered(last[0].members.costs, last[1].members.costs))
    assert all(covered(last[1].members.costs, last[0].members.costs))


def test_an_emigrant_of_a_front_is_refused() -> None:
    with pytest.raises(InputError, match="ParetoLocalSearch sends whole archives, but Islands has emigrant='current'"):
        Islands(Multistart(2, device="numpy"), 3, emigrant="current").bind(SEARCH, SHOP)


def test_unlike_searches_for_a_front_are_a_portfolio(device: str) -> None:
    states = states_of(model := Multistart(4, device=device), 4, 15, search=UNLIKE)
    for member, search in enumerate(UNLIKE.members):
        lone = states_of(Multistart(4, device="numpy"), 15, search=search)
        assert [archive(state.inner) for state in states[member::2]] == [archive(state) for state in lone[member::2]]
    front = run(UNLIKE, SHOP, stop=stop.iterations(15), seed=4, parallel=model).front
    assert front is not None
    first, *others = [Front.of(SHOP, [(w, state.inner.members)]) for w, state in enumerate(states)]
    assert front.costs.tolist() == first.merge(*others).costs.tolist()
    assert len(set(front.walks.tolist())) > 1
    if device != "numpy":
        both = states_of(MultiGPU(Multistart(4), (of_kind(device),) * 2), 15, search=UNLIKE)
        assert [archive(state.inner) for state in both] == [archive(state.inner) for state in states]


def test_unlike_searches_for_a_front_exchange_members_and_explore_them_again(device: str) -> None:
    here = states_of(Islands(Multistart(4, device=device), 5, Complete()), 3, 5, search=UNLIKE)
    there = states_of(Islands(Multistart(4, device="numpy"), 5, Complete()), 5, search=UNLIKE)
    assert [archive(state.inner) for state in here] == [archive(state.inner) for state in there]
    before = [state.inner.members for state in states_of(Multistart(4, device="numpy"), 5, search=UNLIKE)]
    visited = {tuple(cost) for each in before[1::2] for cost in each.costs[each.visited].tolist()}
    new = visited - {tuple(cost) for each in before[::2] for cost in each.costs.tolist()}
    for members in (state.inner.members for state in here[::2]):
        arrived = [k for k, cost in enumerate(members.costs.tolist()) if tuple(cost) in new]
        assert arrived
        assert not members.visited[arrived].any()


def test_a_portfolio_for_a_front_is_resumed_elsewhere(tmp_path: Path) -> None:
    whole = run(UNLIKE, SHOP, stop=stop.iterations(12), seed=4, parallel=Multistart(4, device="numpy")).front
    path = tmp_path / "front.npz"
    half = Multistart(4, device="host")
    run(UNLIKE, SHOP, stop=stop.iterations(6), seed=4, parallel=half, watch=[Checkpoint(path, every=6)])
    rest = resume(path, UNLIKE, SHOP, stop=stop.iterations(12), parallel=Multistart(4, device="numpy")).front
    assert whole is not None
    assert rest is not None
    assert (rest.costs.tolist(), rest.solutions.tolist()) == (whole.costs.tolist(), whole.solutions.tolist())


def test_costs_of_several_objectives_are_not_allotted() -> None:
    with pytest.raises(InputError, match=r"Allotment compares the costs of walks, but .* several objectives"):
        Allotment(Multistart(4, device="numpy"), 100).bind(UNLIKE, SHOP)


def test_archives_and_populations_exchange_what_they_keep(device: str) -> None:
    both = Portfolio([SEARCH, NSGA2(OrderCrossover(), RandomMoves(Swap(), 1), size=6)])
    fronts = [
        run(both, SHOP, stop=stop.iterations(20), seed=4, parallel=Islands(Multistart(4, device=each), 5, Ring())).front
        for each in ("numpy", device)
    ]
    here, there = (front.costs.tolist() for front in fronts if front is not None)
    assert here == there
    assert len(here) > 3
