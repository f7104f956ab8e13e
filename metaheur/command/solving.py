"""The verbs `solve` and `resume`."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaheur.command.loading import add_instance, add_trust, model_for, problem_for
from metaheur.command.output import OF_RESULTS, require_writable, write_result
from metaheur.command.toml import read_toml, write_toml

if TYPE_CHECKING:
    from metaheur.problem import Problem
    from metaheur.searches.recommendation import Recommendation

__all__ = ["add", "with_config"]


def cost_to_reach(text: str) -> Any:
    """A number; or a tuple with a number or None for each level, with commas between."""
    if "," not in text:
        return float(text)
    return tuple(None if each.strip() == "None" else float(each) for each in text.split(","))


_MADE = re.compile(r"problem\.\w+\(.*\)")
"""A start that the problem makes, such as "problem.greedy_edge()"."""

SAVED = ".toml"
"""The suffix of the file beside a checkpoint that names the run of the checkpoint."""


def add(verbs: Any) -> None:
    """Define the arguments of the verbs."""
    solve = verbs.add_parser(
        "solve", help="solve an instance", description="Solve an instance by a race of the searches that suit it."
    )
    add_instance(solve, needed=False)
    _add_limits(solve)
    one = solve.add_argument_group("one search of your choice, without a race")
    one.add_argument("--search", help='such as "TabuSearch(Swap())" or "problem.recommended()"')
    one.add_argument("--iterations", type=_count, help="limit of iterations of that search")
    one.add_argument("--construct", action="store_true", help="begin at the solution of the constructive heuristic")
    one.add_argument(
        "--start",
        metavar="FILE",
        help='begin at the solution of a file, as `show` reads it, or at one such as "problem.greedy_edge()"',
    )
    one.add_argument("--save", help="keep a checkpoint in this file, for `resume`")
    solve.add_argument("--config", help="read arguments from a file of TOML; others override them")
    add_trust(solve)
    solve.add_argument("--dump", help="write the arguments to a file of TOML, and do nothing else")
    solve.set_defaults(run=_solve)
    resume = verbs.add_parser("resume", help="go on from a checkpoint", description="Go on with a run that was saved.")
    resume.add_argument("checkpoint", help="a file that `solve --search ... --save` wrote")
    _add_limits(resume)
    add_trust(resume)
    resume.add_argument("--iterations", type=_count, help="limit of iterations, with the iterations before")
    resume.set_defaults(run=_resume)


def _add_limits(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--seconds", type=float, help="limit of time (default: 10 if there is no other limit)")
    verb.add_argument("--work", type=_count, help="limit of work, in moves evaluated")
    verb.add_argument("--target", type=cost_to_reach, help="stop when this cost is reached; with levels 0,None")
    verb.add_argument("--seed", type=int, default=0, help="default: 0")
    verb.add_argument("--parallel", default="auto", help='a device, or a model such as "Multistart(64)"')
    verb.add_argument("--walks", type=int, help="walks of each search")
    verb.add_argument(
        "--format",
        choices=OF_RESULTS,
        default="table",
        help="form; full: all that is known (default: table)",
    )
    verb.add_argument("--out", help="write the best solution to this file")
    verb.add_argument("--quiet", action="store_true", help="write nothing to standard error")


def _count(text: str) -> int:
    """A whole number, which may be written as 1e6."""
    value = float(text)
    if not value.is_integer():
        raise ValueError(text)
    return int(text) if text.lstrip("+-").isdigit() else int(value)


def with_config(parser: argparse.ArgumentParser, given: Sequence[str]) -> list[str]:
    """The arguments, preceded by the arguments in the file that `--config` names."""
    if not given or given[0] != "solve":
        return list(given)
    finder = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    finder.add_argument("--config")
    finder.add_argument("--trust", action="store_true")
    found = finder.parse_known_args(given[1:])[0]
    if found.config is None:
        return list(given)
    from metaheur.errors import InputError

    try:
        table = read_toml(found.config)
        _require_trusted(found.config, table, found.trust)
        return ["solve", *_arguments(table), *given[1:]]
    except InputError as error:
        print(f"metaheur solve: {error}", file=sys.stderr)
        raise SystemExit(1) from None


def _require_trusted(path: str, table: dict[str, Any], trust: bool) -> None:
    """Refuse a file that names an object of Python or a file to write, unless it is trusted."""
    from metaheur.door.named import OBJECT, require_trusted

    instance = str(table.get("instance"))
    if OBJECT.fullmatch(instance) and not Path(instance).exists():
        require_trusted(path, f"names the object {instance}", trust)
    for name in _WRITTEN:
        if name in table:
            require_trusted(path, f"names the file {table[name]} to write", trust)


def _arguments(table: dict[str, Any]) -> Iterator[str]:
    """A table of TOML as arguments."""
    for name, value in table.items():
        if name == "instance":
            yield str(value)
        elif value is True:
            yield f"--{name}"
        elif value is not False:
            yield f"--{name}={value}"


_WRITTEN = ("save", "out", "dump")
"""Arguments that name a file which is written."""

_SAID = ("config", "dump", "trust", "run", "verb", "debug", "version", "format", "out", "quiet")
"""Arguments that do not define a run."""


def _chosen_settings(chosen: argparse.Namespace) -> dict[str, Any]:
    """The definition of a run: the arguments that are not at their defaults."""
    defaults = {"seed": None, "parallel": "auto", "construct": False}
    return {
        name: value
        for name, value in vars(chosen).items()
        if name not in _SAID and value is not None and value != defaults.get(name)
    }


def _line(chosen: argparse.Namespace, **instead: Any) -> str:
    """The line of shell that repeats a run, with other limits."""
    table = {**_chosen_settings(chosen), **instead}
    table = {name: value for name, value in table.items() if value is not None}
    instance = table.pop("instance")
    return shlex.join(["metaheur", "solve", instance, *(_flat(table))])


def _flat(table: dict[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        yield f"--{name}"
        if value is not True:
            yield str(value)


def _solve(chosen: argparse.Namespace) -> int:
    from attrs import evolve

    from metaheur.errors import InputError

    if chosen.instance is None:
        raise InputError("There is no instance.", "write metaheur solve FILE, or name it in the file of --config.")
    if chosen.dump:
        write_toml(chosen.dump, _chosen_settings(chosen))
        return 0
    require_writable(out=chosen.out, save=chosen.save)
    if chosen.search:
        return _one_search(chosen)
    for name in ("iterations", "construct", "start", "save"):
        if getattr(chosen, name):
            raise InputError(f"`--{name}` needs `--search`, which is missing.", 'add --search "TabuSearch(Swap())".')
    from metaheur.door.solve import solve

    problem = problem_for(chosen)
    result = solve(
        problem,
        seconds=chosen.seconds,
        work=chosen.work,
        seed=chosen.seed,
        parallel=model_for(chosen, problem),
        target=chosen.target,
        report=not chosen.quiet,
    )
    race = result.race
    assert race is not None
    given = _line(chosen, **dict.fromkeys(("work", "seconds", "seed", "target", "parallel", "walks")))
    by_hand = f"{given} {race.options}" if race.options else ""
    again = by_hand if by_hand and chosen.work is None else _line(chosen)
    python = _with_problem(chosen, race.python)
    return _print_and_save(
        chosen, evolve(result, race=evolve(race, shell=again, by_hand=by_hand, python=python)), again, problem
    )


def _with_problem(chosen: argparse.Namespace, python: str) -> str:
    """Lines of Python in which the problem is the one that the arguments name."""
    from metaheur.command.loading import named, options_of_file

    if named(chosen):
        module, _, name = chosen.instance.partition(":")
        made = f"problem = {name}() if callable({name}) else {name}"
        line = f"from {module} import {name}"
    else:
        options = "".join(f", {key}={value!r}" for key, value in options_of_file(chosen).items())
        made, line = (
            f"problem = problem_from_file({chosen.instance!r}{options})",
            "from metaheur.problems import problem_from_file",
        )
    imports, _, rest = python.partition("\n\n")
    return "\n".join([*sorted([*imports.splitlines(), line]), "", rest.replace("problem = ...  # yours", made, 1)])


def _print_and_save(chosen: argparse.Namespace, result: Any, again: str, problem: Problem) -> int:
    """Print a result, save its solution, and say how to repeat it."""
    write_result(result, chosen.format, chosen.out, problem)
    if not chosen.quiet and (result.race is None or chosen.format in ("json", "csv")):  # tables of races have it
        print(f"again: {again}", file=sys.stderr)
    for failure in result.failures:
        print(f"failed: {failure}", file=sys.stderr)
    return 130 if result.stopped_by == "interrupt" else 0


def _stop(chosen: argparse.Namespace) -> Any:
    """The criterion of a search: the first of its limits, or ten seconds if it has none."""
    from metaheur import stop

    found = [
        made(value)
        for made, value in (
            (stop.iterations, chosen.iterations),
            (stop.evaluations, chosen.work),
            (stop.seconds, chosen.seconds),
        )
        if value is not None
    ] or [stop.seconds(10)]
    if chosen.target is not None:
        found.append(stop.target(chosen.target))
    criterion = found[0]
    for each in found[1:]:
        criterion = criterion | each
    return criterion


def _watchers(chosen: argparse.Namespace, path: str | None) -> list[Any]:
    from metaheur.watch import Checkpoint
    from metaheur.watch.progress import Progress

    return [*([] if chosen.quiet else [Progress()]), *([Checkpoint(path)] if path else [])]


def _searched(text: str, problem: Any) -> Recommendation:
    """The search that an expression makes, with its start and model where the problem recommends it."""
    from metaheur.door.expression import read
    from metaheur.errors import InputError
    from metaheur.search import Search
    from metaheur.searches.recommendation import Recommendation

    match read(text, problem):
        case Search() as search:
            return Recommendation(text, search, walks=1)
        case (Recommendation() as recommended, *_):
            return recommended
    raise InputError(
        f"`--search` must be a search, but is {text}.", 'write "TabuSearch(Swap())" or "problem.recommended()".'
    )


def _model(chosen: argparse.Namespace, problem: Any, searched: Recommendation) -> Any:
    """The model that the arguments name, or else the model with which the problem recommends the search."""
    if chosen.parallel != "auto" or chosen.walks is not None or (searched.parallel is None and searched.walks == 1):
        return model_for(chosen, problem)
    from metaheur.parallel import Auto

    return searched.parallel or Auto(searched.walks)


def _begun(chosen: argparse.Namespace) -> tuple[Any, Any]:
    """The problem, and the start that the arguments name; None where they name none."""
    from metaheur.errors import InputError
    from metaheur.problems.solutions import solution_from_file

    problem = problem_for(chosen)
    if chosen.start is None:
        return problem, "construct" if chosen.construct else None
    if chosen.construct:
        raise InputError("`--construct` and `--start` name two starts.", "leave one of them out.")
    if _MADE.fullmatch(chosen.start):
        from metaheur.door.expression import read

        return problem, read(chosen.start, problem)
    problem, _, start = solution_from_file(chosen.start, problem)
    return problem, start


def _one_search(chosen: argparse.Namespace) -> int:
    from metaheur.door.run import run

    problem, start = _begun(chosen)
    searched = _searched(chosen.search, problem)
    model = _model(chosen, problem, searched)
    if chosen.save:
        write_toml(chosen.save + SAVED, _chosen_settings(chosen))
    result = run(
        searched.search,
        problem,
        stop=_stop(chosen),
        seed=chosen.seed,
        start=searched.start if start is None else start,
        parallel=model,
        watch=_watchers(chosen, chosen.save),
    )
    if chosen.save and not chosen.quiet:
        print(f"checkpoint: {chosen.save}", file=sys.stderr)
    again = _line(chosen, iterations=max(1, result.iterations), seconds=None, save=None)
    return _print_and_save(chosen, result, again, problem)


def _resume(chosen: argparse.Namespace) -> int:
    from metaheur.door.resume import resume
    from metaheur.errors import InputError
    from metaheur.problems.formats.files import read_bytes

    beside = Path(chosen.checkpoint + SAVED)
    if not Path(chosen.checkpoint).exists():
        read_bytes(chosen.checkpoint)  # which says so, and what may be meant
    require_writable(out=chosen.out)
    if not beside.exists():
        raise InputError(
            f"{beside}, which names the run of {chosen.checkpoint}, does not exist.",
            "it was moved; or Python wrote the checkpoint: then call metaheur.resume.",
        )
    table = read_toml(str(beside))
    _require_trusted(str(beside), {"instance": table.get("instance")}, chosen.trust)
    missing = dict.fromkeys(("layout", "number", "k", "objectives", "levels", "search", "start"))
    saved = argparse.Namespace(**{**missing, "construct": False, **table})
    problem, _ = _begun(saved)
    searched = _searched(str(saved.search), problem)
    result = resume(
        chosen.checkpoint,
        searched.search,
        problem,
        stop=_stop(chosen),
        parallel=_same_walks(chosen, saved, problem, searched),
        watch=_watchers(chosen, chosen.checkpoint),
    )
    again = f"metaheur resume {shlex.quote(chosen.checkpoint)} --iterations {result.iterations}"
    return _print_and_save(chosen, result, again, problem)


def _same_walks(chosen: argparse.Namespace, saved: argparse.Namespace, problem: Any, searched: Recommendation) -> Any:
    """The model of a resumed run: the model of the saved run, unless another model is named."""
    told = chosen.parallel != "auto" or chosen.walks is not None
    named = chosen if told else argparse.Namespace(**{"parallel": "auto", "walks": None, **vars(saved)})
    return _model(named, problem, searched)
