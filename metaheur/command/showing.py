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
    show.add_argument("solution", help="a file of solve --out, or of TSPLIB (tour), CVRPLIB (sol) or QAPLIB (sln)")
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
    from metaheur.errors import InputError
    from metaheur.evaluators.costs import python_cost
    from metaheur.problems.solutions import solution_from_file

    try:
        problem, stated, x = solution_from_file(chosen.solution, problem_for(chosen))
    except InputError:
        if not _swapped(chosen):
            raise
        raise InputError(
            f"{chosen.solution} is an instance, and {chosen.instance} its solution: this is the wrong order.",
            f"write metaheur show {chosen.instance} {chosen.solution}",
        ) from None
    cost = problem.displayed(python_cost(problem, x))
    shown = list(cost) if isinstance(cost, tuple) else cost
    print_rows([{"cost": shown, "stated": stated, "n": len(x)}], chosen.format, single=True)
    if stated is not None and stated != shown:
        raise InputError(
            f"{chosen.solution} states the cost {stated}, but its solution costs {shown}.", "name its own instance."
        )
    return 0


def _swapped(chosen: argparse.Namespace) -> bool:
    """Whether the file of the solution holds an instance, and the other file a solution of it."""
    from metaheur.errors import MetaheurError
    from metaheur.problems.solutions import solution_from_file

    try:
        problem = problem_for(argparse.Namespace(**{**vars(chosen), "instance": chosen.solution}))
        solution_from_file(chosen.instance, problem)
    except MetaheurError:
        return False
    return True


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
    from metaheur.problems.formats.known import FORMATS as FILES

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
