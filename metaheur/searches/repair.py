"""Feasible solutions to start from, where a problem has hard constraints: constructed, or repaired random ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Final, final

from attrs import frozen

from metaheur.device.halves import reads
from metaheur.errors import CompileError, DeviceError, InputError
from metaheur.evaluators.costs import asked
from metaheur.evaluators.evaluator import Evaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.marker import compiled_members
from metaheur.problem import Constructs, CountsViolations, Problem
from metaheur.random import START, Key, Random
from metaheur.representation import Representation, Solution
from metaheur.source import Source
from metaheur.walk import EvaluatedSolution

__all__ = ["evaluator_of_violations", "feasible_start", "require_feasible"]

TRIALS: Final = 100_000
"""The most moves that a repair tries."""

REMEMBERED: Final = 50
"""A move of a repair is made if it leads to fewer violations than there were so many moves ago, or to as many."""


class Repair(Problem):
    """The violations of another problem's solutions, as a cost."""

    problem: Problem

    @property
    def representation(self) -> Representation:
        return self.problem.representation

    def cost(self, x: Solution) -> Any:
        return asked(self.problem, "violations", x)


@final
@frozen(eq=False)
class PythonRepair(Repair):
    """By the Python half alone."""

    problem: Problem


@final
@frozen(eq=False)
class CompiledRepair(Repair):
    """By the compiled `violations` of the problem."""

    problem: Problem

    keeps_parts: ClassVar[bool] = False
    source: ClassVar[Source] = Source(
        """struct CompiledRepair : CompiledRepairData {
    MH_FN Total cost(Team team, const Item* x) const { return problem_0.violations(team, x); }
};""",
        "generated/repair.cuh",
    )

    @property
    def parts(self) -> tuple[Problem, ...]:
        """The problem."""
        return (self.problem,)


def feasible_start(problem: Problem, key: Key, evaluator: Callable[[], Evaluator] | None = None) -> Solution:
    """A feasible solution, by `construct`, or by a repair of a random one: random moves, accepted late.

    It is the same on every device. An evaluator of violations serves several walks.
    """
    space, random = problem.representation, Random(key, START, 0)
    if isinstance(problem, Constructs):
        x = space.validate(problem.construct(random))
        require_feasible(problem, x, f"{type(problem).__name__}.construct makes {x}")
        return x
    if not isinstance(problem, CountsViolations):
        raise InputError(
            f"{type(problem).__name__} has hard constraints (`feasible`), but does not say where a walk may begin.",
            "write construct(random), or violations(x), which is 0 for feasible solutions; or give run a start=.",
        )
    return _repaired(problem, key, random, (evaluator or evaluator_of_violations(problem))())


def require_feasible(problem: Problem, x: Solution, what: str) -> None:
    """Refuse a solution that the problem counts violations of; `what` says what it is, in the message."""
    found = asked(problem, "violations", x) if isinstance(problem, CountsViolations) else 0
    if found:
        raise InputError(f"{what}, which is not feasible: violations are {found}.", "repair it before.")


def _repaired(problem: Problem, key: Key, random: Random, evaluate: Evaluator) -> Solution:
    from metaheur.searches.usual import usual_neighborhoods

    space = problem.representation
    usual = usual_neighborhoods(space)
    if not usual:
        raise InputError(f"No moves are known that repair {space!r}.", "write `construct`, or give run a start=.")
    neighborhood = usual[0]
    x = space.random(random)
    solution = EvaluatedSolution(space, x, evaluate.cost(x))
    moves, before = evaluate.of(neighborhood), [solution.cost] * REMEMBERED
    least, trial, draws = solution.cost, 0, Random(key, START, 1)
    while solution.cost and trial < TRIALS and moves.size:
        k = draws.index(trial, moves.size)
        delta = moves.delta(solution, k)
        if delta is not None and (delta <= 0 or solution.cost + delta <= before[trial % REMEMBERED]):
            solution = solution.moved(neighborhood, k, delta)
        before[trial % REMEMBERED], least, trial = solution.cost, min(least, solution.cost), trial + 1
    if solution.cost:
        raise InputError(
            f"No feasible start of this {type(problem).__name__} was found: {trial:,} moves of {neighborhood!r} led to "
            f"{least} violations at the least.",
            "write construct(random), or give run a start=.",
        )
    return space.validate(solution.solution)


def evaluator_of_violations(problem: Problem) -> Callable[[], Evaluator]:
    """Makes the evaluator of a problem's violations at the first call, and returns the same one from then on."""
    return cache(lambda: _evaluator(problem))


def _evaluator(problem: Problem) -> Evaluator:
    """Evaluates violations: by compiled code where `violations` is compiled and there is a compiler."""
    if reads(problem) and "violations" in compiled_members(type(problem)):
        from metaheur.device.names import device_of
        from metaheur.evaluators.device import DeviceEvaluator

        try:
            return DeviceEvaluator(CompiledRepair(problem), device_of("host"))
        except (CompileError, DeviceError):
            pass  # the Python half says the same
    return NumpyEvaluator(PythonRepair(problem))
