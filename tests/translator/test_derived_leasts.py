"""Derived changes of the smallest or the largest of terms, one a position, as in a p-median or a bottleneck."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.device.generator.compose import compose
from metaheur.errors import CompileError
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import Hamming, Insertion, Interchange, Substitution, Swap
from metaheur.testing import check_problem
from metaheur.translator.deriving.derived import derivation_of
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.translator.by_python import wrong
from tests.translator.derived_fuzz import Turns
from tests.translator.test_deriving import problem_of

D = np.random.default_rng(3).integers(0, 9, (8, 8))
MEDIAN = "return sum(min(self.d[c, b] for b in x[:{}]) for c in range(self.n))"
COSTS: dict[str, tuple[str, str, Any]] = {
    "a median": (MEDIAN.format(3), "Subset(8, 3)", Interchange()),
    "one median": (MEDIAN.format(1), "Subset(8, 1)", Interchange()),
    "named medians": (
        "return sum(self.w[c] * min(self.d[c, b] for b in x) for c in range(8) if c != 3)",
        "DiscreteVector(4, 8)",
        Substitution(),
    ),
    "moves of your own": (
        "return sum(min(self.d[c, b] for b in x) ** 2 for c in range(8))",
        "DiscreteVector(5, 8)",
        Turns(),
    ),
    "two of them": (
        "return sum(2 * min(self.d[c, b] for b in x) + max(self.d[x[k], c] for k in range(1, 3)) for c in range(8))",
        "Permutation(8)",
        Swap(),
    ),
    "a bottleneck": ("return max(self.d[k, x[k]] for k in range(self.n)) ** 2 + sum(x)", "Permutation(8)", Swap()),
    "the end of a range": (
        "return sum(max(self.d[k, x[k]] for k in range(c + 1)) for c in range(self.n))",
        "Permutation(8)",
        Swap(),
    ),
    "a loop, or far away": (
        """
    total = 0
    for c in range(self.n):
        best = self.w[c]
        for k in range(self.n):
            if x[k] == 1:
                best = min(best, self.d[c, k])
        total += best
    for k in range(self.n):
        total += 3 * x[k]
    return total""",
        "BitString(8)",
        Hamming(1),
    ),
    "what is open": (
        "return sum(min(self.d[c, k] for k in range(self.n) if x[k]) for c in range(self.n) if self.w[c] > 2)",
        "Permutation(8)",
        Swap(),
    ),
    "a loop with a test": (
        """
    total = 0
    for c in range(self.n):
        best = 0
        for k in range(self.n):
            here = self.d[c, k]
            if x[k] == 1 and here > best:
                best = here
        total -= best
    return total""",
        "BitString(8)",
        Interchange(),
    ),
    "in two nested loops": (
        "return sum(min(self.d[c, b] + e for b in x) for c in range(8) for e in range(2))",
        "DiscreteVector(4, 8)",
        Substitution(),
    ),
}


def made(name: str, folder: Path, matrix: Any = D) -> tuple[Any, Any]:
    body, space, moves = COSTS[name]
    return problem_of(
        folder, body, space, "Least" + name.title().replace(" ", "").replace(",", ""), d=matrix, w=D[0]
    ), moves


@pytest.mark.parametrize("name", COSTS)
def test_the_smallest_terms_and_what_is_kept_are_those_of_full_evaluations(name: str, tmp_path: Path) -> None:
    problem, moves = made(name, tmp_path)
    assert not wrong(problem, moves)


def test_a_symmetric_matrix_is_read_along_its_rows(tmp_path: Path) -> None:
    problem, moves = made("a median", tmp_path, D + D.T)
    (delta,) = (each for each in derivation_of(problem, moves.move_types).methods if each.name == "delta")
    assert "self.d[v, k0]" in delta.source
    assert "if i < 3 and j < 3:" in delta.source  # so that the loop for a closed and an opened place tests one position
    assert not wrong(problem, moves)


@pytest.mark.parametrize("name", ["a median", "a loop, or far away", "a bottleneck"])
def test_compiled_code_agrees(name: str, tmp_path: Path) -> None:
    problem, moves = made(name, tmp_path)
    assert str(check_problem(problem, moves, devices=["host"])).endswith("on host: cost, delta, init, commit")


def test_nvrtc_compiles_it(tmp_path: Path) -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    device: Any = NoGPU()
    problem, moves = made("a median", tmp_path)
    assert nvrtc.compiled(compose(problem, moves_of(moves), device).text, ARCHITECTURES[-1], binary=False)


@pytest.mark.parametrize(
    ("cost", "moves", "why"),
    [
        ("return min(x[k] + x[k - 1] for k in range(1, self.n))", Swap(), "at other places than that of its loop"),
        ("return min(self.d[i, x[k]] for i in range(3) for k in range(self.n))", Swap(), "goes over two loops"),
        (
            "return sum(min(self.d[c, b] for b in x) * x[c] for c in range(self.n))",
            Swap(),
            "something else",
        ),
        ("return sum(min(self.d[c, b] for b in x[1:]) for c in range(self.n))", Insertion(), "of all items between"),
    ],
)
def test_other_minima_are_refused_with_the_nearest_form(cost: str, moves: Any, why: str, tmp_path: Path) -> None:
    problem = problem_of(tmp_path, cost, "Permutation(8)", "Other", d=D)
    with pytest.raises(CompileError, match=why):
        wrong(problem, moves)
