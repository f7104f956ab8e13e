"""Any public class may be the first that is imported: no import depends on another one that came before."""

import subprocess
import sys

import pytest

PROGRAM = """
import importlib, sys
package = sys.argv[1]
for name in importlib.import_module(package).__all__:
    for module in [each for each in sys.modules if each.partition(".")[0] == "metaheur"]:
        del sys.modules[module]
    getattr(importlib.import_module(package), name)
    print(name)
"""


@pytest.mark.parametrize(
    "package",
    [
        "metaheur.searches",
        *(
            pytest.param(f"metaheur.{name}", marks=pytest.mark.thorough)
            for name in ("archives", "parts", "loops", "parallel", "problems", "report", "tree", "watch")
        ),
    ],
)
def test_each_public_name_can_be_imported_first(package: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, package], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) > 1
