"""Dynamic programming over a core: 10,000 items of each published kind; processor time, since machines are shared."""

from statistics import median
from time import process_time
from typing import Any

import pytest

from metaheur import run, stop
from metaheur.problems import Knapsack
from metaheur.problems.knapsack_kinds import KINDS
from metaheur.problems.trees.knapsack_core import KnapsackCore

LIMIT = stop.seconds(60)


@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_items_of_each_kind(kind: str, benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    run(KnapsackCore(), Knapsack.single([1], [1], 1), stop=LIMIT, parallel="host")  # compiled
    knapsacks = [Knapsack.pisinger(kind, 10_000, h=h, seed=seed) for seed in range(100, 103) for h in (10, 50, 90)]
    seconds = []

    def all_instances() -> None:
        for knapsack in knapsacks:
            began = process_time()
            proof = run(KnapsackCore(), knapsack, stop=LIMIT, parallel="host").proof
            seconds.append(process_time() - began)
            assert proof is not None
            assert proof.status == "optimal"

    benchmark.pedantic(all_instances, rounds=1)
    with capsys.disabled():
        print(f"\n{kind:30} ms: {1000 * median(seconds):8.1f}, at most {1000 * max(seconds):8.1f}")
