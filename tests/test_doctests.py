"""What docstrings show is what Python prints."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import metaheur

PACKAGE = Path(metaheur.__file__).parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
ROOMS = (PACKAGE, *(PACKAGE / room for room in ("neighborhoods", "parallel", "problems")))  # these three are links
SHOWING = {path for room in ROOMS for path in room.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8")}
MODULES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__") for path in SHOWING
)


@pytest.mark.parametrize("module", MODULES)
def test_what_docstrings_show_is_printed(module: str) -> None:
    failed, attempted = doctest.testmod(import_module(module), optionflags=FLAGS)
    assert attempted
    assert not failed


def test_there_are_docstrings_that_show_something() -> None:
    assert {"metaheur.validate", "metaheur.stop", "metaheur.problems.knapsack"} <= set(MODULES)
