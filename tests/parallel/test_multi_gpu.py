"""Several devices: the walks of one, whatever their shares and whichever of them fails."""

import re
from itertools import count
from typing import Any

import pytest

from metaheur import SimulatedAnnealing, TabuSearch, resume, run, stop
from metaheur.device.host.host import Host
from metaheur.errors import DeviceError, InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel, MultiGPU, Multistart
from metaheur.parts import Geometric
from metaheur.problems import QAP
from metaheur.runners.joined import shares
from metaheur.runners.resident import Driver
from metaheur.watch import Checkpoint
from tests.helpers import EveryTenth

QAP_9 = QAP.random(9, seed=3)
SEARCHES = [TabuSearch(Swap()), SimulatedAnnealing(Swap(), 300.0, Geometric(0.9, 10, 1.0))]


def table(model: Any, search: Any = SEARCHES[0], iterations: int = 80, **more: Any) -> list[list[Any]]:
    """All that a run says of each walk."""
    found = run(search, QAP_9, stop=stop.iterations(iterations), seed=4, parallel=model, **more)
    walks = found.walks
    columns = (walks.walks, walks.costs, walks.iterations, walks.evaluated, walks.improved_at, walks.finished)
    return [[found.cost, found.solution.tolist()], *(column.tolist() for column in columns)]


def of_kind(device: str) -> str:
    if device == "numpy":
        pytest.skip("several devices are compiled ones")
    return device


@pytest.mark.parametrize("search", SEARCHES, ids=["tabu search", "annealing"])
@pytest.mark.parametrize(("count", "weights"), [(1, None), (2, None), (3, None), (2, (1, 4)), (3, (5, 1, 2))])
def test_the_walks_are_those_of_one_device(search: Any, count: int, weights: Any, device: str) -> None:
    name = of_kind(device)
    model = Multistart(11, device=name)
    several = MultiGPU(Multistart(11), (name,) * count, weights=weights)
    assert table(several, search) == table(model, search)


@pytest.mark.parametrize("walks", [3, 11])
def test_shares_that_are_measured_change_no_walk(walks: int, device: str) -> None:
    names = ("host", of_kind(device), "host")
    measured = MultiGPU(Multistart(walks), names, weights="measured")
    for search in SEARCHES:
        assert table(measured, search) == table(Multistart(walks, device="host"), search)
    plan = run(SEARCHES[0], QAP_9, stop=stop.iterations(5), parallel=measured).plan
    shares_of = [float(each) for each in re.findall(r"([\d.]+) %", plan.partition("measured shares: ")[2])]
    assert len(shares_of) == 3
    assert sum(shares_of) == pytest.approx(100, abs=0.2)


def test_host_and_gpu_share_walks(device: str) -> None:
    name = of_kind(device)
    assert table(MultiGPU(Multistart(9), ("host", name))) == table(Multistart(9, device="host"))


class Failing:
    """Makes one driver fail, once it has advanced so often."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
        self.left, self.victim, advance = after, None, Driver.advance

        def failing(driver: Driver, *arguments: Any) -> Any:
            self.victim = self.victim or driver
            if driver is self.victim:
                self.left -= 1
                if self.left < 0:
                    raise DeviceError("an illegal memory access was encountered")
            return advance(driver, *arguments)

        monkeypatch.setattr(Driver, "advance", failing)


@pytest.mark.parametrize("after", [0, 1, 3])
def test_the_walks_of_a_device_that_fails_are_made_by_another(after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = table(Multistart(9, device="host"))
    Failing(monkeypatch, after)
    model = MultiGPU(Multistart(9), ("host", "host"))
    found = run(SEARCHES[0], QAP_9, stop=stop.iterations(80), seed=4, parallel=model, watch=[EveryTenth()])
    assert found.walks.costs.tolist() == expected[2]
    assert "host failed (an illegal memory access was encountered), and host made its walks again" in found.description


def test_where_all_fail_the_error_names_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(driver: Driver, *arguments: Any) -> Any:
        raise DeviceError("the GPU has fallen off the bus")

    monkeypatch.setattr(Driver, "advance", failing)
    with pytest.raises(DeviceError, match="host failed: the GPU has fallen off the bus"):
        table(MultiGPU(Multistart(4), ("host", "host")))


def test_a_checkpoint_is_resumed_on_another_number_of_devices(tmp_path: Any) -> None:
    path = tmp_path / "run.npz"
    whole = table(Multistart(6, device="host"), iterations=60)
    half = MultiGPU(Multistart(6), ("host", "host"))
    run(SEARCHES[0], QAP_9, stop=stop.iterations(30), seed=4, parallel=half, watch=[Checkpoint(path, every=30)])
    rest = resume(path, SEARCHES[0], QAP_9, stop=stop.iterations(60), parallel=MultiGPU(Multistart(6), ("host",) * 3))
    assert (rest.cost, rest.walks.costs.tolist()) == (whole[0][0], whole[2])


def test_things_are_dealt_out_in_proportion() -> None:
    assert [(s.start, s.stop) for s in shares(10, (1, 1, 1))] == [(0, 3), (3, 7), (7, 10)]
    assert [(s.start, s.stop) for s in shares(10, (1, 4))] == [(0, 2), (2, 10)]


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: MultiGPU("host", ("host",)), "`MultiGPU.model` must be a parallel model, but is 'host'"),  # type: ignore[arg-type]
        (lambda: table(MultiGPU(IterationLevel(), ("host", "host"))), "1 walks cannot be dealt out to 2 devices"),
        (lambda: MultiGPU(Multistart(4), "cuda:0"), "`devices` must name several devices"),
        (lambda: MultiGPU(Multistart(4), ()), "`devices` must name several devices"),
        (lambda: MultiGPU(Multistart(4), ("numpy",)), "holds 'numpy'"),
        (lambda: MultiGPU(Multistart(4), ("host", "gpu")), "'gpu' is not the name of a device"),
        (lambda: MultiGPU(Multistart(4), ("host", "host"), weights=(1,)), "a number above 0 for each of 2 devices"),
        (lambda: MultiGPU(Multistart(4), ("host", "host"), weights="best"), "a number above 0 for each of 2 devices"),
        (lambda: table(MultiGPU(Multistart(1), ("host", "host"))), "1 walks cannot be dealt out to 2 devices"),
        (lambda: table(MultiGPU(Multistart(4), ("host", "host"), weights=(1, 99))), "Of 4 walks, host would have none"),
    ],
)
def test_what_cannot_be_dealt_out_is_refused(made: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()


def test_a_device_that_is_not_there_is_refused_before_the_run() -> None:
    assert Host().name == "host"
    with pytest.raises(DeviceError):
        table(MultiGPU(Multistart(4), ("host", "cuda:99")))


def test_shares_of_unlike_devices_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def plan(**more: Any) -> str:
        model = MultiGPU(Multistart(4), ("host", "host"), **more)
        return run(SEARCHES[0], QAP_9, stop=stop.iterations(5), parallel=model).plan

    assert "measured" not in plan()
    names = count()
    monkeypatch.setattr(Host, "description", property(lambda _: f"processor {next(names)}"))
    assert "measured shares: host" in plan()
    assert "measured" not in plan(weights=(1, 1))
