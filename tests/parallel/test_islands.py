"""Islands: who receives what and when, against a definition in Python; the same on every device."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import (
    HillClimbing,
    IteratedLocalSearch,
    Key,
    MemeticAlgorithm,
    Random,
    Search,
    SimulatedAnnealing,
    TabuSearch,
    Trace,
    Until,
    run,
    stop,
)
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import (
    Complete,
    Diverse,
    EdgeAssembly,
    Exchange,
    Graph,
    Hypercube,
    Islands,
    IterationLevel,
    Mesh,
    Migration,
    MultiGPU,
    Multistart,
    ParallelModel,
    RandomTopology,
    Ring,
    Stagnating,
    Star,
    Topology,
    Treatment,
    Truncation,
)
from metaheur.parts import Breeding, Geometric, Limit, NoCrossover, RandomMoves, RandomParents, UniformLike
from metaheur.problem import Problem
from metaheur.problems import QAP
from metaheur.random import Stream
from metaheur.stop import Stop
from metaheur.walk import EvaluatedSolution, Walk, Walks
from tests.helpers import EveryTenth, facts, stepped
from tests.parallel.test_multi_gpu import of_kind

QAP_9 = QAP.random(9, seed=3)
KICKS = IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 3))
TABU, ANNEALING = TabuSearch(Swap()), SimulatedAnnealing(Swap(), 300.0, Geometric(0.9, 10))
ANY = Random(Key(1), Stream.MIGRATION, 7)


@pytest.mark.parametrize(
    ("topology", "islands", "expected"),
    [
        (Ring(), 4, [[3], [0], [1], [2]]),
        (Ring(2), 4, [[3, 2], [0, 3], [1, 0], [2, 1]]),
        (Ring(9), 3, [[2, 1], [0, 2], [1, 0]]),
        (Complete(), 3, [[1, 2], [0, 2], [0, 1]]),
        (Star(), 4, [[1, 2, 3], [0], [0], [0]]),
        (Hypercube(), 4, [[1, 2], [0, 3], [3, 0], [2, 1]]),
        (Mesh(2), 6, [[3, 1], [4, 0, 2], [5, 1], [0, 4], [1, 3, 5], [2, 4]]),
        (Mesh(2, wraps=True), 6, [[3, 2, 1], [4, 0, 2], [5, 1, 0], [0, 5, 4], [1, 3, 5], [2, 4, 3]]),
        (Mesh(3, wraps=True), 3, [[2, 1], [0, 2], [1, 0]]),
        (Graph([[1], [2, 0], []]), 3, [[1], [2, 0], []]),
        *((topology, 1, [[]]) for topology in (Ring(), Complete(), Star(), Hypercube(), RandomTopology(), Mesh(1))),
    ],
    ids=repr,
)
def test_each_island_has_its_sources(topology: Topology, islands: int, expected: list[list[int]]) -> None:
    assert [topology.sources(island, islands, ANY) for island in range(islands)] == expected


@pytest.mark.parametrize(
    ("reach", "islands", "others"),
    [(None, 5, {0, 1, 3, 4}), (1, 5, {1, 3}), (2, 7, {0, 1, 3, 4}), (3, 5, {0, 1, 3, 4})],
)
def test_random_sources_are_others_and_every_other_in_reach_comes(
    reach: int | None, islands: int, others: set[int]
) -> None:
    topology = RandomTopology(3, reach=reach)
    drawn = [topology.sources(2, islands, Random(Key(1), Stream.MIGRATION, it)) for it in range(200)]
    assert all(len(sources) == 3 for sources in drawn)
    assert {source for sources in drawn for source in sources} == others


def defined(search: Search[Any], islands: Islands, iterations: int) -> list[Any]:
    """The states of all walks, stepped by Python, exchanging as the definition says."""
    keys = islands.keys(4)
    from metaheur.door.states import initial_states

    states = initial_states(search, QAP_9, list(keys))
    for end in range(islands.every, iterations + islands.every, islands.every):
        states = [stepped(search, QAP_9, state, min(end, iterations))[0] for state in states]
        if islands.after <= end <= iterations:
            states = exchanged(search, islands, states, end)
    return states


def test_the_worst_receive_from_the_best() -> None:
    costs, going = np.array([5, 3, 9, 3, 7, 1, 9, 4]), np.array([True] * 5 + [False] + [True] * 2)
    assert Truncation().senders(costs, going, lambda _: ANY) == {6: 1}
    assert Truncation(0.5).senders(costs, going, lambda _: ANY) == {6: 1, 2: 3, 4: 7}
    assert Truncation().senders(costs[:1], going[:1], lambda _: ANY) == {}
    assert Truncation(0.01).senders(costs[:2], going[:2], lambda _: ANY) == {0: 1}
    assert sorted(Truncation().sources(1, 4, ANY)) == [0, 2, 3]


def ranked(w: int, states: list[Any]) -> list[int]:
    """The source of a walk where the worst two of nine receive from the best two."""
    order = sorted(range(9), key=lambda other: (states[other].walk.current.cost, other))
    return {order[8]: order[:1], order[7]: order[1:2]}.get(w, [])


def exchanged(search: Search[Any], islands: Islands, states: list[Any], iteration: int) -> list[Any]:
    out = []
    for w, before in enumerate(states):
        state, walk = before, before.walk
        sources = islands.topology.sources(w, len(states), Random(walk.key, Stream.MIGRATION, iteration))
        if isinstance(islands.topology, Truncation):
            sources = ranked(w, states)
        if not sources:
            out.append(before)
            continue
        sent = [getattr(states[s].walk, islands.emigrant) for s in sorted(sources)]
        offered = min(sent, key=lambda solution: solution.cost)  # the first among equals
        if not takes_part(islands.migration, walk, offered):
            out.append(anew(search, before) if islands.migration.anew else before)
            continue
        if islands.treatment is not None:
            random = Random(walk.key, Stream.RECOMBINATION, iteration)
            offered = islands.treatment.sent(offered, QAP_9, random)
            offered = islands.treatment.received(walk.current, offered, QAP_9, random)
        old = {"worse best": walk.best.cost, "worse current": walk.current.cost, "always": float("inf")}
        if offered.cost < old[islands.replaces]:
            better = offered.cost < walk.best.cost
            walk = evolve(
                walk,
                current=offered,
                best=offered if better else walk.best,
                improved_at=iteration if better else walk.improved_at,
                began=iteration,
            )
            state = search.enter(state, walk)
        out.append(state)
    return out


def anew(search: Search[Any], before: Any) -> Any:
    """A state with nothing learnt but the best solution."""
    walk, space = before.walk, QAP_9.representation
    x = space.random(Random(walk.key, Stream.RESTART, walk.iteration))
    start = EvaluatedSolution(space, x, QAP_9.cost(x))
    return search.enter(search.init(start, walk.key), evolve(walk, current=start, began=walk.iteration))


def takes_part(migration: Migration, walk: Walk, offered: EvaluatedSolution) -> bool:
    if isinstance(migration, Stagnating):
        return walk.iteration - walk.improved_at >= migration.iterations
    if isinstance(migration, Diverse):
        return bool(
            sum(a != b for a, b in zip(walk.current.solution, offered.solution, strict=True)) >= migration.least
        )
    return True


def exchange_of(own: np.ndarray, sent: np.ndarray) -> Exchange:
    """All walks are offered the solutions in the same rows of `sent`."""
    sources = {w: w for w in range(len(own))}
    return Exchange(0, sources, np.zeros(len(own), np.int64), lambda: own, lambda: sent)


def test_entries_of_positions_of_a_kind_do_not_differ() -> None:
    generator, kinds = np.random.default_rng(1), [0, 1, 1, 0, 2, 1, 0]
    for values in (None, 3):
        own, sent = (
            np.array([generator.permutation(7) if values is None else generator.integers(0, 3, 7) for _ in range(50)])
            for _ in range(2)
        )
        for least in range(1, 8):
            receives = Diverse(least, kinds=kinds).receives(exchange_of(own, sent))
            for w, (x, y) in enumerate(zip(own.tolist(), sent.tolist(), strict=True)):
                common = Counter(zip(kinds, x, strict=True)) & Counter(zip(kinds, y, strict=True))
                assert (w in receives) == (7 - common.total() >= least)
        assert Diverse(3, kinds=range(7)).receives(exchange_of(own, sent)) == Diverse(3).receives(
            exchange_of(own, sent)
        )


def test_wrong_kinds_of_entries_are_refused() -> None:
    model = Islands(Multistart(2, device="numpy"), 5, migration=Diverse(2, kinds=[0, 1, 1]))
    with pytest.raises(InputError, match=r"`Diverse\.kinds` has the kinds of 3 positions, but a solution has 9"):
        run(TABU, QAP_9, stop=stop.iterations(1), parallel=model)
    with pytest.raises(InputError, match=r"`Diverse\.kinds` must hold numbers of 0 \.\.\. 1"):
        Diverse(2, kinds=[0, 5])


def test_rules_with_equal_kinds_are_equal() -> None:
    assert Diverse(2, kinds=[0, 1]) == Diverse(2, kinds=[0, 1])
    assert Diverse(2, kinds=[0, 1]) != Diverse(2, kinds=[0, 0])
    assert Diverse(2, kinds=[0, 1]) != Diverse(2)
    assert Diverse(2) == Diverse(2)


class Halfway(Treatment):
    """A sender swaps two random items; what arrives starts with the receiver's first item."""

    def sent(self, solution: EvaluatedSolution, problem: Problem, random: Random) -> EvaluatedSolution:
        x = solution.solution.copy()
        i, j = random.index(0, len(x)), random.index(1, len(x))
        x[i], x[j] = x[j], x[i]
        return EvaluatedSolution(problem.representation, x, problem.cost(x))

    def received(
        self, own: EvaluatedSolution, arriving: EvaluatedSolution, problem: Problem, random: Random
    ) -> EvaluatedSolution:
        x = arriving.solution.copy()
        at = int(np.flatnonzero(x == own.solution[0])[0])
        x[0], x[at] = x[at], x[0]
        return EvaluatedSolution(problem.representation, x, problem.cost(x))


