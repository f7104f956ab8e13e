"""External programs: by arguments, files, pipes and lines of JSON, within limits of time."""

import sys
import time
from pathlib import Path

import numpy as np
import pytest

from metaheur import BitString, HillClimbing, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming
from metaheur.open import CommandCost, ResidentCost, last_numbers
from metaheur.problem import Problem
from metaheur.problems import OneMax

ARGUMENT = "import sys; print('cost', sum(map(int, sys.argv[1].split(','))))"
PIPE = "print(sum(map(int, input().split())))"
FILE = "import sys; print(sum(map(int, open(sys.argv[1]))))"
FOLDER = """
import os, sys
open("note", "w").write("here")
print(os.getcwd() == sys.argv[2], sum(map(int, open(sys.argv[1]))))
"""
RESIDENT = """
import json, os, sys
for line in sys.stdin:
    x = json.loads(line)["x"]
    if x[0] and x[1] and x[2]:
        print("what?", flush=True)
    elif x[3] and x[4] and x[5]:
        print(json.dumps({"error": "too hot"}), flush=True)
    elif x[0] and x[2] and x[4]:
        sys.exit(3)
    else:
        print(json.dumps({"cost": [sum(x), os.getpid()]}), flush=True)
"""
SPACE = BitString(6)


def commands() -> dict[str, CommandCost]:
    python = [sys.executable, "-c"]
    return {
        "argument": CommandCost(SPACE, [*python, ARGUMENT, "{x}"]),
        "pipe": CommandCost(SPACE, [*python, PIPE]),
        "file": CommandCost(SPACE, [*python, FILE, "{file}"]),
        "folder": CommandCost(SPACE, [*python, FOLDER, "{file}", "{folder}"], parse=after_true),
    }


def after_true(text: str) -> int:
    there, number = text.split()
    assert there == "True"
    return int(number)


@pytest.mark.parametrize("how", commands())
def test_a_program_is_asked(how: str) -> None:
    problem = commands()[how]
    assert problem.cost(np.array([1, 0, 1, 1, 0, 0], np.uint8)) == 3
    if how == "pipe":
        ended = stop.iterations(50)
        found = run(HillClimbing(Hamming(1)), problem, stop=ended, seed=1)
        expected = run(HillClimbing(Hamming(1)), OneMax(6), stop=ended, seed=1, parallel="numpy")
        assert found.cost == 0
        assert expected.cost == 6


def test_no_shell_reads_a_command(tmp_path: Path) -> None:
    command = f"{sys.executable} -c 'import sys; print(len(sys.argv))' {{x}} '; touch {tmp_path}/there' '$(id)'"
    assert CommandCost(SPACE, command).cost(np.zeros(6, np.uint8)) == 4
    assert not list(tmp_path.iterdir())


def test_several_numbers_are_several_objectives() -> None:
    command = [sys.executable, "-c", "print('ready'); print('f = 1.5, -2e3'); print()"]
    problem = CommandCost(SPACE, command, objectives=("a", "b"))
    assert problem.cost(np.zeros(6, np.uint8)) == (1.5, -2000.0)
    assert last_numbers("x 3\ny .5\n") == 0.5


def fails(code: str, match: str, timeout: float | None = None) -> None:
    problem = CommandCost(SPACE, [sys.executable, "-c", code], timeout=timeout)
    with pytest.raises(InputError, match=match):
        problem.cost(np.zeros(6, np.uint8))


def test_a_program_that_fails_is_told_with_its_words(tmp_path: Path) -> None:
    fails(
        "import sys; print('no licence', file=sys.stderr); sys.exit(4)", r"ended with status 4: no licence\nMaybe run"
    )
    fails("print('nothing')", r"no number is in 'nothing\\n'\.\nMaybe give `parse`")
    with pytest.raises(InputError, match=r"`\./nowhere` cannot be started: No such file"):
        CommandCost(SPACE, "./nowhere").cost(np.zeros(6, np.uint8))
    with pytest.raises(InputError, match="must name a program"):
        CommandCost(SPACE, "")


def test_a_program_that_takes_too_long_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    late = tmp_path / "late"
    inner = f"import time; time.sleep(0.6); open({str(late)!r}, 'w')"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    fails(outer, "took longer than 0.2 seconds", 0.2)
    time.sleep(0.8)
    assert not late.exists()


def resident(timeout: float | None = None) -> Problem:
    return ResidentCost(SPACE, [sys.executable, "-c", RESIDENT], objectives=("ones", "process"), timeout=timeout)


def test_a_program_that_stays_answers_line_by_line() -> None:
    problem = resident(20)
    first, second = (problem.cost(np.array(x, np.uint8)) for x in ([1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]))
    assert (first[0], second[0]) == (1, 2)
    assert first[1] == second[1]
    with pytest.raises(InputError, match="answers: too hot"):
        problem.cost(np.array([0, 0, 0, 1, 1, 1], np.uint8))
    assert problem.cost(np.zeros(6, np.uint8))[1] == first[1]
    for x, message in (([1, 1, 1, 0, 0, 0], "did not answer by a line"), ([1, 0, 1, 0, 1, 0], "ended with status 3")):
        with pytest.raises(InputError, match=message):
            problem.cost(np.array(x, np.uint8))
        assert problem.cost(np.zeros(6, np.uint8))[1] != first[1]  # it was started again


def test_a_program_that_stays_silent_is_killed() -> None:
    problem = ResidentCost(SPACE, [sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.2)
    began = time.monotonic()
    with pytest.raises(InputError, match=r"took longer than 0\.2 seconds"):
        problem.cost(np.zeros(6, np.uint8))
    assert time.monotonic() - began < 30
