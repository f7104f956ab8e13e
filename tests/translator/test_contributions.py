"""Kept arrays that are sums of what positions contribute: `init` and `commit` follow from one method."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator, arg-type"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import Array, BitString, Permutation, Problem, compiled, contributions, data
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.device.host.host import Host
from metaheur.errors import CompileError
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import FlipMove, Hamming, Swap, SwapMove
from metaheur.testing import check_problem
from tests.device.compilers import ARCHITECTURES, NoGPU


@frozen(eq=False)
class Seats(Problem):
    """Guests at tables of four: the squared sums of their weights, kept for each table."""

    weights: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def state(self, representation):
        return {"loads": Array(((representation.length + 3) // 4,), "int64")}

    @compiled
    def cost(self, x):
        return sum(sum(self.weights[x[k]] for k in range(self.n) if k // 4 == t) ** 2 for t in range((self.n + 3) // 4))

    @compiled
    def contribute(self, s, k, value, by):
        s.loads[k // 4] += by * self.weights[value]

    init, commit = contributions

    @compiled
    def delta(self, x, s, m: SwapMove):
        by, one, two = self.weights[x[m.j]] - self.weights[x[m.i]], m.i // 4, m.j // 4
        return 0 if one == two else 2 * by * (s.loads[one] - s.loads[two] + by)


@frozen(eq=False)
class Columns(Problem):
    """Rows are chosen; the cost is the sum of the squared column sums, kept in a matrix with the parity of the row."""

    table: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self) -> BitString:
        return BitString(len(self.table))

    def state(self, representation):
        return {"sums": Array((2, self.table.shape[1]), "int64")}

    @compiled
    def cost(self, x):
        return sum(
            sum(self.table[i, c] for i in range(self.n) if x[i] and i % 2 == odd) ** 2
            for odd in range(2)
            for c in range(len(self.table[0]))
        )

    @compiled
    def contribute(self, s, k, value, by):
        if value:
            for c in range(len(self.table[0])):
                s.sums[k % 2, c] += by * self.table[k, c]

    init, commit = contributions

    @compiled
    def delta(self, x, s, m: FlipMove):
        total = 0
        for c in range(len(self.table[0])):
            for odd in range(2):
                by = 0
                for k in m.at:
                    if k % 2 == odd:
                        by += self.table[k, c] * (1 - 2 * x[k])
                total += by * (2 * s.sums[odd, c] + by)
        return total


@frozen(eq=False)
class Forgetful(Problem):
    """Which does not say what a position contributes."""

    weights: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @compiled
    def cost(self, x):
        return self.weights[x[0]]

    init, commit = contributions


SEATS = Seats(np.random.default_rng(1).integers(1, 30, 11))
CASES: list[tuple[Problem, Any]] = [
    (SEATS, Swap()),
    (Columns(np.random.default_rng(2).integers(-9, 10, (7, 5))), Hamming(2)),
]


@pytest.mark.parametrize(("problem", "neighborhood"), CASES, ids=["swaps", "flips"])
def test_what_is_kept_follows_the_moves(problem: Problem, neighborhood: Any, compiling: Device) -> None:
    report = str(check_problem(problem, neighborhood, devices=[compiling.name]))
    assert f"on {compiling.name}: cost, delta, init, commit" in report


def test_nvrtc_compiles_it() -> None:
    nvrtc = pytest.importorskip("tests.device.cuda.test_nvrtc")
    assert nvrtc.compiled(compose(SEATS, moves_of(Swap()), NoGPU()).text, ARCHITECTURES[-1], binary=False)


def test_what_a_position_contributes_must_be_said() -> None:
    with pytest.raises(CompileError, match=r"self\.contribute is not a method"):
        compose(Forgetful([1, 2, 3]), moves_of(Swap()), Host())