MODELS = {
    "stagnating": Islands(Multistart(6), 6, Complete(), replaces="worse current", migration=Stagnating(11)),
    "diverse": Islands(Multistart(6), 6, RandomTopology(), replaces="always", migration=Diverse(6)),
    "diverse, or anew": Islands(Multistart(6), 6, RandomTopology(), replaces="always", migration=Diverse(8, anew=True)),
    "treated": Islands(Multistart(6), 8, Mesh(2), replaces="worse current", treatment=Halfway()),
    "ring": Islands(Multistart(5), 12),
    "current, where worse": Islands(Multistart(4), 7, Complete(), emigrant="current", replaces="worse current"),
    "hypercube, always": Islands(Multistart(8), 10, Hypercube(), replaces="always"),
    "random": Islands(Multistart(6), 9, RandomTopology(2), replaces="worse current", after=10),
    "truncation": Islands(Multistart(9), 8, Truncation(0.3), emigrant="current", replaces="always"),
}


@pytest.mark.parametrize("search", [TABU, ANNEALING, KICKS], ids=["tabu search", "annealing", "kicks"])
@pytest.mark.parametrize("name", MODELS)
def test_walks_exchange_as_the_definition_says(name: str, search: Any, device: str) -> None:
    islands = MODELS[name]
    model = evolve(islands, model=Multistart(islands.model.walks, device=device))
    runner, keys = model.bind(search, QAP_9), model.keys(4)
    walks = runner.begin(keys, QAP_9.representation.starts(keys))
    for end in (5, 24, 31, 60):  # wherever chunks end
        walks = runner.advance(walks, Until(end)).walks
    states = defined(search, islands, 60)
    assert [facts(walks.state(w)) for w in range(len(walks))] == [facts(state) for state in states]


