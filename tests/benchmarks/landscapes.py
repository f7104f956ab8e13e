"""How fast complete landscapes are: ``python -m tests.benchmarks.landscapes --device cuda``.

All local optima and the transition network of tai12a, all local optima of a random instance of 13 or 14 facilities, and
steepest descents a minute at n = 50. What was computed is compared with known counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.names import device_of
from metaheur.landscape import Landscape
from metaheur.landscape.blocks import TAIL, shell_of
from metaheur.landscape.streams import DescentStream
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
from tests.benchmarks.records import arguments, report

OWNERS = {"cuda": ("thread", "warp", "block"), "host": ("auto",)}
"""Who owns a walk, by the device."""


def _timed(name: str, work: Callable[[], Any]) -> tuple[str, Any]:
    """A row with the seconds on the clock and on the processors, after a first time that compiles; and the result."""
    began, processor = time.perf_counter(), time.process_time()
    found = work()
    seconds, all_threads = time.perf_counter() - began, time.process_time() - processor
    return f"| {name} | {seconds:.2f} | {all_threads:.2f} | ", found


def _lines(device: str, largest: int, batches: int) -> Iterator[str]:
    Landscape(QAP.random(12, 1), Swap(), device=device).optima(seconds=0)  # compiles; the data are no part of the unit
    tai12a = Landscape(QAP.taillard(12), Swap(), device=device)
    row, optima = _timed("tai12a, all local optima", tai12a.optima)
    assert len(optima) == 3333
    assert int(optima.strict.sum()) == 3327
    yield f"{row}{len(optima):,} optima, {optima.nodes:,} nodes |"
    compiled_kernels(tai12a.problem, shell_of(tai12a.problem, 12, TAIL), device_of(device))
    row, network = _timed("tai12a, network of exact transitions", tai12a.network)
    assert int(network.sizes.sum()) == 479_001_600
    assert int(network.weights.sum()) == 66 * 479_001_600
    yield f"{row}{len(network.sources):,} edges |"
    larger = Landscape(QAP.random(largest, 1), Swap(), device=device)
    row, optima = _timed(f"random {largest}, all local optima", larger.optima)
    yield f"{row}{len(optima):,} optima, {optima.nodes:,} nodes |"
    fifty = Landscape(QAP.random(50, 1), Swap(), device=device)
    for per in OWNERS[device.partition(":")[0]]:
        count = 1 << (17 if device.startswith("cuda") else 12)
        stream = DescentStream(fifty._ground, count, per)
        for copied in (False, True):
            stream.ends(0).solutions()
            began = time.perf_counter()
            for batch in range(1, batches + 1):
                ends = stream.ends(batch * count)
                if copied:
                    ends.solutions()
            seconds = time.perf_counter() - began
            rate = 60 * batches * count / seconds
            what = f"{rate:,.0f} a minute, {ends.steps.mean():.1f} steps"
            yield f"| descents, n = 50, {per}{', solutions copied' if copied else ''} | {seconds:.2f} |  | {what} |"


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="host")
    parser.add_argument("--random", type=int, default=13, help="facilities of the random instance (default: 13)")
    parser.add_argument("--batches", type=int, default=4, help="batches of descents (default: 4)")
    chosen = parser.parse_args(arguments())
    columns = ("", "s", "processor s", "")
    name = "landscapes_on_a_gpu" if chosen.device.startswith("cuda") else "landscapes"
    report(name, "complete landscapes: seconds", columns, _lines(chosen.device, chosen.random, chosen.batches))


if __name__ == "__main__":
    _main()
