"""The atlas of small quadratic assignment problems, as a record: ``python -m tests.benchmarks.atlas FOLDER --save``.

FOLDER has what is already computed, and takes what is computed now. ``--device cuda`` computes on a GPU, ``--most 16``
takes larger instances, ``--random 14`` random ones of 8 ... 14 facilities.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from metaheur.landscape.atlas import HEADER, atlas, cells, instances_in
from metaheur.problems import QAP
from tests.benchmarks.records import arguments, report


def _problems(most: int, random: int) -> dict[str, QAP]:
    """QAPLIB's instances of at most so many facilities, and random ones."""
    found = instances_in(Path(os.environ["METAHEUR_DATA"]) / "qaplib", most)
    return found | {f"random {n}": QAP.random(n, 1) for n in range(8, random + 1)}


def _lines(chosen: argparse.Namespace) -> Iterator[str]:
    problems = _problems(chosen.most, chosen.random)
    for entry in atlas(problems, chosen.folder, device=chosen.device, networks=chosen.networks):
        yield f"| {' | '.join(cells(entry))} |"


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--device", default="host")
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("--random", type=int, default=14)
    parser.add_argument("--networks", type=int, default=12)
    title = "complete landscapes of quadratic assignment problems under swaps, by branch and bound and by enumeration"
    report("atlas", title, HEADER, _lines(parser.parse_args(arguments())))


if __name__ == "__main__":
    _main()
