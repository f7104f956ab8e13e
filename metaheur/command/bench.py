"""The verb `bench`: a published instance on every device of this machine."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metaheur.problems import QAP
    from metaheur.running.result import Result

__all__ = ["add"]

SIZE = 100
SEED = 1
TENURE = (0.1, 0.3)


def add(verbs: Any) -> None:
    """Define the arguments of the verb."""
    says = "Robust tabu search on a quadratic assignment problem, on every device of this machine."
    bench = verbs.add_parser("bench", help="how fast this machine is", description=says)
    bench.add_argument("instance", nargs="?", help="a QAPLIB .dat file (default: tai100a, generated)")
    bench.add_argument("--seconds", type=float, default=5.0, help="for each device (default: 5)")
    bench.set_defaults(run=_bench)


def _instance(path: str | None) -> tuple[str, QAP, int | None]:
    """The name, the problem and the best known cost: tai100a from its generator, or a QAPLIB file.

    The best known cost is read from the `.sln` file beside the instance, if it exists.
    """
    from metaheur.problems import QAP
    from metaheur.problems.formats import qaplib

    if path is None:
        return f"tai{SIZE}a", QAP.taillard(SIZE), qaplib.BEST_KNOWN[SIZE]
    solution = Path(path).with_suffix(".sln")
    best = qaplib.read_sln(solution)[0] if solution.exists() else None
    return Path(path).stem, QAP.from_file(path), best


def _row(device: str, result: Result, best: int | None) -> str:
    """One line of the table."""
    gap = f"{100 * (result.cost - best) / best:8.2f} %" if best else f"{'-':>10}"
    rates = f"{result.iterations_per_second:12,.0f} {result.moves_per_second:16,.0f}"
    return f"{device:8} {result.cost:14,} {gap} {rates}   {result.description}"


def _bench(chosen: argparse.Namespace) -> int:
    from metaheur import TabuSearch, run, stop
    from metaheur.neighborhoods import Swap
    from metaheur.testing import devices_here

    name, problem, best = _instance(chosen.instance)
    limit = stop.seconds(chosen.seconds)
    print(f"{name}: quadratic assignment, {problem.representation.length} facilities", end="")
    print(f", best known cost {best:,}" if best else "")
    print(f"robust tabu search, tenure {TENURE}, {chosen.seconds:g} s a device, seed {SEED}\n")
    print(f"{'device':8} {'best cost':>14} {'gap':>10} {'iterations/s':>12} {'moves/s':>16}")
    for device in ["numpy", *devices_here()]:
        result = run(TabuSearch(Swap(), tenure=TENURE), problem, stop=limit, seed=SEED, parallel=device)
        print(_row(device, result, best), flush=True)
        if result.stopped_by == "interrupt":
            return 130
    print("\nThe same seed makes the same steps on every device; a faster device only makes more steps.")
    return 0
