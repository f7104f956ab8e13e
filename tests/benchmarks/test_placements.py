"""Placements: whether it matters in which memory of a GPU a problem's data lies, by who owns a walk.

T. V. Luong, N. Melab and E.-G. Talbi, "GPU-based multi-start local search algorithms", 2011: textures made their
searches two to four times as fast as global memory.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest

from metaheur import TabuSearch, Until
from metaheur.neighborhoods import Swap
from metaheur.parallel import Multistart
from metaheur.problems import QAP
from metaheur.testing import devices_here

OWNERS = ("thread", "warp", "block")
PLACEMENTS = ("global", "read-only", "texture", "constant", "shared")
WALKS, ITERATIONS = 4096, 500


def seconds_of(qap: QAP, per: str, placement: str, walks: int = WALKS) -> tuple[float, int]:
    """Seconds of so many walks' iterations of robust tabu search, and the sum of the best costs."""
    search, model = TabuSearch(Swap()), Multistart(walks, per, device="cuda", placement=placement)
    runner, keys = model.bind(search, qap), model.keys(1)
    at = runner.begin(keys, qap.representation.starts(keys))
    at = runner.advance(at, Until(1)).walks
    began = perf_counter()
    at = runner.advance(at, Until(1 + ITERATIONS)).walks
    return perf_counter() - began, int(at.best_costs.sum())


@pytest.mark.benchmark(group="seconds of 4,096 walks by placement")
@pytest.mark.parametrize("n", [30, 35, 40, 50, 60, 80, 100])
def test_placements(n: int, benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    if "cuda" not in devices_here():
        pytest.skip("only a GPU has several memories")
    found: dict[tuple[str, str], tuple[float, int]] = {}

    def study() -> None:
        found.update({(p, per): seconds_of(QAP.taillard(n), per, p) for p in PLACEMENTS for per in OWNERS})

    benchmark.pedantic(study, rounds=1, iterations=1)
    assert len({total for _, total in found.values()}) == 1
    with capsys.disabled():
        print(f"\ntai{n}a, {WALKS:,} walks, {ITERATIONS} iterations of robust tabu search, seconds")
        print(f"  {'':12}" + "".join(f"{per:>12}" for per in OWNERS))
        for placement in PLACEMENTS:
            print(f"  {placement:12}" + "".join(f"{found[placement, per][0]:12.4f}" for per in OWNERS))