@pytest.mark.parametrize(
    "limit",
    [
        stop.evaluations(500),
        stop.no_improvement(7),
        stop.evaluations(300) & stop.no_improvement(4),
        stop.target(QAP_9.cost(np.arange(9)) - 300),
    ],
    ids=repr,
)
@pytest.mark.parametrize("exchanges", [(5,), (3, 8)], ids=repr)
def test_where_a_walk_is_over_does_not_depend_on_looks(limit: Stop, exchanges: tuple[int, ...]) -> None:
    """A walk that is over takes no part in later exchanges, but others do."""
    model: ParallelModel = Multistart(4, device="numpy")
    for every in exchanges:
        model = Islands(model, every, emigrant="current", replaces="worse current")
    until, counts = limit | stop.iterations(60), []
    for apart in (1, 2, 3, 100):
        found = run(KICKS, QAP_9, stop=until, parallel=model, watch=[Trace(apart)]).walks
        counts.append((found.iterations.tolist(), found.evaluated.tolist(), found.costs.tolist()))
    assert counts == [counts[0]] * 4


def test_islands_on_several_devices_are_those_of_one(device: str) -> None:
    name = of_kind(device)
    one = run(TABU, QAP_9, stop=stop.iterations(50), seed=4, parallel=Islands(Multistart(7, device=name), 6))
    several = MultiGPU(Multistart(7), (name,) * 3)
    three = run(TABU, QAP_9, stop=stop.iterations(50), seed=4, parallel=Islands(several, 6), watch=[EveryTenth()])
    assert one.walks.costs.tolist() == three.walks.costs.tolist()
    assert (one.cost, one.solution.tolist()) == (three.cost, three.solution.tolist())


