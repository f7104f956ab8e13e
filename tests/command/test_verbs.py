"""Each format of files by one command, and the errors of each verb, in processes as users start them."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.problems.reading import problem_from_file
from metaheur.representation import Permutation
from tests.problems.formats.test_fuzz import FORMATS

ROOT = Path(__file__).parents[2]
SOLVED: dict[str, tuple[str, ...]] = {
    "qaplib": (),
    "tsplib": (),
    "gset": (),
    "biq_mac": (),
    "qbsolv": (),
    "or_library mkp": (),
    "kplib": (),
    "pisinger": (),
    "flow shop matrix": (),
    "dimacs": ("--k", "3"),
}
OWN = """
from attrs import frozen
from metaheur import BitString, Permutation, Problem

@frozen(eq=False)
class Order(Problem):
    @property
    def representation(self):
        return Permutation(5)
    def cost(self, x):
        return sum(abs(int(each) - place) for place, each in enumerate(x))

@frozen(eq=False)
class Ones(Problem):
    @property
    def representation(self):
        return BitString(6)
    def cost(self, x):
        return 6 - int(sum(x))

order, ones = Order(), Ones()
"""
REFUSED = {
    "solve nowhere.dat": (1, "nowhere.dat does not exist"),
    "resume nowhere.npz": (1, "nowhere.npz.toml"),
    "show best.sln nowhere.dat": (1, "nowhere.dat does not exist"),
    "check nowhere:order": (1, "nowhere cannot be imported"),
    "study nowhere.toml": (1, "nowhere.toml does not exist"),
    "tune nowhere.dat --work 1e6": (1, "nowhere.dat does not exist"),
    "tune --work 1e6": (1, "There is no instance"),
    "tune --runner": (1, "`--each` is missing"),
    "tables nowhere": (1, "nowhere has no records"),
    "reproduce nowhere.json": (1, "nowhere.json does not exist"),
    "fetch nowhere": (1, "'nowhere'"),
    "bench nowhere.dat": (1, "nowhere.dat does not exist"),
    "cite Nowhere": (1, "'Nowhere' is not a class of metaheur"),
    "devices --format xml": (2, "invalid choice: 'xml'"),
    "problems --format xml": (2, "invalid choice: 'xml'"),
    "completion tcsh": (2, "invalid choice: 'tcsh'"),
}


def metaheur(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "metaheur", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def optimum(path: Path, options: dict[str, Any]) -> float:
    """The best cost of all solutions, positive where the problem maximises."""
    problem = problem_from_file(path, **options)
    n = problem.representation.length
    is_permutation = isinstance(problem.representation, Permutation)
    values = range(options.get("k", 2))
    solutions = itertools.permutations(range(n)) if is_permutation else itertools.product(values, repeat=n)
    best = min(problem.cost(problem.representation.validate(np.array(each))) for each in solutions)
    return float(-best if problem.maximise else best)


@pytest.mark.thorough
@pytest.mark.parametrize("name", SOLVED)
def test_one_command_solves_a_file_of_each_format(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(FORMATS[name][1])
    options = SOLVED[name]
    done = metaheur(tmp_path, "solve", "file", "--work", "2000", "--parallel", "numpy", "--format", "json", *options)
    assert done.returncode == 0, done.stderr
    best = optimum(tmp_path / "file", {"k": 3} if options else {})
    assert json.loads(done.stdout)["cost"] == pytest.approx(best)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["order", "ones"])
def test_one_command_solves_an_object_of_a_module(tmp_path: Path, name: str) -> None:
    (tmp_path / "own.py").write_text(OWN)
    done = metaheur(tmp_path, "solve", f"own:{name}", "--work", "500", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["cost"] == 0


@pytest.mark.thorough
@pytest.mark.parametrize("line", REFUSED)
def test_each_verb_refuses_bad_input_in_a_sentence(tmp_path: Path, line: str) -> None:
    status, message = REFUSED[line]
    done = metaheur(tmp_path, *line.split())
    assert (done.returncode, done.stdout) == (status, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
