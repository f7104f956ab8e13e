"""Notes for a reader: the methods that are derived from a cost, or why there are none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from metaheur.marker import compiled_members
from metaheur.move import Move
from metaheur.neighborhoods import FlipMove, SubstitutionMove, SwapMove
from metaheur.neighborhoods.on import PartMove
from metaheur.problem import Problem, is_fold
from metaheur.representation import Representation, places_of
from metaheur.translator.deriving.derived import derivation_of, reason_against, way_out
from metaheur.translator.deriving.folding import fold_of
from metaheur.translator.reading import read
from metaheur.translator.segments import walks

__all__ = ["notes_on", "sentences_on", "usual_moves"]


def usual_moves(space: Representation) -> tuple[type[Move], ...]:
    """The classes of moves that are usual for a representation."""
    if places_of(space):
        return (PartMove,)
    if space.arranges:
        return (SwapMove,)
    return (SwapMove, SubstitutionMove, FlipMove) if space.values == 2 else (SwapMove, SubstitutionMove)


def sentences_on(problem: Problem, moves: Sequence[type[Move]]) -> Iterator[str]:
    """How changes of cost come about, in a sentence for each class of moves; none where they are written by hand."""
    reason = reason_against(problem)
    if reason == "":
        return
    fold = fold_of(problem, moves)
    if fold is not None:
        how = "as from a fold" if is_fold(type(fold)) else "list by list"
        yield f"The change of cost is derived from the cost, {how}."
        return
    if reason is not None:
        yield f"Moves are evaluated in full: {reason}."
        return
    found = derivation_of(problem, moves)
    for each in found.methods:
        if each.work and each.move is not None:
            kept = f", beside {len(found.kept)} kept arrays" if found.kept else ""
            yield f"The change of cost of {each.of} is derived from the cost: {each.work}{kept}."
    for name, error in found.refusals:
        if places_of(problem.representation) or any(name == each.__name__ for each in moves):
            yield f"{name} is evaluated in full: {error.reason}"


def _notes_on_fold(fold: Problem) -> Iterator[str]:
    """Lines that show the methods of a cost that goes from item to item."""
    yield f"Derived from cost, {'a fold' if is_fold(type(fold)) else 'list by list'}:"
    for member in compiled_members(type(fold)).values():
        yield from ast.unparse(read(member.overloads[0]).tree).splitlines()
    if is_fold(type(fold)):
        yield "It pays where whole neighborhoods are evaluated, as in tabu search; annealing tries one move at a time."
    elif walks(type(fold)):
        yield "A list is gone through again from the first changed place on."
    else:
        yield "Segments of lists are joined: a move takes O(1), and O(length) where it turns one around."


def notes_on(problem: Problem, moves: Sequence[type[Move]]) -> Iterator[str]:
    """Lines that show the derived methods, or say why there are none; nothing beside a `delta` of the problem's own."""
    reason, fold = reason_against(problem), fold_of(problem, moves)
    if fold is not None:
        yield from _notes_on_fold(fold)
        return
    if reason is not None:
        if reason:
            yield f"No change of cost is derived: {reason}. Maybe {way_out(problem)}"
        return
    found = derivation_of(problem, moves)
    for array in found.kept:
        yield f"Kept beside a solution: {array.name}, of {' x '.join(array.sizes)} entries."
    if found.kept:
        yield "What is kept pays where far more moves are evaluated than made, as in most searches."
    for table in found.tables:
        for rows, columns in table.sources:
            shown = f"; {', '.join(f'c{k} is {each}' for k, each in enumerate(columns))}" if columns else ""
            yield f"Table {table.name}: for each position, the rows where {rows.key} is this position{shown}."
    for each in found.methods:
        of = f", for {each.of}" if each.of else ""
        yield f"Derived from cost{of}{f', {each.work} a move' if each.work else ''}:"
        yield from each.source.splitlines()
    for name, error in found.refusals:
        yield f"No delta for {name}: {error.reason} Maybe {error.maybe}"
