"""A record is taken up by the run that it belongs to, and by no other."""

import json
import linecache
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module, reload
from pathlib import Path
from typing import Any, final

import pytest
from attrs import frozen

import metaheur
from metaheur import stop
from metaheur.errors import CheckpointError, InputError
from metaheur.evaluators import Evaluator
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import IterationLevel
from metaheur.problems import QAP, MaxCut
from metaheur.random import Key
from metaheur.report import Experiment, read_experiment, run_many
from metaheur.report.records import kept_targets, require_folder
from metaheur.running.result import Result
from metaheur.running.view import View
from metaheur.search import Search
from metaheur.searches import SimulatedAnnealing, TabuSearch
from metaheur.walk import EvaluatedSolution, Walk
from tests.device.compilers import started
from tests.helpers import facts
from tests.report.test_run_many import Failing, all_found

ROOT = Path(__file__).resolve().parents[2]
NUMPY = IterationLevel("numpy")
SAME: dict[str, Any] = {"seeds": range(3), "stop": stop.iterations(30), "parallel": NUMPY}
SEARCH, QAP_8 = TabuSearch(Swap()), QAP.random(8, seed=2)


def go(folder: Path, **change: Any) -> Experiment:
    arguments = {"search": SEARCH, "problem": QAP_8, **SAME, "folder": folder, **change}
    return run_many(arguments.pop("search"), arguments.pop("problem"), **arguments)


def reused(experiment: Experiment) -> list[bool]:
    return [each.reused for each in experiment.runs]


def test_what_is_recorded_is_not_run_again(tmp_path: Path) -> None:
    first = go(tmp_path / "new" / "folder", seeds=range(2))
    assert reused(first) == [False] * 2
    again = go(tmp_path / "new" / "folder")
    assert reused(again) == [True, True, False]
    assert all_found(again) == all_found(go(tmp_path / "other"))


def test_each_run_has_a_file(tmp_path: Path) -> None:
    go(tmp_path, search={"tabu search": SEARCH}, problem={"tai/8": QAP_8})
    names = sorted(path.name for path in tmp_path.glob("*.json"))
    assert [name.rpartition("_")[0] for name in names] == [f"tabu-search_tai-8_{seed}" for seed in range(3)]
    assert all(json.loads((tmp_path / name).read_text())["error"] == "" for name in names)


@pytest.mark.parametrize("problem", [QAP_8, MaxCut.from_edges(5, [(0, 1), (1, 2), (2, 4)], [3, -1, 2])])
def test_a_record_says_all_that_a_result_does(problem: Any, tmp_path: Path) -> None:
    search = TabuSearch(Swap() if problem is QAP_8 else Hamming(1))
    first, again = (go(tmp_path, search=search, problem=problem) for _ in range(2))
    for before, after in zip(first.results(), again.results(), strict=True):
        assert facts(after) == facts(before)
        assert after.solution.dtype == before.solution.dtype
        assert isinstance(after, Result)
    assert str(again) == str(first)


def test_adding_a_search_or_a_model_makes_only_the_new_runs(tmp_path: Path) -> None:
    go(tmp_path, search={"a": SEARCH})
    both = go(tmp_path, search={"a": SEARCH, "b": SimulatedAnnealing(Swap(), 5)})
    assert reused(both) == [True] * 3 + [False] * 3
    models = go(tmp_path, search={"a": SEARCH}, parallel={"python": NUMPY, "core": "host"})
    assert reused(models) == [True] * 3 + [False] * 3
    names = [path.name.rpartition("_")[0] for path in tmp_path.glob("*.json")]
    assert sorted(name for name in names if "core" in name) == [f"a_QAP-of-length-8_core_{seed}" for seed in range(3)]


STUDY = """
from metaheur import TabuSearch, run_many, stop
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP

same = {"seeds": range(3000), "stop": stop.iterations(30), "parallel": "numpy"}
run_many(TabuSearch(Swap()), QAP.random(8, 2), folder="runs", **same)
"""


def test_a_study_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    (tmp_path / "study.py").write_text(STUDY, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "study.py"], cwd=tmp_path, env=environment)
    while len(list((tmp_path / "runs").glob("*.json"))) < 3:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    ended = len(list((tmp_path / "runs").glob("*.json")))
    again = go(tmp_path / "runs", seeds=range(ended + 1))
    assert reused(again) == [True] * ended + [False]
    assert all_found(again) == all_found(go(tmp_path / "other", seeds=range(ended + 1)))


MEETING = "METAHEUR_MEETING"
"""The variable that names the folder where two processes meet."""