def test_complete_islands_share_the_best_solution_so_far(device: str) -> None:
    islands = Islands(Multistart(6, device=device), 15, Complete())
    before = advanced(Multistart(6, device=device), 15)
    after = advanced(islands, 15)
    assert len(set(before.best_costs.tolist())) > 1
    assert set(after.best_costs.tolist()) == {before.best_costs.min()}
    assert sum(x != y for x, y in zip(before.costs.tolist(), after.costs.tolist(), strict=True)) > 1


def test_walks_share_a_population(device: str) -> None:
    """At each meeting, members are crossed; a child takes the place of its first parent, or of nobody."""
    phase, space = 20, QAP_9.representation
    pool = Breeding(NoCrossover(), size=1, selection=RandomParents())
    model = Islands(
        Multistart(5, device=device),
        phase + 1,
        RandomTopology(),
        emigrant="current",
        replaces="always",
        recombination=UniformLike(),
    )
    runner, keys = model.bind(MemeticAlgorithm(TABU, pool, Limit(phase)), QAP_9), model.keys(4)
    walks, before, replaced = runner.begin(keys, space.starts(keys)), np.full(5, 10**9), 0
    for meeting in range(1, 6):
        walks = runner.advance(walks, Until(meeting * (phase + 1))).walks
        states = [walks.state(w) for w in range(5)]
        members = np.array([state.kept["perturbation"]["solutions"][0] for state in states])
        costs = np.array([state.kept["perturbation"]["costs"][0] for state in states])
        assert (costs <= before).all()
        replaced += int((costs < before).sum())
        before = costs
        for w, state in enumerate(states):
            source = model.topology.sources(w, 5, Random(keys[w], Stream.MIGRATION, meeting * (phase + 1)))[0]
            child = members[w].copy()
            UniformLike().cross(child, members[source], Random(keys[w], Stream.RECOMBINATION, meeting * (phase + 1)))
            assert state.walk.current.solution.tolist() == child.tolist()
    assert 5 < replaced < 25


