"""Resident loops make the same decisions as repeated steps, for every owner of walks and all ends of launches."""

from itertools import pairwise
from typing import Any, ClassVar, final

import attrs
import numpy as np
import pytest
from attrs import frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur import HillClimbing, IteratedLocalSearch, Scan, SimulatedAnnealing, TabuSearch, Trial
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.device.host.host import Host
from metaheur.device.names import device_of
from metaheur.errors import DeviceError, InputError
from metaheur.loops.loop import Loop
from metaheur.machine.pace import Alarm
from metaheur.neighborhoods import Insertion, Restricted, Sampled, Swap, Union
from metaheur.parts import (
    Always,
    Geometric,
    Limit,
    LongTerm,
    Metropolis,
    PlacementMemory,
    RandomMoves,
    Selection,
    Tenure,
)
from metaheur.problem import Problem
from metaheur.problems import QAP
from metaheur.random import START, Key, Random
from metaheur.runners.compiled_loop import CompiledLoop
from metaheur.runners.drive import Team, drive
from metaheur.runners.resident import Driver
from metaheur.running.runner import Facts
from metaheur.running.view import Until
from metaheur.source import Source
from tests.device.compilers import NoGPU
from tests.helpers import Improvements, advanced, facts, started, stepped
from tests.toys import Adjacent, Inversions

FAR = 10**9
ROOM: Any = attrs.fields(Driver).room.default
FACTS = Facts("", "", "")


def instance(kind: str, n: int) -> QAP:
    a, b = np.random.default_rng(n).integers(0, 30, (2, n, n))
    if kind == "symmetric":
        return QAP(a + a.T, b + b.T)
    if kind == "asymmetric":
        return QAP(a - 9, b - 9)
    return QAP((a - 9) * 100_003, (b - 9) * 100_003)  # "large": asymmetric, its costs are of 64 bits


def loop_of(search: Any) -> Loop:
    loop: Loop = search.loop
    return loop


LOOPS: dict[str, Loop] = {
    "hill climbing": loop_of(HillClimbing(Swap())),
    "tabu search": loop_of(TabuSearch(Swap())),
    "all tabu at times": loop_of(TabuSearch(Swap(), (6, 8))),
    "short tenures": loop_of(TabuSearch(Swap(), (0, 0.3))),
    "long-term aspiration": loop_of(TabuSearch(Swap(), long_term=20)),
    "moves that are seldom absent for long": loop_of(TabuSearch(Swap(), (0, 1), long_term=60)),
    "no memory": Scan(Swap()),
    "memory, and uphill with luck": Scan(Swap(), memory=PlacementMemory(), acceptance=Metropolis(90.0)),
    "a sample": loop_of(TabuSearch(Sampled(Swap(), 9))),
    "annealing": loop_of(SimulatedAnnealing(Swap(), 300.0, Geometric(0.9, 10, 1.0))),
    "random walk": Trial(Union(Swap(), Insertion()), Always()),
    "iterated": loop_of(IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 3))),
    "iterated, and remembers": loop_of(
        IteratedLocalSearch(
            TabuSearch(Swap(), (0.2, 0.5)), RandomMoves(Insertion(), 2), Always(), limit=Limit(None, 6), remembers=True
        )
    ),
    "iterated twice": loop_of(
        IteratedLocalSearch(
            IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 1), limit=Limit(4)),
            RandomMoves(Swap(), 3),
            limit=Limit(20),
        )
    ),
    "iterated annealing": loop_of(
        IteratedLocalSearch(
            SimulatedAnnealing(Swap(), 300.0), RandomMoves(Swap(), 3), Metropolis(50.0), limit=Limit(20)
        )
    ),
}
kinds = pytest.mark.parametrize("kind", ["symmetric", "asymmetric", "large"])
loops = pytest.mark.parametrize("name", LOOPS)

Owner = tuple[str, Team, int]
OWNERS: dict[str, Owner] = {
    "host": ("host", Team(), 1),
    "two threads": ("host", Team(), 2),
    "a thread": ("cuda", Team("thread", 64), 1),
    "a warp": ("cuda", Team("warp", 128), 1),
    "a block": ("cuda", Team("block", 256), 1),
    "blocks": ("cuda", Team("block", 64, 3), 1),
    "a cluster": ("cuda", Team("cluster", 64, 3), 1),
}


