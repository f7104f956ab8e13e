"""Runs are the same under every setting of the interpreter; where it cannot import metaheur, it says so in words."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from textwrap import indent

import pytest

from metaheur import HillClimbing, run, stop
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP

ROOT = Path(__file__).parents[1]
RUN = """
from metaheur import HillClimbing, run, stop
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
found = run(HillClimbing(Swap()), QAP.random(9, 3), stop=stop.iterations(50), seed=5, parallel="host")
print(found.cost, found.solution.tolist(), found.evaluated, flush=True)
"""

SETTINGS: dict[str, tuple[list[str], dict[str, str]]] = {
    "without assertions": (["-OO"], {}),
    "all warnings are errors": (["-W", "error", "-X", "dev"], {}),
    "a seed of hashes": ([], {"PYTHONHASHSEED": "77"}),
    "another zone of time": ([], {"TZ": "Pacific/Kiritimati"}),
    "a zone that does not exist": ([], {"TZ": "nonsense"}),
    "Turkish": ([], {"LC_ALL": "tr_TR.UTF-8"}),
    "no letters but those of ASCII": ([], {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}),
    "all at once": (["-OO", "-W", "error"], {"PYTHONHASHSEED": "1", "TZ": "nonsense", "LC_ALL": "C"}),
}


@pytest.fixture(scope="module")
def expected() -> str:
    found = run(HillClimbing(Swap()), QAP.random(9, 3), stop=stop.iterations(50), seed=5, parallel="host")
    return f"{found.cost} {found.solution.tolist()} {found.evaluated}\n"


def printed(code: str, options: list[str], variables: dict[str, str]) -> str:
    """What a program prints, which must end without an error."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    done = subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "setting", [pytest.param(name, marks=[] if name == "all at once" else pytest.mark.thorough) for name in SETTINGS]
)
def test_a_run_is_the_same(setting: str, expected: str) -> None:
    assert printed(RUN, *SETTINGS[setting]) == expected


def test_a_subinterpreter_runs_without_a_compiler(expected: str) -> None:
    """It must not set handlers of signals, which only the main interpreter may, and starts no processes."""
    pytest.importorskip("_xxsubinterpreters")  # Python 3.11 and 3.12
    code = "import _xxsubinterpreters as inner\ninner.run_string(inner.create(), {!r})"
    assert printed(code.format(RUN.replace('"host"', '"numpy"')), [], {}) == expected
    refused = f"try:\n{indent(RUN, '    ')}\nexcept Exception as error:\n    print(error)"
    reason = printed(code.format(refused), [], {})
    assert "subprocess not supported for isolated subinterpreters" in reason
    assert 'run with parallel="numpy"' in reason


def test_an_archive_is_refused_in_words(tmp_path: Path) -> None:
    archive = tmp_path / "metaheur.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for name in ("__init__.py", "__init__.pyi", "lazy.py"):
            packed.write(ROOT / "metaheur" / name, f"metaheur/{name}")
    code = "import sys\nsys.meta_path[:] = [each for each in sys.meta_path if 'editable' not in str(each)]\n"
    code += f"sys.path.insert(0, {str(archive)!r})\nimport metaheur"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode
    assert "metaheur cannot be imported from an archive" in done.stderr
    assert "Maybe install it" in done.stderr
