"""Pipelines other than archives run like all searches: the same on every device, in chunks, killed and resumed."""

import signal
import time
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from metaheur import Checkpoint, Key, resume, run, stop
from metaheur.device.device import Device
from metaheur.door.states import initial_states
from metaheur.errors import InputError
from metaheur.parallel import Multistart
from metaheur.problems import OneMax
from metaheur.runners.pipelined import Pipelined
from metaheur.running.runner import Facts
from metaheur.running.view import Until
from metaheur.testing import check_search
from tests.device.compilers import started
from tests.helpers import facts, stepped
from tests.runners.herd import Herd, Herding
from tests.tree.emulated import Emulated

BITS = OneMax(50)
LONG = OneMax(300)
FACTS = Facts("", "", "")


def begun(walks: int = 1) -> list[Any]:
    return [*initial_states(Herd(), BITS, [Key(3, w) for w in range(walks)])]


def pipelined(device: Device, **settings: Any) -> Pipelined:
    return Pipelined(Herding(BITS, Herd()), device, FACTS, **settings)


def test_a_herd_is_the_same_on_every_device(device: str) -> None:
    check_search(Herd(), BITS, iterations=60, devices=[] if device == "numpy" else [device])


@pytest.mark.parametrize("ahead", [4, 64])
def test_chunks_and_launches_ahead_end_anywhere(ahead: int, compiling: Device) -> None:
    runner, (state,) = pipelined(compiling, ahead=ahead), begun()
    walks = runner.load([state])
    for end in (1, 2, 5, 6, 40, 41, 200):
        walks = runner.advance(walks, Until(end)).walks
        state = stepped(Herd(), BITS, state, end)[0]
        assert facts(walks.state(0)) == facts(state)
        walks = runner.load([walks.state(0)]) if end == 5 else walks  # where Python is to act
        assert bool(walks.finished[0]) == state.finished == (end == 200)


def test_a_gpu_runs_all_phases(tmp_path: Path) -> None:
    device: Any = Emulated(tmp_path)
    search, (state,) = Herd(7), begun()
    runner = Pipelined(Herding(BITS, search), device, FACTS, ahead=4)
    walks = runner.advance(runner.load([state]), Until(30)).walks
    assert facts(walks.state(0)) == facts(stepped(search, BITS, state, 30)[0])
    assert walks.finished[0]


def test_moves_of_an_answer_belong_to_the_next_iteration(device: str) -> None:
    """The fifth iteration ends with 7 moves evaluated; turning a string over evaluates one more."""
    ends = {}
    for limit in (7, 8, 11):
        found = run(Herd(), BITS, stop=stop.evaluations(limit), seed=3, parallel=device)
        ends[limit] = found.iterations, found.evaluated
    assert ends == {7: (5, 7), 8: (6, 10), 11: (7, 13)}


def test_improvements_are_told_and_a_target_ends_the_run(device: str) -> None:
    found = run(Herd(), BITS, stop=stop.target(40), seed=3, parallel=device)
    states = stepped(Herd(), BITS, begun()[0], found.iterations)
    assert found.stopped_by == "target"
    assert found.cost == 40
    told = [(each.iteration, BITS.displayed(each.cost), each.evaluated) for each in found.improvements]
    assert told == [(iteration, cost, evaluated) for _, iteration, cost, evaluated in states[1]]
    assert len(told) > 5


def test_each_walk_of_a_pipeline_is_its_single_run(device: str) -> None:
    found = run(Herd(), BITS, stop=stop.iterations(30), seed=3, parallel=Multistart(3, device=device))
    alone = [stepped(Herd(), BITS, state, 30)[0].walk for state in begun(3)]
    assert found.walks.costs.tolist() == [BITS.displayed(walk.best.cost) for walk in alone]
    assert found.walks.evaluated.tolist() == [walk.evaluated for walk in alone]


def test_walks_that_have_gone_on_are_no_longer_read(compiling: Device) -> None:
    runner = pipelined(compiling)
    walks = runner.load(begun())
    runner.advance(walks, Until(3))
    with pytest.raises(InputError, match=r"no longer on the device, .*\.\nMaybe read the states before the next step"):
        walks.state(0)


def test_a_chunk_ends_after_an_iteration_if_the_run_wants_a_look(compiling: Device) -> None:
    search = Herd(10**6)
    runner = Pipelined(Herding(LONG, search), compiling, FACTS, ahead=4)
    (state,) = initial_states(search, LONG, [Key(3)])
    runner.alarm.look = perf_counter() - 1
    walks = runner.advance(runner.load([state]), Until(20_000)).walks
    assert 0 < walks.iterations[0] < 20_000
    assert walks.state(0).walk.iteration == walks.iterations[0]


def test_several_walks_end_at_one_iteration_however_long_it_takes(compiling: Device) -> None:
    runner = pipelined(compiling, ahead=4)
    runner.alarm.look = perf_counter() - 1
    walks = runner.advance(runner.load(begun(2)), Until(50)).walks
    assert walks.iterations.tolist() == [50, 50]


SAVING = """
from metaheur import Checkpoint, run, stop
from tests.runners.herd import Herd
from tests.runners.test_pipelined import LONG

run(Herd(10**6), LONG, stop=stop.seconds(60), seed=5, parallel={device!r}, watch=[Checkpoint({path!r}, every=0.01)])
"""


def test_a_killed_pipeline_goes_on_as_if_nothing_had_happened(tmp_path: Path, compiling: Device) -> None:
    path, seen = tmp_path / "herd.checkpoint", set[int]()
    process = started(SAVING.format(path=str(path), device=compiling.name))
    try:
        deadline = time.monotonic() + 120
        while len(seen) < 3 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
            seen |= {path.stat().st_mtime_ns} if path.exists() else set()
    finally:
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
    assert process.returncode == -signal.SIGKILL, errors
    search, watch = Herd(10**6), [Checkpoint(tmp_path / "later.checkpoint")]
    there = resume(path, search, LONG, stop=stop.iterations(1), parallel=compiling.name)
    end = stop.iterations(there.iterations + 50)
    rest = resume(path, search, LONG, stop=end, parallel=compiling.name, watch=watch)
    whole = run(search, LONG, stop=end, seed=5, parallel=compiling.name)
    assert there.iterations > 0
    assert rest.iterations == whole.iterations == there.iterations + 50
    assert (rest.cost, rest.evaluated, rest.improved_at) == (whole.cost, whole.evaluated, whole.improved_at)
    assert rest.solution.tolist() == whole.solution.tolist()
