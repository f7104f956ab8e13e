"""Loads the instances, objects of modules, searches and devices that the command line names."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

__all__ = ["add_instance", "add_trust", "model_for", "named", "options_of_file", "problem_for"]


def add_trust(verb: argparse.ArgumentParser) -> None:
    """Add the option that lets a file run Python."""
    verb.add_argument(
        "--trust",
        action="store_true",
        help="let the file name your modules, which are run, although it is not in this folder or not yours",
    )


def add_instance(verb: argparse.ArgumentParser, *, needed: bool = True, several: bool = False) -> None:
    """Add the arguments that name the problem, or several problems."""
    verb.add_argument(
        "instance",
        nargs="*" if several else None if needed else "?",
        metavar="FILE|MODULE:OBJECT",
        help="a file of an instance, or your own problem",
    )
    verb.add_argument("--layout", help="the format of the file, if its contents fit several formats")
    verb.add_argument("--number", type=int, help="which instance of a file with several instances, from 1")
    verb.add_argument("--k", type=int, help="number of colors of a graph")
    verb.add_argument("--objectives", help="two or more objectives of a flow shop, separated by commas")
    verb.add_argument("--levels", help="vehicles,distance: of routes within windows of time, few vehicles come first")


def problem_for(chosen: argparse.Namespace) -> Any:
    """The problem that the arguments name."""
    from metaheur.door.named import named_problem
    from metaheur.errors import InputError
    from metaheur.problems.reading import problem_from_file

    text, options = str(chosen.instance), options_of_file(chosen)
    if named(chosen):
        if options:
            raise InputError(f"{text} is an object of Python, and takes no options of files.", "leave them out.")
        return named_problem(text)
    return problem_from_file(text, **options)


def named(chosen: argparse.Namespace) -> bool:
    """Whether the problem is an object of a module, not a file."""
    from metaheur.door.named import OBJECT

    text = str(chosen.instance)
    return bool(OBJECT.fullmatch(text)) and not Path(text).exists()


def options_of_file(chosen: argparse.Namespace) -> dict[str, Any]:
    """The options of `problem_from_file` that are given."""
    given = {name: getattr(chosen, name) for name in ("layout", "number", "k")}
    for name in ("objectives", "levels"):
        listed = getattr(chosen, name)
        given[name] = listed and tuple(each.strip() for each in listed.split(","))
    return {name: value for name, value in given.items() if value is not None}


def model_for(chosen: argparse.Namespace, problem: Any) -> Any:
    """The parallel model that `--parallel` and `--walks` define."""
    from metaheur.door.expression import read
    from metaheur.errors import InputError
    from metaheur.parallel import Auto, Multistart
    from metaheur.running.runner import ParallelModel

    text, walks = chosen.parallel, chosen.walks
    if "(" not in text:
        return text if walks is None else Auto(walks) if text == "auto" else Multistart(walks, device=text)
    model = read(text, problem)
    if not isinstance(model, ParallelModel):
        raise InputError(
            f"`--parallel` must be a device or a parallel model, but is {text}.", 'write "Multistart(64)".'
        )
    if walks is not None:
        raise InputError("A model in `--parallel` has its own number of walks.", "leave `--walks` out.")
    return model
