"""Costs that are folds: a problem defines the state at the start, the change by each item, and the cost at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from metaheur.errors import CompileError, InputError
from metaheur.fields import is_word
from metaheur.marker import compiled_members
from metaheur.problem import Problem, level_names
from metaheur.representation import Solution
from metaheur.translator.exact import exact_component

__all__ = ["FoldState", "folded", "numbers", "start_of"]

_WAY = 'write return {"load": 0, "ends": [0] * self.m}: names, and whole numbers or lists of them.'


@final
class FoldState:
    """The state of a fold in Python, as `s.name`: numbers and lists, whose names `start` gives."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update({name: list(each) if isinstance(each, list) else each for name, each in values.items()})

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__:
            raise AttributeError(f"start makes no {name!r}, but {', '.join(self.__dict__)}")
        self.__dict__[name] = value

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"start makes no {name!r}, but {', '.join(self.__dict__)}")


def start_of(problem: Problem) -> dict[str, Any]:
    """The state at the start: a number, or a list of numbers, by name.

    Raises CompileError if the problem lacks one of `start`, `step` and `finish`, or `start` returns something else.
    """
    members, kind = compiled_members(type(problem)), type(problem).__name__
    missing = [name for name in ("start", "step", "finish") if name not in members]
    if missing:
        raise CompileError(
            f"{kind} has a compiled step and no cost, but no compiled {' and no compiled '.join(missing)}.",
            f"write @compiled def {missing[0]}(self{', s' if missing[0] == 'finish' else ''}), or a cost.",
        )
    if problem.objectives or level_names(problem):
        several = "several objectives" if problem.objectives else "levels"
        raise CompileError(f"{kind} has {several}, but a fold has one cost.", "write cost(self, x).")
    found = members["start"].overloads[0](exact_component(problem))
    if not isinstance(found, dict) or not found:
        raise CompileError(f"start of {kind} must return a dict of names, but returned {found!r}.", _WAY)
    for name, value in found.items():
        _require(problem, name, value)
    return found


def _require(problem: Problem, name: Any, value: Any) -> None:
    """Refuse a part of a state that C++ cannot hold."""
    where = f"start of {type(problem).__name__}: {name!r}"
    if not isinstance(name, str) or not is_word(name):
        raise CompileError(f"{where} is a name that the C++ half cannot use.", "give it another name.")
    if isinstance(value, list) and not value:
        raise CompileError(f"{where} is an empty list, but lists keep their length.", _WAY)
    floating = problem.cost_type == "float64"
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, bool) or not isinstance(each, int | float):
            raise CompileError(f"{where} must be a number or a list of numbers, but is {value!r}.", _WAY)
        if isinstance(each, float) and not floating:
            raise CompileError(
                f"{where} is a float, {each!r}, but costs are whole numbers, which are exact.",
                'start with a whole number, or write cost_type = "float64" in the class.',
            )
        if isinstance(each, int) and floating:
            raise CompileError(
                f"{where} is a whole number, {each!r}, but costs are floats, and so are all numbers of the state.",
                f"write {float(each)!r}.",
            )
        if isinstance(each, int) and abs(each) >= (2**31 if problem.cost_type == "int32" else 2**63):
            raise CompileError(f"{where} is {each!r}, which {problem.cost_type} does not hold.", "use smaller numbers.")


def folded(problem: Problem, x: Solution) -> Any:
    """The cost of a solution: all items one after the other, on Python's own numbers."""
    own, members = exact_component(problem), compiled_members(type(problem))
    state = FoldState(start_of(problem))
    lengths = {name: len(value) for name, value in vars(state).items() if isinstance(value, list)}
    step, finish = (members[name].overloads[0] for name in ("step", "finish"))
    takes_previous, takes_last = step.__code__.co_argcount == 4, finish.__code__.co_argcount == 3
    previous = -1
    for item in x.tolist():
        found = step(own, state, item, previous) if takes_previous else step(own, state, item)
        if found is not None:
            raise InputError(
                f"step of {type(problem).__name__} returned {found!r}, but changes the state that it is given.",
                "assign to s.name, and return nothing.",
            )
        previous = item
    for name, length in lengths.items():
        now = getattr(state, name)
        if not isinstance(now, list) or len(now) != length:
            raise InputError(
                f"step of {type(problem).__name__} made {name} of the state {now!r}, but start makes {length} entries.",
                f"write the entries, s.{name}[k] = ...",
            )
    return finish(own, state, previous) if takes_last else finish(own, state)


def numbers(start: Mapping[str, Any]) -> list[Any]:
    """All numbers of a state, lists entry by entry."""
    return [each for value in start.values() for each in (value if isinstance(value, list) else [value])]
