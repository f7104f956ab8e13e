"""`explain` says which kept quantity makes a change of cost O(1): what it says, written down, is right."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import indent
from typing import Any

import numpy as np
import pytest

from metaheur.neighborhoods import Hamming, Substitution
from metaheur.testing import check_problem
from tests.translator.test_fuzz import loaded

TEXT = """
import numpy as np
from attrs import frozen
from metaheur import Array, BitString, DiscreteVector, Problem, compiled, contributions, data
from metaheur.neighborhoods import FlipMove, SubstitutionMove

@frozen(eq=False)
class Mine(Problem):
    v: np.ndarray = data("int32", ndim=1)
    w: np.ndarray = data("int32", ndim=2)
    representation = property(lambda self: {space})

    def state(self, representation):
        return {{"count": Array((4,), "int64"), "load": Array((4,), "int64"), "sums": Array((5,), "int64")}}

    @compiled
    def cost(self, x):
        {cost}

{advice}
    @compiled
    def delta(self, x, {s}m: {move}):
        {delta}
"""

COUNTS = {
    "space": "DiscreteVector(len(self.v), 4)",
    "move": "SubstitutionMove",
    "cost": "return sum(sum(x[i] == b for i in range(self.n)) ** 2 for b in range(4))",
    "delta": "before, after = x[m.at], (x[m.at] + m.shift) % m.values\n        return 2 * ({0} - {1}) + 2",
}
LOADS = {
    **COUNTS,
    "cost": "return sum(sum(self.v[i] for i in range(self.n) if x[i] == b) ** 2 for b in range(4))",
    "delta": "before, after = x[m.at], (x[m.at] + m.shift) % m.values\n"
    "        return 2 * self.v[m.at] * ({0} - {1} + self.v[m.at])",
}
SUMS = {
    "space": "BitString(len(self.v))",
    "move": "FlipMove",
    "cost": "return sum(sum(self.w[c, k] * x[k] for k in range(self.n)) ** 2 for c in range(len(self.w)))",
    "delta": "total = 0\n        for row in range(len(self.w)):\n            by = 0\n            for k in m.at:\n"
    "                by += self.w[row, k] * (1 - 2 * x[k])\n            total += by * (2 * {0} + by)\n"
    "        return total",
}
CASES = [
    (COUNTS, ["sum(x[k] == after for k in range(self.n))", "sum(1 for each in x if before == each)"], Substitution()),
    (
        LOADS,
        [f"sum(self.v[k] for k in range(self.n) if x[k] == {name})" for name in ("after", "before")],
        Substitution(),
    ),
    (SUMS, ["sum(self.w[row, k] * x[k] for k in range(self.n))"], Hamming(1)),
]
"""A problem, sums of its change of cost, and a neighborhood."""


def made(folder: Path, texts: dict[str, str], name: str, advice: str = "") -> Any:
    """A problem, with methods that advice says."""
    text = TEXT.format(**texts, advice=indent(advice, "    "), s="s, " if advice else "")
    random = np.random.default_rng(1)
    return loaded(folder, text, name).Mine(random.integers(1, 9, 7), random.integers(-9, 9, (5, 7)))


@pytest.mark.parametrize(
    ("texts", "sums", "neighborhood"),
    [CASES[0], *(pytest.param(*case, marks=pytest.mark.thorough) for case in CASES[1:])],
    ids=["counts", "loads", "sums"],
)
def test_what_is_advised_is_right(texts: dict[str, str], sums: list[str], neighborhood: Any, tmp_path: Path) -> None:
    lines = made(tmp_path, texts | {"delta": texts["delta"].format(*sums)}, "before").explain().splitlines()
    advice = [line.removeprefix("//     ") for line in lines if line.startswith("//     ")]
    assert [line.split("`")[1] for line in lines if line.startswith("// ") and "`" in line and line[3] != " "] == sums
    first = advice[1 : next(k for k, line in enumerate(advice) if line.startswith("Then it is"))]
    kept = [re.search(r"Then it is (.*), in O", line)[1] for line in advice if line.startswith("Then")]  # type: ignore[index]
    problem = made(tmp_path, texts | {"delta": texts["delta"].format(*kept)}, "after", "\n".join(first))
    assert "cost, delta, init, commit" in str(check_problem(problem, neighborhood, devices=["host"]))
    assert "//" not in problem.explain().rpartition("};")[2]


def test_sums_before_each_position_are_advised(tmp_path: Path) -> None:
    texts = {
        **COUNTS,
        "cost": "return 0",
        "delta": "for b in x[m.at : 5]:\n            t += self.v[b]\n        return t",
    }
    texts["delta"] = "t = 0\n        " + texts["delta"]
    advised = made(tmp_path, texts, "prefixes").explain()
    assert "// " in advised
    assert "s.before[k] + (self.v[value]), where value is x[k]." in advised
    assert "Then it is s.before[5] - s.before[m.at], in O(1), unless m.at is behind 5." in advised


@pytest.mark.parametrize(
    "delta",
    [
        "return sum(self.v[k] for k in range(self.n))",
        "return sum(self.v[x[k]] * x[m.at] for k in range(self.n))",
        "return sum(abs(x[k] - x[k - 1]) for k in range(self.n))",
        "return sum(x[k] for k in range(self.n) if x[k] < m.shift)",
        "return sum(self.v[b] for b in x[m.at:-1])",
        "t = [0] * 4\n        for k in range(self.n):\n            t[x[k]] += self.v[k]\n        return t[0]",
    ],
)
def test_sums_that_cannot_be_kept_so_are_left_alone(delta: str, tmp_path: Path) -> None:
    problem = made(tmp_path, {**COUNTS, "cost": "return 0", "delta": delta}, "others")
    assert "//" not in problem.explain().rpartition("};")[2]
