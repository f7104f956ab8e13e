"""The seconds in which the records of a large study are read: from the records, and by the journal beside them.

By hand: ``python -m tests.benchmarks.test_records 100000``. One run is made and recorded; the other records are
the same with other seeds. They are read twice: the first time writes the journal, which the second one reads.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import pytest

from metaheur import SimulatedAnnealing, run_many, stop
from metaheur.neighborhoods import Hamming
from metaheur.problems import OneMax
from metaheur.report.record import record_path
from metaheur.report.study import read_experiment
from tests.benchmarks.records import arguments, report, row_text

SEARCH, PROBLEM, ITERATIONS = SimulatedAnnealing(Hamming(1), 2.0), OneMax(60), 2_000


def fill(folder: Path, count: int) -> float:
    """Make so many records in a folder, none of them new; the bytes of one."""
    run_many(
        {"annealing": SEARCH},
        {"ones": PROBLEM},
        stop=stop.iterations(ITERATIONS),
        seeds=[0],
        parallel="numpy",
        folder=folder,
        progress=False,
    )
    (path,) = folder.glob("*_*.json")
    content = json.loads(path.read_bytes())
    path.unlink()
    for seed in range(count):
        content["run"]["seed"], content["key"] = seed, f"{seed:064x}"[::-1]
        place = record_path(folder, ("annealing", "ones"), seed, content["key"])
        place.write_text(json.dumps(content, indent=1))
        os.utime(place, (1e9, 1e9))
    return float(place.stat().st_size)


def rows(count: int) -> dict[str, tuple[float, float]]:
    """Seconds and processor seconds of reading so many records."""
    found = {}
    with TemporaryDirectory() as folder:
        fill(Path(folder), count)
        for name in ("from records", "by the journal"):
            began, of_processor = perf_counter(), process_time()
            runs = read_experiment(folder).runs
            found[name] = perf_counter() - began, process_time() - of_processor
            assert len(runs) == count
            del runs
    return found


@pytest.mark.thorough
def test_records_are_read_twice() -> None:
    assert min(min(each) for each in rows(250).values()) > 0


if __name__ == "__main__":
    many = int(arguments()[0])
    lines = (row_text(name, values) for name, values in rows(many).items())
    report("records", f"{many:,} records of runs are read", ("", "s", "processor s"), lines)
