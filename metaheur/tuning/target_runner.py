"""A target runner: answers each line, which has a configuration, an instance and a seed, with a cost."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from typing import Any, final

from attrs import define, field

from metaheur.errors import InputError
from metaheur.machine.files import from_json
from metaheur.problem import Problem
from metaheur.running.runner import ParallelModel
from metaheur.tuning.measure import measured, require_one_objective
from metaheur.tuning.space import Space

__all__ = ["TargetRunner"]


@final
@define(eq=False)
class TargetRunner:
    """Makes the runs that a tuner asks for; each instance is read once.

    A line is a JSON object, ``{"configuration": {"tenure.low": 0.5}, "instance": "tai30a.dat", "seed": 1}``, or what
    irace tells its target runner: number of the configuration, number of the instance, seed, instance, and the
    parameters, such as ``1 1 42 tai30a.dat --tenure.low 0.5``.

    `space_of`: the space for a problem. `problem_of`: the problem that a text names. `each`: the work of a run.
    `parallel`: as for `run`.
    """

    space_of: Callable[[Problem], Space]
    problem_of: Callable[[str], Problem]
    each: int
    parallel: ParallelModel | str = "auto"
    known: dict[str, tuple[Problem, Space]] = field(factory=dict, init=False)

    def answer(self, line: str) -> float:
        """The cost, lower is better; infinite if values of the configuration do not fit together."""
        values, instance, seed = _read(line)
        if instance not in self.known:
            problem = self.problem_of(instance)
            require_one_objective(problem)
            self.known[instance] = problem, self.space_of(problem)
        problem, space = self.known[instance]
        configuration = space.read(values)
        try:
            search = space.make(configuration)
        except InputError:
            return math.inf
        return measured(search, problem, seeds=[seed], each=self.each, parallel=self.parallel)[0].cost


def _read(line: str) -> tuple[dict[str, Any], str, int]:
    """The values, the instance and the seed of a line."""
    try:
        if line.lstrip().startswith("{"):
            told = from_json(line)
            return dict(told["configuration"]), str(told["instance"]), int(told["seed"]) % 2**32
        words = shlex.split(line)
        seed, instance = int(words[2]) % 2**32, words[3]
        begin = next((i for i, each in enumerate(words) if i > 3 and each.startswith("--")), len(words))
        names, values = words[begin::2], words[begin + 1 :: 2]
        if len(names) == len(values) and all(each.startswith("--") for each in names):
            return {name[2:]: value for name, value in zip(names, values, strict=True)}, instance, seed
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        pass
    raise InputError(
        f"The target runner does not understand {line.strip()!r}.",
        'write {"configuration": {"tenure.low": 0.5}, "instance": "tai30a.dat", "seed": 1}.',
    )
