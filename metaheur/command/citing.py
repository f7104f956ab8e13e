"""The verb `cite`."""

from __future__ import annotations

import argparse
from typing import Any

__all__ = ["add"]


def add(verbs: Any) -> None:
    """Define the arguments of the verb."""
    says = "Print as BibTeX the literature of metaheur, and of the searches and problems that you name."
    verb = verbs.add_parser("cite", help="the literature of what you used", description=says)
    verb.add_argument(
        "name", nargs="*", help="classes such as TabuSearch, or an expression such as 'TabuSearch(Swap())'"
    )
    verb.set_defaults(run=_cite)


def _cite(chosen: argparse.Namespace) -> int:
    from metaheur.report.cite import cite

    print(cite(*chosen.name))
    return 0
