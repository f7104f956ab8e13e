"""What the tests of readers share: settings, tables of published values, and random instances."""

import csv
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from metaheur.problems.formats.knapsack_instance import KnapsackInstance
from metaheur.problems.formats.qubo_instance import QUBOInstance
from metaheur.problems.formats.tokens import Tokens

a_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
"""For tests that write each example into the same file."""


def tokens_of(path: Path, content: bytes | str, *, commas: bool = False, comments: str = "") -> Tokens:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Tokens.read(path, commas=commas, comments=comments)


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a csv file, by the names in its first line."""
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def exhaustive(instance: KnapsackInstance) -> int:
    """The largest profit, by trying all choices."""
    n = len(instance.profits)
    xs = np.arange(2**n)[:, None] >> np.arange(n) & 1
    feasible = (xs @ instance.weights.T <= instance.capacities).all(axis=1)
    return int((xs @ instance.profits)[feasible].max())


def quadratic(terms: tuple[int, Any, Any, Any], maximise: bool, factor: int = 1) -> QUBOInstance:
    n, i, j, w = terms
    return QUBOInstance(n, i, j, w, maximise=maximise, factor=factor)


@st.composite
def _terms(draw: st.DrawFn, step: int) -> tuple[int, list[int], list[int], list[int]]:
    n = draw(st.integers(2, 6))
    chosen = draw(st.lists(st.sampled_from([*combinations_with_replacement(range(n), 2)]), unique=True))
    weights = st.integers(-(2**61) // step, 2**61 // step).map(lambda w: step * w).filter(bool)
    w = draw(st.lists(weights, min_size=len(chosen), max_size=len(chosen)))
    return n, [i for i, _ in chosen], [j for _, j in chosen], w


def quadratics(step: int) -> st.SearchStrategy[QUBOInstance]:
    """Instances whose weights are multiples of a number."""
    return st.builds(quadratic, _terms(step), st.booleans(), st.sampled_from([1, 10, 1000]))


def weights_of(instance: QUBOInstance) -> dict[tuple[int, int], int]:
    """The weights by pair, times 1000: what must survive, whatever the factor."""
    assert instance.i.dtype == instance.j.dtype == instance.w.dtype == np.int64
    columns = (instance.i.tolist(), instance.j.tolist(), instance.w.tolist())
    return {(i, j): w * 1000 // instance.factor for i, j, w in zip(*columns, strict=True)}


def objective(instance: QUBOInstance, x: tuple[int, ...]) -> int:
    columns = (instance.i.tolist(), instance.j.tolist(), instance.w.tolist())
    return sum(w * x[i] * x[j] for i, j, w in zip(*columns, strict=True))


BROKEN_SYMMETRIC = [
    (b"", "is empty"),
    (b"3 2\n1 1 5\n1 2", "truncated: from line 2 on, expected 6 numbers in 2 lines 'i j q', found 5"),
    (b"3 1\n1 1 5\n1 2 7", r"line 3: '1' follows the last entry.*3 tokens too many"),
    (b"3 1\n1 4 5", r"line 2: an index must be in 1 \.\.\. 3, but is 4"),
    (b"3 1\n0 1 5", r"must be in 1 \.\.\. 3, but is 0"),
    (b"3 2\n1 2 5\n2 1 5", r"line 3: the entry \(2, 1\) is listed twice"),
    (b"3 1\n1 2 x", "line 2: 'x' is not a number"),
    (b"3 1\n1 1.5 2", "line 2: '1.5' is not an integer"),
    (b"3 1\n1 2 2305843009213693953", r"line 2: the weight must be in .*, but is '2305843009213693953'"),
    (b"0 0", r"the number of variables n must be .*, but is 0"),
    (b"3 -1", r"the number of entries m must be .*, but is -1"),
    (b"3 99999999999", r"the number of entries m must be .*, but is 99999999999"),
]
"""Contents that no reader of a symmetric matrix accepts, and what the message says."""
