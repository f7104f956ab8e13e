"""``python -m metaheur.landscape`` makes an atlas: complete landscapes of the small QAPLIB instances in a folder."""

from __future__ import annotations

import argparse
import sys
from math import inf
from pathlib import Path
from typing import Any

from metaheur.errors import MetaheurError
from metaheur.landscape.atlas import atlas, instances_in, table
from metaheur.problems.qap import QAP

__all__ = ["main"]


def main(words: list[str] | None = None) -> int:
    """Make an atlas and print its table; return 0, or 1 after an error, which is printed on standard error."""
    parser = argparse.ArgumentParser(prog="python -m metaheur.landscape", description=__doc__)
    parser.add_argument("instances", type=Path, help="a folder with QAPLIB .dat files")
    parser.add_argument("--out", type=Path, default=Path("atlas"), help="the folder of the atlas (default: atlas)")
    parser.add_argument("--device", default="auto", help='"numpy", "host", "cuda", ... (default: auto)')
    parser.add_argument("--most", type=int, default=12, help="the most facilities of an instance (default: 12)")
    parser.add_argument("--networks", type=int, default=12, help="the most of one with a network (default: 12)")
    parser.add_argument(
        "--seconds", type=float, default=inf, help="for the search of each instance (default: no limit)"
    )
    parser.add_argument("--strict", action="store_true", help="strict local optima alone, without networks")
    chosen = parser.parse_args(words)
    problems: dict[str, QAP] = {}
    entries: list[dict[str, Any]] = []
    failed = False
    try:
        problems = instances_in(chosen.instances, chosen.most)
        found = atlas(
            problems,
            chosen.out,
            device=chosen.device,
            networks=chosen.networks,
            seconds=chosen.seconds,
            strict=chosen.strict,
        )
        for entry in found:
            entries.append(entry)
            print(entry["name"], f"{entry['optima']:,} local optima", flush=True)
    except MetaheurError as error:
        print(error, file=sys.stderr)
        failed = True
    if entries:
        print(table(entries))
    if missing := len(problems) - len(entries):
        print(f"{missing} not complete yet: run the command again, and it goes on.", file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