@final
@frozen
class Meeting(Search[Walk]):
    """Walks on the spot; in each run, two processes wait for each other, where a folder is named for it."""

    neighborhood: Swap = Swap()

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        if state.iteration == 3 and MEETING in os.environ:
            run, deadline = f"{state.key.seed}-{state.key.walk}", time.monotonic() + 120
            (Path(os.environ[MEETING]) / f"{run}-{os.getpid()}").touch()
            while len(list(Path(os.environ[MEETING]).glob(f"{run}-*"))) < 2:
                assert time.monotonic() < deadline, "the other process does not make this run"
                time.sleep(0.001)
        return state.stay(1)

    def done(self, state: Walk) -> bool:
        return state.iteration == 9


def both(folder: Path) -> Experiment:
    """A study whose records have arrays in files of their own."""
    searches = {"tabu": SEARCH, "meeting": Meeting(), "annealing": SimulatedAnnealing(Swap(), 5)}
    return go(folder, search=searches, problem={"thirty": QAP.random(30, seed=2)}, seeds=range(6), target=7)


def test_two_studies_at_once_in_one_folder_leave_what_one_leaves(tmp_path: Path) -> None:
    for name in ("alone", "shared", "meeting"):
        (tmp_path / name).mkdir()
    alone = both(tmp_path / "alone")
    code = f"""
from pathlib import Path
from tests.report.test_records import both, reused
made = both(Path({str(tmp_path / "shared")!r}))
print([each.status for each in made.runs] == ["done"] * 18, made.notes, sum(reused(made)[6:12]))
"""
    processes = [started(code, **{MEETING: tmp_path / "meeting"}) for _ in range(2)]
    assert [each.communicate() for each in processes] == [("True () 0\n", "")] * 2
    after = both(tmp_path / "shared")
    assert reused(after) == [True] * 18
    assert after.notes == ()
    assert all_found(after) == all_found(alone)
    assert str(read_experiment(tmp_path / "shared")) == str(read_experiment(tmp_path / "alone"))
    files = [
        {str(path.relative_to(top)) for path in top.rglob("*")} for top in (tmp_path / "alone", tmp_path / "shared")
    ]
    assert files[0] == files[1]
    assert any(name.endswith(".npy") for name in files[0])


def test_studies_at_once_keep_the_targets_of_all(tmp_path: Path) -> None:
    def study(number: int) -> None:
        go(tmp_path, problem={f"instance {number}": QAP_8}, seeds=[number], target=number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(study, range(8)))
    assert kept_targets(tmp_path) == {f"instance {number}": number for number in range(8)}


def test_names_are_not_part_of_what_a_run_is(tmp_path: Path) -> None:
    go(tmp_path, search={"a": SEARCH})
    renamed = go(tmp_path, search={"b": SEARCH})
    assert reused(renamed) == [True] * 3
    assert renamed.searches == ("b",)


