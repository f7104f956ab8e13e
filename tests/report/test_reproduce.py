"""A recorded run is made again and found identical, or its first difference is named."""

import json
from pathlib import Path
from typing import Any, final

import pytest
from attrs import frozen

from metaheur import Permutation, Problem, compiled, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Insertion, Swap
from metaheur.parallel import IterationLevel, Multistart
from metaheur.problems import QAP, FlowShop
from metaheur.report import Experiment, run_many
from metaheur.report.record import read_record
from metaheur.report.reproduce import reproduce
from metaheur.report.trajectory import trajectory_digest
from metaheur.searches import ParetoLocalSearch, TabuSearch

TABU, QAP_12 = TabuSearch(Swap()), QAP.random(12, seed=2)
NUMPY = IterationLevel("numpy")


def recorded(folder: Path, **change: Any) -> list[Path]:
    arguments: dict[str, Any] = {
        "search": TABU, "problem": QAP_12, "stop": stop.iterations(60), "seeds": [3], "parallel": NUMPY, **change
    }  # fmt: skip
    experiment: Experiment = run_many(arguments.pop("search"), arguments.pop("problem"), folder=folder, **arguments)
    assert not experiment.failures
    return sorted(folder.glob("*.json"))


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"stop": stop.iterations(60) | stop.seconds(100)},
        {"start": list(range(12))},
        {"parallel": Multistart(3, device="host")},
        {"parallel": "host", "seeds": [3, 4]},
        {
            "search": ParetoLocalSearch(Insertion()),
            "problem": FlowShop.taillard(1, objectives=("makespan", "total flow time")),
            "stop": stop.iterations(3),
        },
    ],
    ids=["one walk", "a limit of time", "a start", "several walks", "seeds together", "a front"],
)
def test_a_run_is_made_again_and_is_identical(change: dict[str, Any], tmp_path: Path) -> None:
    for path in recorded(tmp_path, **change):
        again = reproduce(path)
        assert again.identical, again
        assert "identical." in str(again)
        assert again.now.seed == again.before.seed


def test_another_device_makes_the_same_run(tmp_path: Path) -> None:
    (path,) = recorded(tmp_path)
    again = reproduce(path, parallel="host")
    assert (again.before.device, again.now.device, again.difference) == ("numpy", "host", "")


def test_a_run_that_the_clock_ended_is_made_again_for_as_many_iterations(tmp_path: Path) -> None:
    (path,) = recorded(tmp_path, stop=stop.seconds(0.02))
    again = reproduce(path)
    assert again.identical, again
    assert again.before.stopped_by == "seconds"
    assert again.now.stopped_by == "iterations"


def test_the_first_improvement_that_differs_is_named(tmp_path: Path) -> None:
    (path,) = recorded(tmp_path)
    content = json.loads(path.read_text())
    second = content["result"]["improvements"][1]
    was = f"cost {second[1]} at iteration {second[0]}"
    second[1] += 1
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=r"it was changed: its trajectory digest is not that of its result\.\n"):
        reproduce(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("metaheur.report.record.trajectory_digest", lambda _: content["trajectory_digest"])
        changed = read_record(path)["result"]
    content["trajectory_digest"] = trajectory_digest(changed)
    path.write_text(json.dumps(content))
    again = reproduce(path)
    it = f"cost {second[1]} at iteration {second[0]}"
    assert again.difference == f"Improvement 2 differs: it was {it}, and now is {was}."


@final
@frozen
class Own(Problem):
    shift: int = 0

    @property
    def representation(self) -> Permutation:
        return Permutation(6)

    @compiled
    def cost(self, x: Any) -> int:
        return sum(x[k] * k + self.shift for k in range(6))


def test_a_problem_of_ones_own_is_passed_and_compared(tmp_path: Path) -> None:
    (path,) = recorded(tmp_path, problem=Own())
    with pytest.raises(InputError, match=r"`problem` cannot be made from the record: .*Own.*(.|\n)*problem=\.\.\."):
        reproduce(path)
    with pytest.raises(InputError, match=r"`problem` is not that of the record, Own\(shift=0\): a field differs"):
        reproduce(path, problem=Own(1))
    assert reproduce(path, problem=Own()).identical


def test_a_record_says_what_was_run_and_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [str(Path.home() / "metaheur/__main__.py"), "study", str(Path.home() / "my study.toml")]
    monkeypatch.setattr("sys.argv", words)
    (path,) = recorded(tmp_path, parallel="host")
    content = json.loads(path.read_text())
    assert content["run"] == {"search": "TabuSearch(Swap())", "problem": "QAP of length 12", "model": "host", "seed": 3}
    assert {"key", "ended", "search", "problem", "stop", "start", "parallel", "machine", "revision"} < content.keys()
    assert content["began"] <= content["ended"]
    assert content["command"] == "metaheur study '~/my study.toml'"
    assert (content["problem"]["size"], content["problem"]["best_known"]) == (12, None)
    assert (content["stop"]["text"], content["stop"]["exact"]) == ("iterations(60)", True)
    assert {"system", "processor", "cores", "free_memory", "load"} == content["machine"].keys()
    result = content["result"]
    assert (result["device"], result["iterations"], result["performance"]["class"][-11:]) == ("host", 60, "Performance")
    assert len(content["trajectory_digest"]) == 64


def test_another_number_of_walks_is_named(tmp_path: Path) -> None:
    (path,) = recorded(tmp_path, parallel=Multistart(3, device="host"))
    again = reproduce(path, parallel=NUMPY)
    assert again.difference == "The number of walks differs: it was 3, and now is 1."


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"stop": {', '"stops": {', r"\.json cannot be used: its `stop` has no 'made'\.\nMaybe"),
        ('"exact"', '"exactly"', r"\.json cannot be used: its `stop` has no 'exact'"),
        ('"tenure"', '"tenur"', r"`search` of .*\.json is broken: KeyError\('tenur'\)\.\nMaybe name the study"),
    ],
)
def test_a_record_that_lacks_an_entry_is_named(old: str, new: str, reason: str, tmp_path: Path) -> None:
    (path,) = recorded(tmp_path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(InputError, match=reason):
        reproduce(path)


def test_a_file_that_is_no_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"format": 2}')
    (tmp_path / "c.json").write_text('{"paper": "luong2009"}')
    for name, reason in [
        ("a.json", "cannot be used: it is broken: it has no 'result'"),
        ("b.json", "does not exist"),
        ("c.json", r"cannot be used: it is not the record of a run\.\n"),
    ]:
        with pytest.raises(InputError, match=reason):
            reproduce(tmp_path / name)