@pytest.fixture(
    params=[
        name if owner[0] == "host" else pytest.param(name, marks=pytest.mark.cuda) for name, owner in OWNERS.items()
    ]
)
def owner(request: pytest.FixtureRequest) -> Owner:
    """The owner of a walk; the test runs with each kind of owner."""
    found = OWNERS[request.param]
    if found[0] == "cuda":
        request.getfixturevalue("gpu")
    return found


def driven(problem: Problem, loop: Loop, owner: Owner = OWNERS["host"]) -> Driver:
    name, team, threads = owner
    if team.league > 1 and not loop.divides:
        pytest.skip("only the walks of a scan are shared by blocks")
    return Driver(CompiledLoop(problem, loop, device_of(name), team), FACTS, threads)


def on(device: Device, problem: Problem, loop: Loop) -> Driver:
    return Driver(CompiledLoop(problem, loop, device), FACTS)


def once(runner: Driver, state: Any, until: Until) -> tuple[Any, Improvements]:
    """The state after one launch, and the improvements."""
    chunk = runner.advance(runner.load([state]), until)
    return chunk.walks.state(0), list(chunk.improvements)


# ---- the trajectory --------------------------------------------------------------------------------------------------


@loops
def test_any_chunks_make_the_trajectory_of_the_steps(name: str, owner: Owner) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS[name]
    expected, improvements = stepped(loop, problem, started(loop, problem), 150)
    for chunk in (1, 7, 300):
        state, found = advanced(driven(problem, loop, owner), started(loop, problem), 150, chunk)
        assert facts(state) == facts(expected)
        assert found == improvements


@pytest.mark.parametrize("kind", ["symmetric", "large"])
@pytest.mark.parametrize("name", ["hill climbing", "long-term aspiration", "annealing", "iterated, and remembers"])
def test_costs_of_every_type_are_searched(compiling: Device, name: str, kind: str) -> None:
    problem, loop = instance(kind, 10), LOOPS[name]
    expected, improvements = stepped(loop, problem, started(loop, problem), 300)
    state, found = advanced(on(compiling, problem, loop), started(loop, problem), 300, 300)
    assert facts(state) == facts(expected)
    assert found == improvements


@pytest.mark.parametrize("n", [1, 2, 3, 31, 32, 33])
@pytest.mark.parametrize("name", ["hill climbing", "long-term aspiration", "annealing", "iterated"])
def test_solutions_of_every_length_are_searched(compiling: Device, name: str, n: int) -> None:
    problem, loop = instance("asymmetric", n), LOOPS[name]
    expected, improvements = stepped(loop, problem, started(loop, problem), 60)
    state, found = advanced(on(compiling, problem, loop), started(loop, problem), 60, 60)
    assert facts(state) == facts(expected)
    assert found == improvements


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=20), st.sampled_from(["long-term aspiration", "iterated twice"])
)
def test_where_launches_end_changes_nothing(compiling: Device, pieces: list[int], name: str) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS[name]
    whole, improvements = once(on(compiling, problem, loop), started(loop, problem), Until(sum(pieces)))
    runner = on(compiling, problem, loop)
    found: list[Any] = []
    walks = runner.load([started(loop, problem)])
    for piece in pieces:
        chunk = runner.advance(walks, Until(int(walks.iterations[0]) + piece))
        walks, found = chunk.walks, [*found, *chunk.improvements]
    assert facts(walks.state(0)) == facts(whole)
    assert found == improvements


@loops
def test_a_walk_goes_on_from_step_to_launch_and_back(compiling: Device, name: str) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS[name]
    runner, state = on(compiling, problem, loop), started(loop, problem)
    for turn in range(6):
        if turn % 2:
            state, _ = once(runner, state, Until(state.walk.iteration + 23))
        else:
            state, _ = stepped(loop, problem, state, state.walk.iteration + 17)
    expected, _ = stepped(loop, problem, started(loop, problem), 120)
    assert facts(state) == facts(expected)


def test_a_walk_goes_on_in_another_driver_of_its_problem(compiling: Device) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS["tabu search"]
    state = started(loop, problem)
    for _ in range(4):
        state, _ = once(on(compiling, problem, loop), state, Until(state.walk.iteration + 30))
    assert facts(state) == facts(stepped(loop, problem, started(loop, problem), 120)[0])