def advanced(model: ParallelModel, iterations: int) -> Walks:
    """The walks of a model after some iterations."""
    runner, keys = model.bind(TABU, QAP_9), model.keys(8)
    return runner.advance(runner.begin(keys, QAP_9.representation.starts(keys)), Until(iterations)).walks


def test_every_rule_decides_something() -> None:
    rules: list[dict[str, Any]] = [
        {},
        {"migration": Stagnating(11)},
        {"migration": Diverse(7)},
        {"treatment": Halfway()},
        {"topology": Mesh(2, wraps=True)},
        {"topology": Graph([[5], [5], [5], [5], [5], [4]])},
    ]
    found = []
    for rule in rules:
        model = Islands(Multistart(6, device="host"), **{"every": 6, "topology": Ring(), "replaces": "always", **rule})
        walks = run(TABU, QAP_9, stop=stop.iterations(60), seed=4, parallel=model).walks
        found.append((*walks.costs.tolist(), *walks.improved_at.tolist()))
    assert len(set(found)) == len(rules)


def test_nothing_is_evaluated_again_and_all_receive() -> None:
    alone = run(TABU, QAP_9, stop=stop.iterations(40), seed=4, parallel=Multistart(6, device="host"))
    model = Islands(Multistart(6, device="host"), 10, Complete(), replaces="worse current")
    together = run(TABU, QAP_9, stop=stop.iterations(40), seed=4, parallel=model)
    assert together.evaluated == alone.evaluated
    assert np.ptp(together.walks.costs) <= np.ptp(alone.walks.costs)
    assert len(set(together.walks.costs.tolist())) == 1  # the best one has come to every walk


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: Islands(IterationLevel("host"), 5), "of Islands exchange solutions, but IterationLevel has one walk"),
        (lambda: Islands(Multistart(4), 0), "`Islands.every` must be a whole number from 1 on"),
        (lambda: Islands(Multistart(4), 5, "ring"), "`Islands.topology` must be of the type"),  # type: ignore[arg-type]
        (lambda: Islands(Multistart(4), 5, emigrant="worst"), '`Islands.emigrant` must be one of "best", "current"'),
        (lambda: Islands(Multistart(4), 5, after=-1), "`Islands.after` must be a whole number from 0 on"),
        (lambda: Islands(Multistart(4), 5, recombination=Ring()), "`Islands.recombination` must be of the type"),  # type: ignore[arg-type]
        (lambda: Islands(Multistart(4), 5, migration=Ring()), "`Islands.migration` must be of the type"),  # type: ignore[arg-type]
        (
            lambda: Islands(
                Multistart(4), 5, treatment=Halfway(), recombination=EdgeAssembly(np.array([[1, 2], [0, 2], [0, 1]]))
            ),
            "has a recombination and a treatment",
        ),
        (lambda: Graph([[1], [1]]), "has 2 islands, but island 1 receives from 1"),
        (lambda: Graph([[2], [0]]), "has 2 islands, but island 0 receives from 2"),
        (lambda: Graph(3), "`Graph.islands` must be a list of islands for each island, but is 3"),
        (lambda: Graph([[1], [0]]).sources(0, 3, ANY), "The graph has 2 islands, but there are 3"),
        (lambda: Mesh(4).sources(0, 6, ANY), "6 islands cannot be laid out in 4 rows of equal length"),
        (lambda: Truncation(0.6), "`Truncation.share` must be a finite number above 0 and up to 0.5"),
        (lambda: Ring(0), "`Ring.reach` must be a whole number from 1 on"),
        (
            lambda: run(TABU, QAP_9, stop=stop.iterations(9), parallel=Islands(Multistart(6), 5, Hypercube())),
            "A hypercube has a power of two islands, but there are 6",
        ),
    ],
)
def test_what_is_not_an_archipelago_is_refused(made: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()
