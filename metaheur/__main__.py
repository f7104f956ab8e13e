"""Solve a published instance on every available device: `python -m metaheur [INSTANCE.dat] [--seconds S]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from metaheur import TabuSearch, run, stop
from metaheur.errors import MetaheurError
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
from metaheur.problems.formats import qaplib
from metaheur.running.result import Result
from metaheur.testing import devices_here

SIZE = 100
SEED = 1
TENURE = (0.1, 0.3)


def instance(path: str | None) -> tuple[str, QAP, int | None]:
    """The name, the problem and the best known cost: tai100a from its generator, or a QAPLIB file.

    Parameters
    ----------
    path : str, optional
        A `.dat` file; its best known cost is read from the `.sln` file beside it, where there is one.
    """
    if path is None:
        return f"tai{SIZE}a", QAP.taillard(SIZE), qaplib.BEST_KNOWN[SIZE]
    solution = Path(path).with_suffix(".sln")
    best = qaplib.read_sln(solution)[0] if solution.exists() else None
    return Path(path).stem, QAP.from_file(path), best


def row(device: str, result: Result, best: int | None) -> str:
    """One line of the table."""
    gap = f"{100 * (result.cost - best) / best:8.2f} %" if best else f"{'-':>10}"
    rates = f"{result.iterations_per_second:12,.0f} {result.moves_per_second:16,.0f}"
    return f"{device:8} {result.cost:14,} {gap} {rates}   {result.description}"


def main(arguments: list[str] | None = None) -> int:
    """Run the demonstration; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m metaheur", description=__doc__)
    parser.add_argument("instance", nargs="?", help="a QAPLIB .dat file (default: tai100a, generated)")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each device (default: 5)")
    chosen = parser.parse_args(arguments)
    try:
        name, problem, best = instance(chosen.instance)
        print(f"{name}: quadratic assignment, {problem.representation.length} facilities", end="")
        print(f", best known cost {best:,}" if best else "")
        print(f"robust tabu search, tenure {TENURE}, {chosen.seconds:g} s a device, seed {SEED}\n")
        print(f"{'device':8} {'best cost':>14} {'gap':>10} {'iterations/s':>12} {'moves/s':>16}")
        for device in ["numpy", *devices_here()]:
            search = TabuSearch(Swap(), tenure=TENURE)
            result = run(search, problem, stop=stop.seconds(chosen.seconds), seed=SEED, parallel=device)
            print(row(device, result, best), flush=True)
            if result.stopped_by == "interrupt":
                break
    except MetaheurError as error:
        print(error, file=sys.stderr)
        return 1
    print("\nThe same seed makes the same steps on every device: a faster device only gets further.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
