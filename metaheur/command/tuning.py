"""The verb `tune`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from metaheur.command.loading import add_instance, model_for, problem_for
from metaheur.command.output import FORMATS, print_rows, require_writable

__all__ = ["add"]


def add(verbs: Any) -> None:
    """Define the arguments of the verb."""
    tune = verbs.add_parser(
        "tune",
        help="find good values for the fields of a search",
        description="Iterated racing of configurations, or files for other tuners. See `metaheur help tune`.",
    )
    add_instance(tune, several=True)
    tune.add_argument(
        "--search", help='such as "TabuSearch(Swap())" (default: the searches that the problem recommends)'
    )
    tune.add_argument("--construct", action="store_true", help="with --search: begin at a constructed solution")
    tune.add_argument(
        "--range",
        action="append",
        default=[],
        metavar="NAME=VALUES",
        help='such as "tenure.low=Range(0.1, 1.0)", or "limit=None" to leave a field as it is',
    )
    tune.add_argument("--work", type=float, help="limit of work, in moves evaluated")
    tune.add_argument(
        "--each", type=float, help="work of one run (default: so little that there are several hundred runs)"
    )
    tune.add_argument("--seed", type=int, default=0, help="default: 0")
    tune.add_argument("--parallel", default="auto", help="a device, or a model")
    tune.add_argument("--format", choices=FORMATS, default="table", help="form of the result (default: table)")
    tune.add_argument("--quiet", action="store_true", help="write nothing to standard error")
    other = tune.add_argument_group("instead of tuning")
    other.add_argument("--irace", metavar="FOLDER", help="write a scenario of irace; needs --each")
    other.add_argument("--configspace", metavar="FILE", help="write the space as JSON of ConfigSpace")
    other.add_argument("--optuna", metavar="FILE", help="write the space as distributions of Optuna")
    other.add_argument(
        "--runner", action="store_true", help="answer each line of standard input with a cost; needs --each"
    )
    tune.set_defaults(run=_tune)


def _tune(chosen: argparse.Namespace) -> int:
    from metaheur.errors import InputError
    from metaheur.tuning.race import spaces_of

    space_of = _space_of(chosen)
    chosen.walks = None
    if chosen.runner:
        return _answer(chosen, space_of)
    if not chosen.instance:
        raise InputError("There is no instance.", "write metaheur tune FILE --work 1e9.")
    problems = [problem_for(each) for each in _instances(chosen)]
    space = spaces_of(space_of, problems)[0]
    require_writable(configspace=chosen.configspace, optuna=chosen.optuna)
    if chosen.irace or chosen.configspace or chosen.optuna:
        return _write(chosen, space)
    return _race(chosen, space_of, problems)


def _race(chosen: argparse.Namespace, space_of: Any, problems: list[Any]) -> int:
    from metaheur.tuning.race import tune

    _require(chosen, "work", "without it, tuning has no end")
    found = tune(
        space_of,
        problems,
        work=chosen.work,
        each=chosen.each,
        seed=chosen.seed,
        parallel=model_for(chosen, problems[0]),
        report=not chosen.quiet,
    )
    if chosen.format == "table":
        print(found)
    else:
        print_rows(found.rows(), chosen.format)
    if not chosen.quiet:
        print(f"again: {_line(chosen)}", file=sys.stderr)
        construct = ["--construct"] if getattr(found.best.made, "start", None) == "construct" else []
        words = ["metaheur", "solve", chosen.instance[0], "--search", found.best.text, *construct]
        print(f"use: {shlex.join(words)}", file=sys.stderr)
    return 130 if found.stopped_by == "interrupt" else 0


def _write(chosen: argparse.Namespace, space: Any) -> int:
    from metaheur.problems.formats.files import write_lines
    from metaheur.tuning.other_tuners import to_configspace, to_irace, to_optuna
    from metaheur.tuning.race import RUNS

    for path, writer in ((chosen.configspace, to_configspace), (chosen.optuna, to_optuna)):
        if path:
            write_lines(path, writer(space).splitlines())
            print(path)
    if chosen.irace:
        _require(chosen, "each", "it is the work of a run")
        runs = RUNS if chosen.work is None else int(chosen.work / chosen.each)
        instances = [str(Path(each).resolve()) if Path(each).exists() else each for each in chosen.instance]
        chosen.instance, chosen.work = [], None
        runner = f"exec {_line(chosen)} --runner"
        for made in to_irace(space, chosen.irace, instances=instances, runner=runner, runs=runs):
            print(made)
    return 0


def _answer(chosen: argparse.Namespace, space_of: Any) -> int:
    """Answer lines until standard input ends."""
    from metaheur.tuning.target_runner import TargetRunner

    _require(chosen, "each", "it is the work of a run")
    table = vars(chosen)
    runner = TargetRunner(
        space_of,
        lambda name: problem_for(argparse.Namespace(**{**table, "instance": name})),
        int(chosen.each),
        model_for(chosen, None),
    )
    for line in sys.stdin:
        if line.strip():
            cost = runner.answer(line)
            print("Inf" if cost == float("inf") else f"{cost:.17g}", flush=True)
    return 0


def _instances(chosen: argparse.Namespace) -> Iterator[argparse.Namespace]:
    for instance in chosen.instance:
        yield argparse.Namespace(**{**vars(chosen), "instance": instance})


def _space_of(chosen: argparse.Namespace) -> Callable[[Any], Any]:
    """The function that makes the space for a problem."""
    from metaheur.door.expression import read
    from metaheur.errors import InputError
    from metaheur.tuning.space import Space

    ranges = {}
    for text in chosen.range:
        name, _, rule = text.partition("=")
        if not rule:
            raise InputError(f"`--range` must be NAME=VALUES, but is {text!r}.", 'write "tenure.low=Range(0.1, 1.0)".')
        ranges[name.strip()] = rule

    def space_of(problem: Any) -> Any:
        return Space(_searches(chosen, problem), {name: read(rule, problem) for name, rule in ranges.items()})

    return space_of


def _searches(chosen: argparse.Namespace, problem: Any) -> Any:
    """The search that is named, or the searches that a problem recommends."""
    from metaheur.door.expression import methods_in, read
    from metaheur.errors import InputError
    from metaheur.fields import OneOf
    from metaheur.searches.recommendation import Recommendation
    from metaheur.searches.suited import recommendations

    if chosen.search:
        names = {text: read(text, problem) for text in methods_in(chosen.search)}
        start = "construct" if chosen.construct else None
        return Recommendation("the search", read(chosen.search, problem), start, names=names)
    found = [each for each in recommendations(problem) if each.parallel is None]
    if not found:
        raise InputError(
            f"The searches that {type(problem).__name__} recommends are tied to a parallel model.",
            'name a search: --search "IteratedLocalSearch(HillClimbing(TwoOpt()), DoubleBridge(50))".',
        )
    return OneOf(*found)


def _require(chosen: argparse.Namespace, name: str, why: str) -> None:
    from metaheur.errors import InputError

    if getattr(chosen, name) is None:
        raise InputError(f"`--{name}` is missing: {why}.", f"add --{name} 1e6.")


def _line(chosen: argparse.Namespace) -> str:
    """The line of shell that repeats this."""
    options = ("search", "work", "each", "seed", "parallel", "layout", "number", "k", "objectives", "levels")
    given = [(name, getattr(chosen, name)) for name in options] + [("range", each) for each in chosen.range]
    defaults = {"seed": 0, "parallel": "auto"}
    words = [
        word
        for name, value in given
        if value is not None and value != defaults.get(name)
        for word in (f"--{name}", f"{value:.15g}" if isinstance(value, float) else str(value))
    ]
    construct = ["--construct"] if chosen.construct else []
    return shlex.join(["metaheur", "tune", *chosen.instance, *words, *construct])
