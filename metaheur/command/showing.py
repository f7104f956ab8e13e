"""The verbs `show`, `devices`, `problems` and `fetch`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from metaheur.command.loading import add_instance, problem_for
from metaheur.command.output import FORMATS, print_rows

__all__ = ["add"]


def add(verbs: Any) -> None:
    """Define the arguments of the verbs."""
    show = verbs.add_parser("show", help="check a solution", description="Evaluate a solution of an instance in full.")
    show.add_argument("solution", help="a file of solve --out, a tour of TSPLIB, or a solution of QAPLIB")
    add_instance(show)
    show.set_defaults(run=_show)
    devices = verbs.add_parser("devices", help="the devices of this machine")
    problems = verbs.add_parser("problems", help="the problems and formats of files that metaheur has")
    for verb in (show, devices, problems):
        verb.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    devices.set_defaults(run=_devices)
    problems.set_defaults(run=_problems)
    fetch = verbs.add_parser("fetch", help="download a published instance", description="Print where the file is.")
    fetch.add_argument("name", nargs="*", help="such as tai30a or tsplib/pcb442; without a name, all names are printed")
    fetch.add_argument("--folder", help="the folder for the files, instead of the cache")
    fetch.set_defaults(run=_fetch)


def _show(chosen: argparse.Namespace) -> int:
    import numpy as np

    from metaheur.errors import InputError

    problem = problem_for(chosen)
    stated, solution = _solution(chosen.solution, problem.representation.length)
    x = problem.representation.validate(np.array(solution))
    cost = problem.displayed(problem.cost(x))
    shown = list(cost) if isinstance(cost, tuple) else cost
    print_rows([{"cost": shown, "stated": stated, "n": len(x)}], chosen.format, single=True)
    if stated is not None and stated != shown:
        raise InputError(
            f"{chosen.solution} states the cost {stated}, but its solution costs {shown}.", "name its own instance."
        )
    return 0


def _solution(path: str, n: int) -> tuple[Any, list[int]]:
    """The cost that a file states, if it states one, and its solution."""
    from metaheur.errors import InputError
    from metaheur.problems.formats.files import read_text
    from metaheur.problems.formats.qaplib import read_sln
    from metaheur.problems.formats.tsplib_tours import read_tour

    text = read_text(path)
    if "TOUR" in text.upper():
        return None, read_tour(path).tolist()
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if len(lines[0]) == 2 and lines[0][0] == str(n) and len(lines) > 1:
        cost, permutation = read_sln(path)
        return cost, permutation.tolist()
    try:
        numbers = [[_number(token) for token in line] for line in lines]
        *_, last = numbers
        head = numbers[0] if len(numbers) > 1 else []
        return (head[0] if len(head) == 1 else head) if head else None, [int(entry) for entry in last]
    except ValueError:
        raise InputError(f"{path} is not a file of a solution.", "write one by metaheur solve FILE --out.") from None


def _number(token: str) -> int | float:
    """A cost or an entry; a cost of a file with fractions may be 1e-05."""
    try:
        return int(token)
    except ValueError:
        return float(token)


def _devices(chosen: argparse.Namespace) -> int:
    from metaheur.device.cuda.cuda import gpus
    from metaheur.device.names import device_of
    from metaheur.errors import DeviceError
    from metaheur.machine.processors import cores

    rows = [{"device": "numpy", "what": "NumPy, the Python halves", "cores": cores()}]
    for name in ("host", *(f"cuda:{i}" for i in range(max(1, gpus())))):
        try:
            device = device_of(name)
            rows.append({"device": name, "what": device.description, "cores": cores() if name == "host" else ""})
        except DeviceError as error:
            print(f"{name}: {error}", file=sys.stderr)
    print_rows(rows, chosen.format)
    return 0


def _problems(chosen: argparse.Namespace) -> int:
    from metaheur.problems.formats.recognition import FORMATS as FILES

    rows = [
        {"problem": each.problem or "-", "layout": each.name, "files": each.says, "suffixes": " ".join(each.suffixes)}
        for each in sorted(FILES.values(), key=lambda each: (not each.problem, each.problem))
    ]
    print_rows(rows, chosen.format)
    return 0


def _fetch(chosen: argparse.Namespace) -> int:
    from metaheur.problems.fetching import NAMES, fetch

    if not chosen.name:
        print("\n".join(NAMES))
    for name in chosen.name:
        print(fetch(name, folder=chosen.folder))
    return 0