@pytest.mark.parametrize(
    "change",
    [
        {"search": TabuSearch(Swap(), (0.5, 1))},
        {"search": SimulatedAnnealing(Swap(), 5)},
        {"problem": QAP.random(8, seed=3)},
        {"stop": stop.iterations(31)},
        {"stop": stop.iterations(30) | stop.seconds(100)},
        {"seeds": range(10, 13)},
        {"start": list(range(8))},
        {"parallel": IterationLevel("host")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_run_has_another_record(change: dict[str, Any], tmp_path: Path) -> None:
    go(tmp_path)
    assert reused(go(tmp_path, **change)) == [False] * 3
    assert reused(go(tmp_path)) == [True] * 3


def test_another_version_makes_its_own_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go(tmp_path)
    monkeypatch.setattr(metaheur, "__version__", "99.0")
    assert reused(go(tmp_path)) == [False] * 3


OWN = """
from typing import final
from attrs import frozen
from metaheur import Permutation, Problem


@final
@frozen
class Own(Problem):
    source = {source}

    @property
    def representation(self):
        return Permutation(5)

    def cost(self, x):
        return int(x[{place}])
"""


def test_code_of_ones_own_is_part_of_what_a_run_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    half = '"struct Own : OwnData {{ MH_FN Total cost(Team, const Item* x) const {{ return x[0];{} }} }};"'

    def results(**code: Any) -> list[bool]:
        (tmp_path / "own.py").write_text(OWN.format(**{"place": 0, "source": None, **code}), encoding="utf-8")
        module = sys.modules.get("own")
        linecache.clearcache()  # the file may have changed within the tick of a clock
        return reused(go(tmp_path / "runs", problem=(reload(module) if module else import_module("own")).Own()))

    try:
        assert results() == [False] * 3
        assert results() == [True] * 3
        assert results(place=1) == [False] * 3
        assert results(source=half.format("")) == [False] * 3
        assert results(source=half.format(" ")) == [False] * 3
        assert results() == [True] * 3
    finally:
        sys.modules.pop("own", None)


COMPILED = """
from typing import final
from attrs import frozen
from metaheur import Permutation, Problem, compiled

SHIFT = {shift}


@compiled
def scaled(value):
    return {factor} * value


@final
@frozen
class Own(Problem):
    @property
    def representation(self):
        return Permutation(5)

    @compiled
    def cost(self, x):
        return sum(scaled(x[k]) * k + SHIFT for k in range({length}))
"""


def test_what_compiled_methods_call_and_name_is_part_of_what_a_run_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def results(shift: int, factor: int, length: int) -> list[bool]:
        text = COMPILED.format(shift=shift, factor=factor, length=length)
        (tmp_path / "owned.py").write_text(text, encoding="utf-8")
        module = sys.modules.get("owned")
        linecache.clearcache()
        made = reload(module) if module else import_module("owned")
        return reused(go(tmp_path / "runs", problem=made.Own()))

    try:
        assert results(0, 1, 5) == [False] * 3
        assert results(0, 1, 5) == [True] * 3
        for other in ((1, 1, 5), (0, 2, 5), (0, 1, 4)):
            assert results(*other) == [False] * 3
        assert results(0, 1, 5) == [True] * 3
    finally:
        sys.modules.pop("owned", None)


def test_a_run_that_failed_is_made_again(tmp_path: Path) -> None:
    failing = go(tmp_path, problem=Failing(bad=2))
    assert [each.status for each in failing.runs] == ["done", "done", "failed"]
    assert len(list(tmp_path.glob("*.json"))) == 3
    assert reused(go(tmp_path, problem=Failing(bad=2))) == [True, True, False]


def shorten(text: str) -> str:
    return text[: len(text) // 2]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (shorten, "it is torn"),
        (lambda text: "", "it is torn"),
        (lambda text: "[]", "it is not the record of a run"),
        (lambda text: "{}", "it is not the record of a run"),
        (lambda text: text.replace('"format": 2', '"format": 1'), "it is the record of another version"),
        (lambda text: text.replace('"key": "', '"key": "f'), "it is the record of another run or version"),
        (lambda text: text.replace('"iterations"', '"repetitions"'), "it is broken: it has no 'iterations'"),
        (lambda text: text.replace('"int32"', '"intricate"'), "it is broken: TypeError"),
        (lambda text: re.sub(r'"cost": \d+', '"cost": 1', text), "it was changed: its trajectory digest is not that"),
    ],
)
def test_a_record_that_is_broken_is_made_again_in_words(
    spoil: Callable[[str], str], reason: str, tmp_path: Path
) -> None:
    before = go(tmp_path)
    second = sorted(tmp_path.glob("*.json"))[1]
    second.write_text(spoil(second.read_text()))
    after = go(tmp_path)
    assert reused(after) == [True, False, True]
    assert all_found(after) == all_found(before)
    (note,) = after.notes
    assert note.startswith(f"{second.name} could not be used, and its run was made again: {reason}")
    assert note in str(after)
    assert reused(go(tmp_path)) == [True] * 3


def test_a_disk_that_is_full_costs_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def full(file: int) -> None:
        asked.append(file)
        if len(asked) == 2:  # a file is written for each run
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    experiment = go(tmp_path)
    assert [each.status for each in experiment.runs] == ["done"] * 3
    assert [note.partition(" could not be written: ")[2] for note in experiment.notes] == ["No space left on device."]
    assert reused(go(tmp_path)) == [True, False, True]


def test_a_folder_that_cannot_be_written_is_refused_before_the_first_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"`folder` .*file cannot be written"):
        go(tmp_path / "file", problem=Failing(bad=0))


def test_several_programs_may_record_in_one_folder_at_the_same_time(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(require_folder, [tmp_path] * 2000)) == [None] * 2000
    assert not [*tmp_path.iterdir()]


def better_than_a_hundred(view: View) -> bool:
    return bool(view.cost < 100)


def test_functions_that_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    limit = 100

    def better(view: View) -> bool:
        return bool(view.cost < limit)

    for function in (better, lambda view: view.cost < 100):
        with pytest.raises(InputError, match=r"`stop` holds the function .* cannot be told from others"):
            go(tmp_path, stop=stop.when(function) | stop.iterations(30))
    named = stop.when(better_than_a_hundred) | stop.iterations(30)
    assert reused(go(tmp_path, stop=named)) == [False] * 3
    assert reused(go(tmp_path, stop=named)) == [True] * 3


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="whose content cannot be compared"):
        go(tmp_path, start=object())
