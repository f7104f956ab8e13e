"""What follows from the cost of a problem for classes of moves: changes of cost, with tables and kept arrays."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from itertools import product
from typing import Any

from metaheur.errors import CompileError
from metaheur.marker import compiled_members
from metaheur.move import Move
from metaheur.neighborhoods import (
    FlipMove,
    InsertionMove,
    OrOptMove,
    ProductMove,
    SubstitutionMove,
    SwapMove,
    ThreeOptMove,
    TwoOptMove,
)
from metaheur.neighborhoods.on import PartMove, UnplacedPartMove
from metaheur.neighborhoods.product import UnplacedProductMove
from metaheur.problem import Problem, is_fold
from metaheur.representation import Representation, places_of
from metaheur.translator.deriving.data import DataFacts
from metaheur.translator.deriving.maker import derived, derived_of_parts
from metaheur.translator.deriving.methods import Derivation
from metaheur.translator.reading import read

__all__ = ["derivation_of", "distrusted", "leave_out", "reason_against", "way_out"]


_known: dict[int, tuple[weakref.ref[Problem], dict[tuple[type[Move], ...], Derivation]]] = {}
_distrusted: dict[int, tuple[weakref.ref[Problem], str]] = {}
_answered: dict[Any, list[tuple[dict[tuple[Any, ...], Any], Derivation | CompileError]]] = {}


def derivation_of(problem: Problem, moves: Sequence[type[Move]], *, demanded: bool = True) -> Derivation:
    """What follows from the cost of a problem for classes of moves.

    `demanded`: whether it is an error if a class that has `derives = True` gets nothing.

    Nothing follows beside a `delta` of the problem's own, for a class that has `derives = False`, or where costs are
    not whole numbers of 64 bits: floats differ in the last bit where a sum has another order, and the bounds that int32
    asks for cover the terms of a cost only.
    """
    if distrusted(problem):
        return Derivation()
    given = tuple(dict.fromkeys(moves))
    key = id(problem)
    if key not in _known or _known[key][0]() is not problem:
        _known[key] = (weakref.ref(problem, lambda _: _known.pop(key, None)), {})
    found = _known[key][1]
    if given not in found:
        found[given] = _derivation(problem, given)
    names = {each.__name__ for each in given}
    refusals = [error for name, error in found[given].refusals if name in names]
    if demanded and type(problem).derives and refusals:
        raise refusals[0]
    return found[given]


def _of_parts(problem: Problem, moves: tuple[type[Move], ...]) -> Derivation:
    """What follows for the usual moves of each part of solutions."""
    space, members = problem.representation, compiled_members(type(problem))
    cost = members["cost"].overloads[0]
    if not any(issubclass(move, PartMove | ProductMove) for move in moves):
        return Derivation()
    blocks = any(issubclass(each, UnplacedPartMove | UnplacedProductMove) for each in moves)
    pairs = {
        frozenset(pair)
        for each in moves
        if issubclass(each, ProductMove)
        for pair in product(*([(part, kind) for kind in kinds] for part, kinds in each.parts))
    }
    kinds = {name: _usual(part, blocks=blocks) for name, part in space.parts.items()}  # type: ignore[attr-defined]
    try:
        return derived_of_parts(cost, problem, members, kinds, pairs=pairs)
    except CompileError as error:
        return Derivation(refusals=(("PartMove", error),))


def _usual(space: Representation, *, blocks: bool) -> tuple[type[Move], ...]:
    """The classes of moves that a part of solutions usually has; `blocks`: those of segments and blocks, too."""
    if space.arranges:
        return SwapMove, InsertionMove, TwoOptMove, *((OrOptMove, ThreeOptMove) if blocks else ())
    return (SwapMove, FlipMove) if space.values == 2 else (SwapMove, SubstitutionMove)


def distrusted(problem: Problem) -> str:
    """Why nothing is derived from the cost of a problem any more; "" where nothing was found to be wrong."""
    owner, why = _distrusted.get(id(problem), (lambda: None, ""))
    return why if owner() is problem else ""


def leave_out(problem: Problem, why: str) -> None:
    """Derive nothing more from the cost of a problem."""
    key = id(problem)
    _distrusted[key] = weakref.ref(problem, lambda _: _distrusted.pop(key, None)), why


def reason_against(problem: Problem) -> str | None:
    """Why nothing is derived from any cost; "" where a method is written, or none is wanted; None if it may be."""
    kind, members = type(problem), compiled_members(type(problem))
    if kind.derives is False or "cost" not in members or is_fold(kind) or "delta" in members:
        return ""
    return next((reason for reason, (holds, _) in _reasons(problem).items() if holds), None)


def way_out(problem: Problem) -> str:
    """What to do where there is a reason against all derivations."""
    return next((way for holds, way in _reasons(problem).values() if holds), "")


def _reasons(problem: Problem) -> dict[str, tuple[bool, str]]:
    """Reasons against all derivations: whether they hold, and what to do then."""
    return {
        distrusted(problem): (bool(distrusted(problem)), "report it, and write delta until it is mended."),
        "it has a delta in Python": (type(problem).delta is not Problem.delta, "leave it out, or compile it."),
        "it has several objectives": (
            bool(problem.objectives),
            "make a problem of each, and join them by MultiObjective: changes of each are derived. Or write delta, "
            "which returns a change for each objective; or one weighted sum of them, or levels.",
        ),
        "its costs are floats, whose sum in another order is another number": (
            problem.cost_type == "float64",
            "count in whole numbers, such as thousandths, and leave cost_type out; or write delta.",
        ),
        "its changes of cost are int32, which is proven for the terms of the cost alone": (
            problem.cost_type == "int32",
            "leave cost_type out; or write delta.",
        ),
    }


def _derivation(problem: Problem, moves: tuple[type[Move], ...]) -> Derivation:
    kind, members = type(problem), compiled_members(type(problem))
    reason = reason_against(problem)
    if reason is not None:
        if reason and kind.derives:
            raise CompileError(
                f"{kind.__name__} has derives = True, but {reason}.", f"leave derives out; or {way_out(problem)}"
            )
        return Derivation()
    cost, space = members["cost"].overloads[0], problem.representation
    if places_of(space):
        return _of_parts(problem, moves)
    place = cost, moves, type(space), space.arranges and space.cyclic
    data = DataFacts(problem)
    for answers, known in _answered.get(place, ()):
        if all(data.ask(*question) == answer for question, answer in answers.items()):
            found: Derivation | CompileError = known
            break
    else:
        data = DataFacts(problem)
        try:
            found = derived(cost, moves, members=members, data=data, space=space)
        except CompileError as error:
            found = error
        except Exception as error:  # deriving is optional: its own faults are told, and stop no run
            fault = f"deriving failed with {type(error).__name__}: {error}, a fault of metaheur"
            found = read(cost).refusal(read(cost).tree, f"{fault}.", "write delta by hand.")
        _answered.setdefault(place, []).append((data.answers, found))
    if isinstance(found, CompileError):
        return Derivation(refusals=tuple((each.__name__, found) for each in moves))
    return found
