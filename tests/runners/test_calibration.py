"""Calibration: the fastest setting is taken and remembered, and no walk depends on it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.device.host.host import Host
from metaheur.errors import DeviceError, InputError
from metaheur.machine.ahead import Ahead
from metaheur.parallel import Auto, Multistart
from metaheur.runners import calibration
from metaheur.runners.calibration import Calibrated, Setting, calibrated, others_than
from metaheur.runners.compiled_loop import CompiledLoop
from metaheur.runners.drive import Team
from metaheur.runners.resident import Driver
from metaheur.running.runner import Facts
from metaheur.running.thresholds import Thresholds
from tests.machine.test_performance import QAP_9, TABU

RULE = Setting(256)


class Clock:
    """A clock that, at each look, goes on by the time that a block of so many threads takes."""

    def __init__(self, seconds: dict[int, float]) -> None:
        self.seconds, self.now, self.step = seconds, 0.0, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now

    def driver(self, setting: Setting) -> Driver:
        """A runner with a setting; the clock is now that of the setting."""
        if setting.threads not in self.seconds:
            raise DeviceError("too many threads")
        self.step = self.seconds[setting.threads] * (0.5 if setting.at_once else 1.0)
        assert TABU.loop is not None
        facts = Facts("host", "a machine", "asked for")
        return Driver(CompiledLoop(QAP_9, TABU.loop, Host()), facts, at_once=setting.at_once)


def test_a_trial_that_takes_too_long_is_broken_off_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr("metaheur.machine.pace.perf_counter", (float(k) for k in range(10**9)).__next__)
    clock = Clock({256: 1.0, 128: 0.5})
    found = calibrated(RULE, clock.driver, walks=3, others=(128,), seconds=0.5)
    assert found == Calibrated(RULE, "A trial of sizes of blocks was broken off after 0.5 s")
    assert not list(tmp_path.rglob("*.json"))


def test_a_thread_that_works_ahead_compiles_the_settings_and_leaves_the_trial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "cache_folder", lambda: tmp_path)
    clock, compiled = Clock({256: 1.0, 128: 0.5}), list[int]()

    def driver(setting: Setting) -> Driver:
        compiled.append(setting.threads)
        return clock.driver(setting)

    find = partial(calibrated, RULE, driver, walks=3, others=(128, 512))
    work = Ahead(find, "settings")
    assert work.value() == Calibrated(RULE, "")
    assert work.postponed
    assert compiled == [256, 128, 512]
    assert not list(tmp_path.rglob("*.json"))
    monkeypatch.setattr(calibration, "now", clock)
    found = find()
    work = Ahead(find, "settings that are known")
    assert work.value() == found
    assert not work.postponed


def test_calibration_takes_a_tenth_of_a_run_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[Any] = []

    def bind(model: Multistart, *_: Any) -> Any:
        chosen.append(model.thresholds.calibration_seconds)
        raise InputError("enough")

    monkeypatch.setattr(Multistart, "bind", bind)
    for limit in (stop.seconds(4), stop.seconds(100), stop.iterations(9)):
        with pytest.raises(InputError, match="enough"):
            run(TABU, QAP_9, stop=limit, parallel=Auto(3))
    assert chosen == [0.4, 1.0, 1.0]


Found = Callable[[dict[int, float]], Calibrated]


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Found:
    """The outcome of a trial if blocks take so many seconds; several walks follow each other on the host."""
    monkeypatch.setattr(calibration, "cache_folder", lambda: tmp_path)

    def find(seconds: dict[int, float]) -> Calibrated:
        clock = Clock(seconds)
        monkeypatch.setattr(calibration, "now", clock)
        return calibrated(RULE, clock.driver, walks=3, others=(128, 512))

    return find


@pytest.mark.parametrize(
    ("seconds", "threads", "words"),
    [
        (
            {256: 1.0, 128: 0.5, 512: 2.0},
            128,
            "4.00 times as fast as blocks of 256 threads with as many walks as ",
        ),
        ({256: 1.0, 512: 0.25}, 512, "found blocks of 512 threads with 1 of the walks at a time 8.00 times as fast"),
        (
            {256: 1.0, 128: 9.0, 512: 9.0},
            256,
            "blocks of 256 threads with 1 of the walks at a time 2.00 times as fast",
        ),
    ],
)
def test_the_fastest_setting_is_taken(found: Found, seconds: dict[int, float], threads: int, words: str) -> None:
    best = found(seconds)
    assert best.setting == Setting(threads, 1)
    assert words in best.words


def test_the_outcome_of_a_trial_is_remembered(found: Found) -> None:
    first = found({256: 1.0, 128: 0.5, 512: 2.0})
    assert found({256: 1.0, 128: 2.0, 512: 0.1}) == first


def test_a_broken_note_is_written_anew(found: Found, tmp_path: Path) -> None:
    first = found({256: 1.0, 128: 0.5, 512: 2.0})
    (note,) = (tmp_path / "calibration").iterdir()
    nonsense = ("-32", "0", '"128"', "1e9", "true", "[]", "null", "1e999", "9" * 5000)
    settings = (f'{{"threads": {threads}, "at_once": 1, "words": ""}}' for threads in nonsense)
    walks = (f'{{"threads": 128, "at_once": {at_once}, "words": ""}}' for at_once in nonsense if at_once != "null")
    for content in (
        "",
        "{}",
        '{"threads": 7, "at_once": null, "words": ""}',
        '{"threads": 128',
        "[" * 10**5,
        "\0",
        *settings,
        *walks,
    ):
        note.write_text(content)
        assert found({256: 1.0, 128: 0.5, 512: 2.0}) == first


def test_a_difference_that_may_be_noise_leaves_the_rule(monkeypatch: pytest.MonkeyPatch, found: Found) -> None:
    monkeypatch.setattr(Driver, "abreast", lambda _, walks: walks)
    best = found({256: 1.0, 128: 0.98, 512: 1.5})
    assert best == Calibrated(RULE, f"A trial found nothing faster than {RULE}")


@pytest.mark.parametrize(
    ("team", "others"),
    [
        (Team("block", 256), (128, 512)),
        (Team("thread", 32), (64,)),
        (Team("warp", 96), (192,)),
        (Team("block", 1024), (512,)),
    ],
)
def test_smaller_and_larger_blocks_are_tried(team: Team, others: tuple[int, ...]) -> None:
    assert others_than(team) == others


def test_a_cpu_needs_no_trial() -> None:
    for model in (Multistart(3, device="host", calibrate=True), Auto(3, thresholds=Thresholds(trial_seconds=0))):
        assert "trial" not in run(TABU, QAP_9, stop=stop.iterations(5), parallel=model).plan


@pytest.mark.cuda
@pytest.mark.parametrize("per", ["thread", "warp", "block"])
def test_walks_do_not_depend_on_a_trial(per: str, gpu: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "cache_folder", lambda: tmp_path)
    rule = Multistart(300, per, device=gpu.name)
    models = [rule, Multistart(300, per, device=gpu.name, calibrate=True)]
    models += [Multistart(300, per, device=gpu.name, at_once=at_once) for at_once in (1, 7)]
    tables = [run(TABU, QAP_9, stop=stop.iterations(60), seed=5, parallel=model) for model in models]
    for table in tables[1:]:
        assert table.walks.costs.tolist() == tables[0].walks.costs.tolist()
        assert table.walks.improved_at.tolist() == tables[0].walks.improved_at.tolist()
    assert "A trial found" in tables[1].plan
    assert "trial" not in tables[0].plan
    assert len(list((tmp_path / "calibration").iterdir())) == 1
