"""The verb `check`."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from metaheur.command.loading import add_instance, problem_for

__all__ = ["add"]


def add(verbs: Any) -> None:
    """Define the arguments of the verb."""
    check = verbs.add_parser(
        "check",
        help="compare the halves of a problem",
        description="Compare every change of cost, on every device, with two full evaluations. Take a small instance.",
    )
    add_instance(check)
    check.add_argument("--neighborhood", action="append", help='such as "Swap()"; may be given several times')
    check.add_argument("--device", action="append", help="host, cuda, ...; by default all devices of this machine")
    check.add_argument("--seed", type=int, default=0, help="default: 0")
    check.set_defaults(run=_check)


def _check(chosen: argparse.Namespace) -> int:
    from metaheur.door.expression import read
    from metaheur.errors import InputError
    from metaheur.searches.usual import usual_neighborhoods
    from metaheur.testing import check_problem

    problem = problem_for(chosen)
    named = [read(text, problem) for text in chosen.neighborhood or ()]
    neighborhoods = named or [*usual_neighborhoods(problem.representation)]
    if not neighborhoods:
        raise InputError(f"No neighborhood is known for {problem.representation!r}.", "name one by --neighborhood.")
    print(check_problem(problem, *neighborhoods, seed=chosen.seed, devices=chosen.device))
    print("the halves are equal", file=sys.stderr)
    return 0
