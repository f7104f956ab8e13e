"""A problem whose costs are answered by a function: known ones, guesses, or what workers find."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import define

from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.evaluators.whole import WholeEvaluator
from metaheur.machine.pace import NEVER, Alarm
from metaheur.problem import Problem, levels_of
from metaheur.random import Random
from metaheur.representation import Representation, Solution

if TYPE_CHECKING:
    from metaheur.device.device import Device
    from metaheur.neighborhood import Neighborhood

__all__ = ["Answer", "FirstOf", "answered", "drawn_once", "evaluator_of", "key_of"]

DRAWN = 512
"""How many random solutions are kept: twice as many as steps that foresight goes ahead."""

Answer = Callable[[np.ndarray], list[Any]]
"""A function of solutions, a row each; it returns their costs, each as `metaheur.evaluators.costs.python_cost` does."""


def key_of(x: np.ndarray) -> bytes:
    """The name of a solution in tables and files: 16 bytes that depend on its entries alone."""
    return hashlib.blake2b(x.tobytes(), digest_size=16).digest()


FirstOf = Callable[[np.ndarray], int]
"""A function of solutions, a row each, that are evaluated at the same time; it returns the row that arrives first."""


MadeAhead = Callable[[Any, Any], Any]
"""A function of what a walk keeps, and of the walk: the solution of the next step, or None; see `Litters`."""


def answered(
    problem: Problem,
    answer: Answer,
    first_of: FirstOf | None = None,
    at_work: Callable[[], str] | None = None,
    made_ahead: MadeAhead | None = None,
) -> Problem:
    """A problem like another one, except that a function answers all costs.

    `first_of`: says which of several solutions arrives first. `at_work`: says who works at what. `made_ahead`:
    the solution of the next step, where it has been made.

    Its class is a subclass of the problem's class, under the same name, so that messages, results and checkpoints are
    those of the problem; it has no formulas for changes of cost.
    """
    other: Problem = _twin(problem, _kind(type(problem)))
    object.__setattr__(other, "_answer", answer)
    for name, value in (("first_of", first_of), ("at_work", at_work), ("made_ahead", made_ahead)):
        if value is not None:
            object.__setattr__(other, name, value)
    return other


@final
@define(eq=False)
class _Answers:
    """An evaluator of solutions whose costs are answered: single ones need no check, since the answers have had it."""

    problem: Any
    alarm: Alarm
    whole: NumpyEvaluator

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.whole.native_devices

    def cost(self, x: Solution) -> Any:
        return self.problem._answer(x[None])[0]

    def costs(self, xs: np.ndarray) -> np.ndarray:
        return self.whole.costs(xs)


def evaluator_of(problem: Problem, neighborhood: Neighborhood | None = None, alarm: Alarm = NEVER) -> WholeEvaluator:
    """An evaluator of a problem that `answered` has made."""
    return WholeEvaluator(_Answers(problem, alarm, NumpyEvaluator(problem, alarm=alarm)), neighborhood)


def drawn_once(space: Representation) -> Representation:
    """A representation like another one, except that it keeps the random solutions that were drawn lately.

    A walk and the copies of it that go ahead draw the same ones.
    """
    other: Representation = _twin(space, _keeping(type(space)))
    object.__setattr__(other, "drawn", {})
    return other


def _twin(value: Any, kind: type[Any]) -> Any:
    """An object with the fields of another one, of a subclass of its class."""
    other = object.__new__(kind)
    for each in type(value).__mro__:
        slots = vars(each).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name != "__weakref__" and hasattr(value, name):
                object.__setattr__(other, name, getattr(value, name))
    for name, of_value in getattr(value, "__dict__", {}).items():
        object.__setattr__(other, name, of_value)
    return other


@cache
def _keeping(kind: type[Representation]) -> type[Representation]:
    """The subclass of a class of representations that draws each random solution once."""

    def random(self: Any, random: Random) -> Solution:
        place = random.key.walk, random.stream, random.iteration
        x = self.drawn.get(place)
        if x is None:
            if len(self.drawn) >= DRAWN:
                del self.drawn[next(iter(self.drawn))]
            x = self.drawn[place] = kind.random(self, random)
        return np.array(x)

    members = {"__module__": kind.__module__, "__qualname__": kind.__qualname__, "__doc__": kind.__doc__}
    return type(kind.__name__, (kind,), {**members, "__slots__": ("drawn",), "random": random})


@cache
def _kind(kind: type[Problem]) -> type[Problem]:
    """The subclass of a class of problems whose costs are answered."""

    def cost(self: Any, x: np.ndarray) -> Any:
        return _as_returned(self, self._answer(np.asarray(x)[None]))[0]

    def costs(self: Any, xs: np.ndarray) -> np.ndarray:
        dtype = np.float64 if self.cost_type == "float64" else np.int64
        found = np.array(_as_returned(self, self._answer(np.asarray(xs))), dtype)
        width = len(self.objectives) or len(getattr(self, "levels", ()))
        return found.reshape(len(xs), width) if width else found

    members = {
        "__module__": kind.__module__,
        "__qualname__": kind.__qualname__,
        "__doc__": kind.__doc__,
        "__slots__": ("_answer", "first_of", "at_work", "made_ahead"),
        "cost": cost,
        "costs": costs,
        "delta": Problem.delta,
    }
    return type(kind.__name__, (kind,), members)


def _as_returned(problem: Problem, costs: list[Any]) -> list[Any]:
    """Costs as `Problem.cost` returns them: with their levels."""
    levels = levels_of(problem)
    return costs if levels is None else [levels.unpacked(cost) for cost in costs]
