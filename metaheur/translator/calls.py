"""Calls of compiled methods by evaluators and searches: with one move or many moves, one value or many values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metaheur.marker import Compiled, compiled_members
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood, numbered
from metaheur.part import Part, zeros
from metaheur.problem import Problem
from metaheur.representation import Representation, Solution, places_of
from metaheur.translator.exact import KeptArrays, exact_component, exact_solution, exact_value, moves_of
from metaheur.translator.linked import has_lists
from metaheur.translator.on_grid import has_grids
from metaheur.translator.overloads import inside, overload_for, overload_or_none
from metaheur.walk import EvaluatedSolution

__all__ = ["call"]


def call(member: Compiled, instance: Any, *arguments: Any) -> Any:
    """Call a compiled method of an instance."""
    if isinstance(instance, Problem):
        return _of_problem(member, instance, *arguments)
    if isinstance(instance, Move):
        return _of_move(member, instance, *arguments)
    if isinstance(instance, Neighborhood):
        return _of_neighborhood(member, instance, *arguments)
    if isinstance(instance, Part):
        return _of_part(member, instance, *arguments)
    if isinstance(instance, Representation):
        return _of_representation(member, instance, *arguments)
    return member.overloads[0](instance, *map(exact_value, arguments))


# ---- problems


def _of_problem(member: Compiled, problem: Problem, *arguments: Any) -> Any:
    own = exact_component(problem)
    if member.name not in ("delta", "feasible") or len(arguments) != 2:
        return member.overloads[0](own, *(_exact(problem, each) for each in arguments))
    x, move = arguments
    formula = overload_or_none(member, (move,))
    if formula is None:
        return NotImplemented
    singles, many = moves_of(inside(move))
    if many and member.many is not None:
        return member.many(problem, x, move)
    items = _items(problem, x)
    given = (items, _kept(problem, items)) if formula.__code__.co_argcount == 4 else (items,)
    deltas = [formula(own, *given, single) for single in singles]
    return np.array(deltas, np.float64 if problem.cost_type == "float64" else np.int64) if many else deltas[0]


def _exact(problem: Problem, value: Any) -> Any:
    """An argument of a compiled method; a solution with parts knows their names, one of lists what follows an item."""
    space = problem.representation
    if isinstance(value, np.ndarray) and (places_of(space) or has_lists(space) or has_grids(space)):
        return _items(problem, value)
    return exact_value(value)


def _items(problem: Problem, x: Solution) -> list[int]:
    """The entries of a solution, as its space is read."""
    return exact_solution(x.tolist(), problem.representation)


def _kept(problem: Problem, items: list[int]) -> KeptArrays:
    """The arrays that the problem keeps for a solution, filled by its `init`."""
    total = np.float64 if problem.cost_type == "float64" else np.int64
    space = problem.representation
    special = {"cost": total, "total": total, "item": space.dtype}
    arrays, tables = {}, problem.tables(space)
    for name, declared in problem.state(space).items():
        like = tables.get(declared.dtype, getattr(problem, declared.dtype, None))
        dtype = like.dtype if isinstance(like, np.ndarray) else special.get(declared.dtype, declared.dtype)
        arrays[name] = np.zeros(declared.shape, dtype)
    kept = KeptArrays(arrays)
    init = compiled_members(type(problem)).get("init")
    if init is not None:
        init.overloads[0](exact_component(problem), items, kept)
    return kept


# ---- moves


def _of_move(member: Compiled, move: Move, *arguments: Any) -> Any:
    if member.name != "apply":
        return member.overloads[0](move, *map(exact_value, arguments))
    (x,) = arguments
    singles, many = moves_of(move)
    moved = [x.tolist() for _ in singles]
    for items, single in zip(moved, singles, strict=True):
        member.overloads[0](single, items)
    return np.array(moved if many else moved[0], x.dtype)


# ---- neighborhoods


def _of_neighborhood(member: Compiled, neighborhood: Neighborhood, *arguments: Any) -> Any:
    space, *rest = arguments
    if member.name == "move":
        rest = [numbered(neighborhood, space, rest[0])]
    given = [moves_of(each)[0][0] if isinstance(each, Move) else exact_value(each) for each in rest]
    return member.overloads[0](exact_component(neighborhood), space, *given)


# ---- representations


def _of_representation(member: Compiled, space: Representation, *arguments: Any) -> Any:
    own = exact_component(space)
    if member.name != "draw":
        return member.overloads[0](own, *map(exact_value, arguments))
    x, random = arguments
    items = x.tolist()
    member.overloads[0](own, items, random)
    x[:] = items
    return None


# ---- parts


def _of_part(member: Compiled, part: Part, *arguments: Any) -> Any:
    if member.name == "init" and len(arguments) == 1:
        return _begun(member, part, arguments[0])
    own, name = exact_component(part), member.name
    if name == "cross":
        return _crossed(member, own, *arguments)
    given: list[Any] = [KeptArrays(each) if isinstance(each, Mapping) else each for each in arguments]
    if name in ("expiry", "remember"):
        return _about_moves(member, own, given)
    columns = [each for each in given if isinstance(each, np.ndarray) and each.ndim]
    if not columns:
        return member.overloads[0](own, *map(exact_value, given))
    shape = np.broadcast_shapes(*(each.shape for each in columns))
    rows: list[Any] = [np.broadcast_to(each, shape).ravel().tolist() if _varies(each) else each for each in given]
    count = int(np.prod(shape))
    exact: list[Any] = [row if _varies(each) else exact_value(each) for row, each in zip(rows, given, strict=True)]
    answers = [
        member.overloads[0](own, *(row[k] if _varies(each) else row for row, each in zip(exact, given, strict=True)))
        for k in range(count)
    ]
    dtype = columns[0].dtype if name == "score" else None
    return np.array(answers, dtype if dtype is not None else _type_of(answers)).reshape(shape)


def _varies(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0


def _type_of(answers: list[Any]) -> Any:
    return bool if answers and isinstance(answers[0], bool) else None


def _begun(member: Compiled, part: Part, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
    """The arrays that a part keeps at the start of a walk: zeros, into which `init(self, kept, start)` writes."""
    arrays = zeros(part.state(start.representation), start)
    member.overloads[0](exact_component(part), KeptArrays(arrays), _Start(start))
    return arrays


class _Start:
    """The start of a walk: `start.cost` and `start.solution`."""

    def __init__(self, start: EvaluatedSolution) -> None:
        self.cost, self.solution = exact_value(np.asarray(start.cost)), start.solution.tolist()


def _crossed(member: Compiled, own: Any, x: Solution, other: Solution, random: Any) -> None:
    """Write the child into x, the first parent."""
    items = x.tolist()
    member.overloads[0](own, items, other.tolist(), random)
    x[:] = items


def _about_moves(member: Compiled, own: Any, given: list[Any]) -> Any:
    move = next(each for each in given if isinstance(each, Move))
    function = overload_for(member, (move,))
    singles, many = moves_of(move)
    fixed = [None if each is move else each.tolist() if isinstance(each, np.ndarray) else each for each in given]
    at = next(k for k, each in enumerate(given) if each is move)
    answers = [function(own, *fixed[:at], single, *fixed[at + 1 :]) for single in singles]
    return np.array(answers) if many else answers[0]