def test_two_walks_take_turns_on_one_driver(compiling: Device) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS["tabu search"]
    runner = on(compiling, problem, loop)
    first, second = started(loop, problem), started(loop, problem, x=np.arange(8, dtype=np.int32))
    for _ in range(4):
        first, _ = once(runner, first, Until(first.walk.iteration + 30))
        second, _ = once(runner, second, Until(second.walk.iteration + 20))
    assert facts(first) == facts(stepped(loop, problem, started(loop, problem), 120)[0])


def test_a_state_that_was_read_stays_as_it_is_when_the_walk_goes_on(compiling: Device) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS["tabu search"]
    runner = on(compiling, problem, loop)
    walks = runner.advance(runner.load([started(loop, problem)]), Until(10)).walks
    state = walks.state(0)
    before = facts(state)
    runner.advance(walks, Until(100))
    assert facts(state) == before


def test_walks_that_have_gone_on_cannot_be_read(compiling: Device) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS["tabu search"]
    runner = on(compiling, problem, loop)
    walks = runner.load([started(loop, problem)])
    runner.advance(walks, Until(10))
    with pytest.raises(InputError, match=r"These walks have gone on since.*\nMaybe read them before"):
        walks.state(0)


# ---- many walks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "walks"),
    [*((name, 3) for name in LOOPS), ("iterated, and remembers", 300)],
)
def test_each_of_many_walks_is_its_single_run(name: str, walks: int, owner: Owner) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS[name]
    many, single = driven(problem, loop, owner), driven(problem, loop)
    keys = [Key(3, w) for w in range(walks)]
    found = many.load([started(loop, problem, key=key) for key in keys])
    for end in (40, 90):
        found = many.advance(found, Until(end)).walks
    some = sorted({*range(0, walks, -(-walks // 100)), walks - 1})
    alone = [single.advance(single.load([started(loop, problem, key=keys[w])]), Until(90)).walks for w in some]
    for numbers in ("costs", "best_costs", "iterations", "evaluated", "improved_at", "finished"):
        assert getattr(found, numbers)[some].tolist() == [getattr(each, numbers)[0].item() for each in alone]
    for w in {0, walks // 2, walks - 1}:
        assert facts(found.state(w)) == facts(stepped(loop, problem, started(loop, problem, key=keys[w]), 90)[0])


@pytest.mark.parametrize("name", ["tabu search", "annealing", "iterated"])
def test_walks_that_begin_on_the_device_equal_loaded_walks(name: str, owner: Owner) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS[name]
    keys = [Key(3, w) for w in range(5)]
    xs = np.stack([problem.representation.random(Random(key, START, 0)) for key in keys])
    runner = driven(problem, loop, owner)
    begun = runner.advance(runner.begin(keys, xs), Until(70)).walks
    states = [facts(begun.state(w)) for w in range(5)]
    assert states == [facts(stepped(loop, problem, started(loop, problem, key=key), 70)[0]) for key in keys]


def test_a_walk_that_is_stopped_rests_where_it_stands(owner: Owner) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS["tabu search"]
    runner = driven(problem, loop, owner)
    walks = runner.advance(runner.load([started(loop, problem, key=Key(3, w)) for w in range(3)]), Until(20)).walks
    walks.stopped[1] = True
    walks = runner.advance(walks, Until(50)).walks
    assert walks.iterations.tolist() == [50, 20, 50]
    assert walks.stopped.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("team", "reason"),
    [
        ({"per": "grid"}, '`per` must be "thread", "warp", "block" or "cluster", but is \'grid\''),
        ({"threads": 16}, "`Team.threads` must be a whole number in 32 ... 1024"),
        ({"threads": 48}, "`threads` must be a multiple of 32, but is 48"),
        ({"per": "warp", "league": 2}, 'Only blocks share a walk, but `per` is "warp" and `league` is 2'),
        ({"per": "cluster"}, "A cluster has 2 ... 16 blocks, but `league` is 1"),
        ({"per": "cluster", "league": 17}, "A cluster has 2 ... 16 blocks, but `league` is 17"),
    ],
)
def test_impossible_teams_are_refused(team: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError) as refusal:
        Team(**team)
    assert reason in refusal.value.reason


def test_a_cpu_does_not_ask_who_owns_a_walk_on_a_gpu() -> None:
    problem, loop = instance("asymmetric", 8), LOOPS["tabu search"]
    keys = [Key(3, w) for w in range(3)]
    for team in (Team("cluster", 64, 3), Team("block", 64, 2)):
        runner = Driver(CompiledLoop(problem, loop, Host(), team), FACTS)
        walks = runner.advance(runner.load([started(loop, problem, key=key) for key in keys]), Until(50)).walks
        for w, key in enumerate(keys):
            assert facts(walks.state(w)) == facts(stepped(loop, problem, started(loop, problem, key=key), 50)[0])


@pytest.mark.parametrize("kind", ["symmetric", "asymmetric", "large"])
def test_a_thread_that_tries_one_move_at_a_time_keeps_nothing(kind: str, compiling: Device) -> None:
    for n in (1, 2, 9, 33):
        problem, loop = instance(kind, n), LOOPS["annealing"]
        assert drive(loop, problem, compiling, Team("thread", 64)).stateless
        runner = Driver(CompiledLoop(problem, loop, compiling, Team("thread", 64)), FACTS)
        walks = runner.advance(runner.load([started(loop, problem, key=Key(3, w)) for w in range(2)]), Until(150)).walks
        for w in range(2):
            expected, _ = stepped(loop, problem, started(loop, problem, key=Key(3, w)), 150)
            assert facts(walks.state(w)) == facts(expected)


def test_older_gpus_have_no_clusters() -> None:
    problem, loop = instance("asymmetric", 8), LOOPS["tabu search"]
    older: Any = NoGPU("sm_80")
    with pytest.raises(DeviceError, match=r"cannot form clusters on cuda:0 \(sm_80\).*\nMaybe use per="):
        CompiledLoop(problem, loop, older, Team("cluster", 64, 2))


def test_blocks_cannot_share_a_walk_that_does_not_divide() -> None:
    problem, loop = instance("asymmetric", 8), LOOPS["annealing"]
    with pytest.raises(InputError, match="A walk of Trial cannot be shared by several blocks"):
        CompiledLoop(problem, loop, Host(), Team(league=2))


# ---- where a launch ends ---------------------------------------------------------------------------------------------


@kinds
@pytest.mark.parametrize("name", ["tabu search", "iterated"])
def test_a_launch_ends_when_the_cost_is_reached(compiling: Device, kind: str, name: str) -> None:
    problem, loop = instance(kind, 10), LOOPS[name]
    _, improvements = stepped(loop, problem, started(loop, problem), 200)
    assert len(improvements) > 3
    runner = on(compiling, problem, loop)
    for (_, _, above, _), (_, iteration, cost, _) in pairwise(improvements):
        for target in (cost, above - 1, cost + 0.5):
            state, found = once(runner, started(loop, problem), Until(FAR, cost=target))
            assert (state.walk.iteration, state.walk.best.cost) == (iteration, cost)
            assert found == [each for each in improvements if each[1] <= iteration]


@pytest.mark.parametrize(
    ("target", "iteration"),
    [(-0.5, 50), (-(2**70), 50), (float("-inf"), 50), (10**9, 1), (2**70, 1), (float("inf"), 1)],
)
def test_targets_that_no_or_every_solution_reaches(compiling: Device, target: float, iteration: int) -> None:
    problem, loop = instance("symmetric", 6), LOOPS["tabu search"]
    state, _ = once(on(compiling, problem, loop), started(loop, problem), Until(50, cost=target))
    assert state.walk.iteration == iteration


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(1, 80),
    st.none() | st.integers(6_000, 9_000),
    st.none() | st.integers(1, 30),
    st.booleans(),
    st.sampled_from(["tabu search", "annealing", "iterated"]),
)
def test_a_launch_ends_at_the_first_of_its_conditions(  # noqa: PLR0917
    compiling: Device, iteration: int, cost: int | None, stagnation: int | None, improvement: bool, name: str
) -> None:
    problem, loop = instance("asymmetric", 10), LOOPS[name]
    until = Until(iteration, cost=cost, stagnation=stagnation, improvement=improvement)
    expected, improvements = stepped(loop, problem, started(loop, problem), until)
    state, found = once(on(compiling, problem, loop), started(loop, problem), until)
    assert facts(state) == facts(expected)
    assert found == improvements


def reversed_start(loop: Loop, problem: Problem) -> Any:
    return started(loop, problem, x=np.arange(60, dtype=np.int32)[::-1].copy())


@pytest.mark.parametrize("iterations", [ROOM - 1, ROOM, ROOM + 1, FAR])
def test_a_walk_may_improve_more_often_than_a_launch_can_report(compiling: Device, iterations: int) -> None:
    problem, loop = Inversions(60), loop_of(HillClimbing(Adjacent()))
    state, found = once(on(compiling, problem, loop), reversed_start(loop, problem), Until(iterations))
    made = min(iterations, ROOM)
    assert ROOM < 60 * 59 // 2
    assert state.walk.iteration == made
    assert found == [(0, k, 1770 - k, 59 * k) for k in range(1, made + 1)]


def test_reports_of_many_improvements_follow_each_other(compiling: Device) -> None:
    problem, loop = Inversions(60), loop_of(HillClimbing(Adjacent()))
    state, found = advanced(on(compiling, problem, loop), reversed_start(loop, problem), FAR, FAR)
    assert found == [(0, k, 1770 - k, 59 * k) for k in range(1, 1771)]
    assert (state.finished, state.walk.iteration) == (True, 1771)
    assert state.walk.best.solution.tolist() == list(range(60))


@pytest.mark.parametrize("iteration", [2**31 - 30, 2**32 - 30, 2**40])
@pytest.mark.parametrize("name", ["tabu search", "long-term aspiration", "annealing"])
def test_a_walk_goes_on_beyond_32_bits_of_iterations(compiling: Device, name: str, iteration: int) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS[name]

    def late() -> Any:
        state = started(loop, problem)
        if name != "annealing":
            state.kept["memory"]["expiries"][...] = iteration + np.arange(64).reshape(8, 8) % 11 - 4
        return attrs.evolve(state, walk=attrs.evolve(state.walk, iteration=iteration, improved_at=iteration))

    expected, _ = stepped(loop, problem, late(), iteration + 100)
    assert facts(once(on(compiling, problem, loop), late(), Until(iteration + 100))[0]) == facts(expected)


@pytest.mark.parametrize("name", ["tabu search", "all tabu at times", "long-term aspiration"])
def test_expiries_are_counted_anew_without_a_trace(compiling: Device, name: str) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS[name]
    assert isinstance(loop, Scan)
    expected, improvements = stepped(loop, problem, started(loop, problem), 200)
    for horizon in (1, 7, 40):
        runner = on(compiling, problem, attrs.evolve(loop, horizon=horizon))
        state, found = advanced(runner, started(loop, problem), 200, 200)
        assert facts(state) == facts(expected)
        assert found == improvements


def test_a_walk_that_has_reported_as_many_improvements_as_fit_waits_for_the_next_launch(compiling: Device) -> None:
    problem, loop = instance("asymmetric", 8), LOOPS["tabu search"]
    runner = Driver(CompiledLoop(problem, loop, compiling), FACTS, records=True, room=2)
    states = [started(loop, problem, key=Key(3, w)) for w in range(3)]
    expected = [stepped(loop, problem, started(loop, problem, key=Key(3, w)), 150)[1] for w in range(3)]
    walks, launches, found = runner.load(states), 0, [list[Any](), list[Any](), list[Any]()]
    while walks.iterations.min() < 150:
        made = runner.advance(walks, Until(150))
        walks, launches = made.walks, launches + 1
        for w, *improvement in made.improvements:
            found[w].append((0, *improvement))
    assert found == expected
    assert launches == max(map(len, expected)) // 2 + 1


# ---- a long chunk on the CPU is cut ----------------------------------------------------------------------------------


def ringing(after: int) -> Alarm:
    """An alarm that rings the n-th time that it is asked."""
    asked: list[int] = []

    def interrupted() -> bool:
        asked.append(1)
        return len(asked) >= after

    return Alarm(interrupted=interrupted)


@pytest.mark.parametrize("name", ["tabu search", "annealing", "iterated"])
def test_a_long_chunk_is_cut_when_the_alarm_rings(name: str) -> None:
    problem, loop = instance("asymmetric", 60), LOOPS[name]
    runner = driven(problem, loop)
    runner.alarm = ringing(after=3)
    walks = runner.advance(runner.load([started(loop, problem)]), Until(10**12)).walks
    made = int(walks.iterations[0])
    assert 0 < made < 10**12
    again = driven(problem, loop)
    expected, _ = once(again, started(loop, problem), Until(made))
    assert facts(walks.state(0))["walk"] == facts(expected)["walk"]


def test_a_walk_that_is_broken_off_while_its_memory_is_filled_begins_again() -> None:
    """The first changes of cost of 320,000 moves take longer than the alarm lets them."""
    problem, loop, key = instance("asymmetric", 800), LOOPS["tabu search"], Key(5)
    start = problem.representation.random(Random(key, START, 0))[None]
    runner = driven(problem, loop)
    runner.alarm = ringing(after=1)
    walks = runner.advance(runner.begin([key], start), Until(3)).walks
    assert walks.iterations.tolist() == [0]
    assert facts(walks.state(0)) == facts(started(loop, problem, key=key, x=start[0]))
    runner.alarm = Alarm()
    whole = driven(problem, loop)
    expected = whole.advance(whole.begin([key], start), Until(3)).walks.state(0)
    assert facts(runner.advance(walks, Until(3)).walks.state(0)) == facts(expected)


def test_an_error_in_a_watched_chunk_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, loop = instance("asymmetric", 60), LOOPS["tabu search"]
    runner = driven(problem, loop)
    walks = runner.load([started(loop, problem)])
    monkeypatch.setattr(type(runner.compiled.unit), "launch", lambda *_, **__: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        runner.advance(walks, Until(FAR))


# ---- memory ----------------------------------------------------------------------------------------------------------


def test_more_memory_than_there_is_is_refused_before_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Host, "free_memory", 2**27)
    problem, loop = QAP.random(2000, 1), LOOPS["tabu search"]
    with pytest.raises(InputError) as refusal:
        driven(problem, loop).load([started(loop, problem)] * 16)
    assert "16 walks of QAP with Permutation(n=2000, cyclic=False) would take" in refusal.value.reason
    assert "0.1 GiB are free; the largest, in GiB: " in refusal.value.reason
    assert refusal.value.maybe.startswith("use fewer walks")


def test_arrays_of_neighborhoods_of_one_type_take_shared_memory_each() -> None:
    beside = np.roll(np.arange(10), -1)[:, None]
    once, twice = (Restricted(Swap(), beside), Union(Restricted(Swap(), beside), Restricted(Swap(), beside)))
    gpu: Any = NoGPU()
    taken = []
    for neighborhood in (once, twice):
        problem, loop = QAP.random(10, 1), loop_of(HillClimbing(neighborhood))
        unit = compose(problem, drive(loop, problem, gpu, Team()), gpu)
        taken.append(unit.launch.shared)
    candidates, moves = 10 * 1 * 4, 10
    one_more = -(-candidates // 16) * 16 + moves * (8 + 4)  # the candidates, a change of cost and an expiry a move
    assert 0 < taken[1] - taken[0] <= one_more + 32
    assert taken[1] - taken[0] >= candidates


# ---- other parts -----------------------------------------------------------------------------------------------------


@final
@frozen
class Steepest(Selection):
    """Selects the largest change of cost, which the default selection avoids."""

    source: ClassVar[Source] = Source("""
struct Steepest : SteepestData {
    MH_FN Cost score(Cost delta) const { return -delta; }
};
""")

    def score(self, delta: Any) -> Any:
        return -delta


@pytest.mark.parametrize(
    "loop",
    [
        Scan(Swap(), selection=Steepest()),
        Scan(Swap(), PlacementMemory(Tenure(2, 3)), LongTerm(30), Steepest()),
    ],
    ids=["no memory", "memory and long-term aspiration"],
)
def test_a_selection_of_ones_own_scores_the_same_moves(compiling: Device, loop: Scan) -> None:
    problem = instance("asymmetric", 8)
    expected, improvements = stepped(loop, problem, started(loop, problem), 150)
    state, found = advanced(on(compiling, problem, loop), started(loop, problem), 150, 150)
    assert facts(state) == facts(expected)
    assert found == improvements
