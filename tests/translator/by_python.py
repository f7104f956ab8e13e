"""Derived methods as Python runs them, beside full evaluations of the cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from metaheur import Problem
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import On, Product
from metaheur.random import START, Key, Random
from metaheur.translator.deriving.derived import derivation_of
from metaheur.translator.deriving.methods import Derivation
from metaheur.translator.exact import KeptArrays, exact_component, exact_solution, exact_value
from metaheur.translator.overloads import inside


class WithTables:
    """A problem as its compiled methods see it, with the tables of a derivation."""

    def __init__(self, problem: Problem, derivation: Derivation) -> None:
        self.own, self.tables = exact_component(problem), derivation.arrays(problem)

    def __getattr__(self, name: str) -> Any:
        return exact_value(self.tables[name]) if name in self.tables else getattr(self.own, name)


def wrong(problem: Problem, neighborhood: Neighborhood, *, starts: int = 2) -> list[str]:
    """Moves whose derived change of cost is not the difference of two costs, and kept arrays that are not filled so."""
    (kind,) = neighborhood.move_types
    part = neighborhood.part if isinstance(neighborhood, On) else ""
    own_kind = neighborhood.neighborhood.move_types[0] if isinstance(neighborhood, On) else kind
    found, derivation, space = [], derivation_of(problem, [kind]), problem.representation
    several = getattr(neighborhood, "radius", 1) > 1
    methods = {
        each.name: each.text.function
        for each in derivation.methods
        if each.name == "init"
        or (each.beside is None and each.several == several and each.part == part and each.move is own_kind)
    }
    if "delta" not in methods:
        raise derivation.refusals[-1][1]
    own, arrays = WithTables(problem, derivation), derivation.state(problem)

    def filled(x: list[int]) -> Any:
        kept = {name: np.full(each.shape, 7, np.int64) for name, each in arrays.items()}
        if "init" in methods:
            methods["init"](own, x, KeptArrays(kept))
        return kept

    for seed in range(starts):
        x = space.random(Random(Key(seed, 0), START, 0))
        items, cost = exact_solution(x.tolist(), space), problem.cost(x)
        kept = filled(items)
        for move in neighborhood.moves(space):
            after = move.apply(x)
            given = (KeptArrays(kept),) if methods["delta"].__code__.co_argcount == 4 else ()
            change, expected = methods["delta"](own, items, *given, inside(move)), problem.cost(after) - cost
            if change != expected:
                found.append(f"{items} {move}: {change}, not {expected}")
            if "update" in methods:
                found += _wrong_updates(problem, neighborhood, methods["update"], own, (x, move, after))
            if "commit" in methods:
                mine = {name: each.copy() for name, each in kept.items()}
                methods["commit"](own, exact_solution(after.tolist(), space), KeptArrays(mine), inside(move))
                for name, array in filled(exact_solution(after.tolist(), space)).items():
                    if (mine[name] != array).any():
                        found.append(f"{items} {move}: {name} is {mine[name]}, not {array}")
    return found


def wrong_pairs(problem: Problem, neighborhood: Product) -> list[str]:
    """Pairs of moves whose derived change of cost is not the difference of two costs."""
    derivation, space = derivation_of(problem, neighborhood.move_types), problem.representation
    sides = {each.part: each.neighborhood.move_types[0] for each in (neighborhood.left, neighborhood.right)}
    (method,) = (
        each
        for each in derivation.methods
        if each.beside is not None and {each.part: each.move, each.beside[0]: each.beside[1]} == sides
    )
    fill = next((each.text.function for each in derivation.methods if each.name == "init"), None)
    own = WithTables(problem, derivation)
    x = space.random(Random(Key(3, 0), START, 0))
    items = exact_solution(x.tolist(), space)
    kept = KeptArrays({name: np.full(each.shape, 7, np.int64) for name, each in derivation.state(problem).items()})
    if fill is not None:
        fill(own, items, kept)
    found = []
    for move in neighborhood.moves(space):
        moves = {each.part: each.move for each in (move.left, move.right)}
        assert method.beside is not None
        given = (kept,) if "s" in method.text.parameters else ()
        change = method.text.function(own, items, *given, moves[method.beside[0]], moves[method.part])
        if change != problem.cost(move.apply(x)) - problem.cost(x):
            found.append(f"{items} {move}: {change}")
    return found


def _wrong_updates(problem: Problem, neighborhood: Neighborhood, update: Any, own: Any, made: Any) -> list[str]:
    """Moves that share no position with the one made, whose updated change of cost is not that of full evaluations."""
    x, move, after = made
    written, found = {at for at, _ in move.placements(x)}, []
    kept = KeptArrays({"kept_order": after.astype(np.int64)})
    for other in neighborhood.moves(problem.representation):
        if written & {at for at, _ in other.placements(x)}:
            continue
        before = problem.cost(other.apply(x)) - problem.cost(x)
        change, expected = (
            update(own, kept, other, before, move),
            problem.cost(other.apply(after)) - problem.cost(after),
        )
        found += [f"{x} {move} {other}: {change}, not {expected}"] if change != expected else []
    return found
