"""The verb `tune`, and one process that answers line after line."""

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from metaheur.command.main import main
from metaheur.problems import QAP
from metaheur.problems.formats.qaplib import write_dat

ROOT = Path(__file__).parents[2]
SEARCH = ("--search", "TabuSearch(Swap())", "--range", "long_term=None", "--parallel", "numpy")
LINES = "1 1 5 tai12.dat --tenure.low 0.3\n\n2 1 5 tai12.dat --tenure.low 2.0\n3 1 5 tai12.dat\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    qap = QAP.taillard(12)
    write_dat(tmp_path / "tai12.dat", qap.a, qap.b)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_tuning_prints_the_best_and_the_lines_that_repeat_and_use_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", "tai12.dat", *SEARCH, "--work", "1e4", "--each", "100", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    rows = json.loads(out)
    assert [each["rank"] for each in rows] == list(range(1, len(rows) + 1))
    assert sum(each["default"] for each in rows) == 1
    told = dict(line.split(": ", 1) for line in err.splitlines() if line.startswith(("again", "use")))
    assert main([*shlex.split(told["again"])[1:], "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == rows
    assert main([*shlex.split(told["use"])[1:], "--iterations", "5", "--parallel", "numpy", "--quiet"]) == 0


class Answers(io.StringIO):
    """A stream that notes how many lines it held whenever it was flushed."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[int] = []

    def flush(self) -> None:
        self.sent.append(self.getvalue().count("\n"))


def test_a_runner_answers_each_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers = Answers()
    with monkeypatch.context() as inside:
        inside.setattr(sys, "stdin", io.StringIO(LINES))
        inside.setattr(sys, "stdout", answers)
        assert main(["tune", "--runner", *SEARCH, "--each", "300"]) == 0
    assert answers.sent == [1, 2, 3]  # each at once, for a tuner at the other end of a pipe
    first, rejected, last = answers.getvalue().split()
    assert rejected == "Inf"
    assert main(["solve", "tai12.dat", *SEARCH[:2], "--work", "300", "--seed", "5", "--format", "json"]) == 0
    assert int(last) == json.loads(capsys.readouterr().out)["cost"]
    assert int(first) > 0


@pytest.mark.thorough
def test_irace_finds_a_target_runner_that_stands_alone(folder: Path) -> None:
    assert main(["tune", "tai12.dat", *SEARCH, "--irace", "scenario", "--each", "300"]) == 0
    (folder / "metaheur").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m metaheur "$@"\n')
    (folder / "metaheur").chmod(0o755)
    instance = (folder / "scenario/instances.txt").read_text().strip()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{folder}:{os.environ['PATH']}"}
    told = [str(folder / "scenario/target-runner"), "1", "1", "5", instance, "--tenure.low", "0.3"]
    done = subprocess.run(told, cwd="/", env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().isdigit()


def test_spaces_are_written_for_other_tuners(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qap = QAP.taillard(12)
    write_dat(folder / "uneven.dat", qap.a**4, qap.b)  # has structure, so that two searches are recommended
    assert main(["tune", "uneven.dat", "--configspace", "c.json", "--optuna", "o.json"]) == 0
    assert capsys.readouterr().out.split() == ["c.json", "o.json"]
    names = [each["name"] for each in json.loads((folder / "c.json").read_text())["hyperparameters"]]
    assert names == list(json.loads((folder / "o.json").read_text()))
    assert "search.BreakoutLocalSearch.rules.strength" in names


def test_arrays_of_the_problem_are_told_by_their_expressions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cities = np.random.default_rng(1).integers(0, 99, (14, 2)).tolist()
    (folder / "tour.json").write_text(json.dumps({"problem": "TSP.from_coordinates", "coordinates": cities}))
    search = "IteratedLocalSearch(CandidateDescent(TwoOpt(), problem.nearest(3)), DoubleBridge(5))"
    arguments = (
        "--search",
        search,
        "--range",
        "acceptance=None",
        "--work",
        "3000",
        "--each",
        "20",
        "--parallel",
        "numpy",
    )
    assert main(["tune", "tour.json", *arguments]) == 0
    assert "CandidateDescent(TwoOpt(), problem.nearest(3))" in capsys.readouterr().out
    assert main(["tune", "tour.json", "--work", "1e6"]) == 1
    assert "are tied to a parallel model" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tai12.dat", *SEARCH), "`--work` is missing"),
        (("tai12.dat", *SEARCH, "--irace", "scenario"), "`--each` is missing"),
        (("tai12.dat", *SEARCH, "--range", "tenure.low", "--work", "1e6"), "must be NAME=VALUES"),
        (("tai12.dat", *SEARCH, "--range", "tenur=None", "--work", "1e6"), "names 'tenur'"),
    ],
)
def test_bad_input_is_refused(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", *arguments]) == 1
    assert message in capsys.readouterr().err
