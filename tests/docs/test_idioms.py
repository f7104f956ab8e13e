"""The idioms of docs/idioms.md: both columns and the C++ agree."""

import importlib.util
import math
import re
from itertools import combinations
from pathlib import Path
from textwrap import indent
from typing import Any

import numpy as np
import pytest

from metaheur.neighborhoods import Swap
from metaheur.testing import check_problem

PAGE = Path(__file__).parents[2] / "docs" / "idioms.md"
ROWS = re.findall(r"^\| `(.*?)` \| (`.*`) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

HEAD = """import math
import numpy as np
from attrs import frozen
from metaheur import Permutation, Problem, compiled, data

@frozen(eq=False)
class Idioms(Problem):
    v: np.ndarray = data("int32", ndim=1)
    w: np.ndarray = data("int32", ndim=2)
    limit: int = data("int32")
    representation = property(lambda self: Permutation(len(self.v)))

    @compiled
    def cost(self, x):
        return {total}
"""


@pytest.fixture(scope="module")
def problem(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A problem with a compiled method for each idiom; its cost tells their values apart."""
    text = HEAD.format(total=" + ".join(f"{k + 1} * self.idiom_{k}(x)" for k in range(len(ROWS))))
    for k, (_, cell) in enumerate(ROWS):
        lines = [line.strip("`") for line in cell.split("<br>")]
        text += f"\n    @compiled\n    def idiom_{k}(self, x):\n{indent(chr(10).join(lines), ' ' * 8)}\n"
    path = tmp_path_factory.mktemp("idioms") / "idioms.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("idioms", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    generator = np.random.default_rng(1)
    return module.Idioms(generator.integers(-9, 30, 9), generator.integers(-9, 30, (9, 9)), 7)


def test_both_columns_agree(problem: Any) -> None:
    assert len(ROWS) >= 30
    names = {"np": np, "math": math, "combinations": combinations, "self": problem}
    for seed in range(5):
        x = np.random.default_rng(seed).permutation(9)
        for k, (left, _) in enumerate(ROWS):
            assert eval(left, {**names, "x": x}) == getattr(problem, f"idiom_{k}")(x), left


def test_the_right_column_is_translated(problem: Any) -> None:
    assert "Swap() on host: cost" in str(check_problem(problem, Swap(), devices=["host"]))
