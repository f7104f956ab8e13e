"""Equal runs have equal digests on every device; of others, the first difference is named."""

import re
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import Result, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Multistart
from metaheur.problems import QAP
from metaheur.report.trajectory import difference, trajectory_digest
from metaheur.searches import TabuSearch

QAP_12 = QAP.random(12, seed=2)


def made(seed: int = 3, parallel: Any = "numpy", iterations: int = 60) -> Result:
    return run(TabuSearch(Swap()), QAP_12, stop=stop.iterations(iterations), seed=seed, parallel=parallel)


def test_devices_have_the_same_digest(device: str) -> None:
    assert trajectory_digest(made(parallel=device)) == trajectory_digest(made())


def test_several_walks_have_the_same_digest_however_often_python_looks() -> None:
    once, again = (made(parallel=Multistart(3, device="host")) for _ in "12")
    assert trajectory_digest(evolve(once, improvements=())) == trajectory_digest(again)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"start_cost": 1}, r"The start cost \d+, and now costs 1\."),
        ({"improvements": ()}, r"Improvement 1 differs: it was cost \d+ at iteration \d+, and now is none\."),
        ({"cost": 5}, r"`cost` differs: it was \d+, and now is 5\."),
        ({"evaluated": 7}, r"`evaluated` differs: it was 3960, and now is 7\."),
        ({"solution": np.arange(12)}, r"`solution` differs at \(\d+,\): it was \d+, and now is \d+\."),
        ({"solution": np.arange(3)}, r"`solution` differs in its shape: it was \(12,\), and now is \(3,\)\."),
    ],
    ids=lambda value: "" if isinstance(value, str) else next(iter(value)),
)
def test_every_part_of_a_run_counts(change: dict[str, Any], says: str) -> None:
    before = made()
    after = evolve(before, **change)
    assert trajectory_digest(after) != trajectory_digest(before)
    assert re.fullmatch(says, difference(before, after))


def test_times_and_devices_do_not_count() -> None:
    before = made()
    after = evolve(before, seconds=9.0, device="x", plan="y", solution=before.solution.astype(np.int64))
    assert trajectory_digest(after) == trajectory_digest(before)
    assert difference(before, after) == ""
