"""The C++ of components that the translator writes, and the C++ files that it uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metaheur.fields import Array
from metaheur.problem import Problem, is_fold, is_priced
from metaheur.representation import Representation
from metaheur.source import Source, piece

__all__ = ["arrays", "library", "tables", "translated"]


def translated(
    component: Any, space: Representation | None, *, cost_type: str, checked: bool, moves: Sequence[Any]
) -> Source:
    """The C++ half of a component's compiled methods, or of a class of moves, whose `space` is None.

    Raises CompileError if a compiled method cannot be translated, with its file and line.
    """
    from metaheur.translator.deriving.folding import fold_of
    from metaheur.translator.facts import facts_of, facts_of_move
    from metaheur.translator.half import made_half

    if isinstance(component, Problem):
        component = fold_of(component, moves) or component
    facts = facts_of_move(component) if space is None else facts_of(component, space, cost_type=cost_type, moves=moves)
    kind = component if space is None else type(component)
    return Source(made_half(facts, checked=checked)[0], f"compiled/{kind.__name__}.cuh")


def tables(problem: Any, moves: Sequence[Any]) -> Mapping[str, np.ndarray]:
    """The tables that a problem's half for classes of moves has besides its own."""
    from metaheur.translator.deriving.derived import derivation_of
    from metaheur.translator.deriving.folding import fold_of
    from metaheur.translator.fold_memory import fold_start
    from metaheur.translator.linked import lists_shape
    from metaheur.translator.on_grid import grid_tables

    shape = {**lists_shape(problem.representation), **grid_tables(problem.representation)}
    fold = problem if is_fold(type(problem)) else fold_of(problem, moves)
    if is_priced(type(fold or problem)):
        return shape
    return {**shape, **(derivation_of(problem, moves).arrays(problem) if fold is None else fold_start(fold))}


def arrays(problem: Any, moves: Sequence[Any]) -> Mapping[str, Array]:
    """The arrays that a problem's half for classes of moves keeps besides its own."""
    from metaheur.translator.deriving.derived import derivation_of
    from metaheur.translator.deriving.folding import fold_of
    from metaheur.translator.fold_memory import fold_arrays
    from metaheur.translator.segments import segment_arrays

    fold = problem if is_fold(type(problem)) else fold_of(problem, moves)
    if is_priced(type(fold or problem)):
        return segment_arrays(fold or problem)
    return derivation_of(problem, moves).state(problem) if fold is None else fold_arrays(fold)


def library(problems: Sequence[Any], moves: Sequence[Any], *, checked: bool) -> tuple[Source, ...]:
    """The C++ that translated halves use, before all halves."""
    from metaheur.translator.deriving.folding import fold_of
    from metaheur.translator.float_functions import functions_of

    kinds = [type(fold_of(each, moves) or each) for each in problems]
    folds, priced = any(map(is_fold, kinds)), any(map(is_priced, kinds))
    texts = {half.file: None for each in problems for half in functions_of(type(each))}
    names = [
        "python",
        *(["checked"] if checked else []),
        *(["fold_state", "fold"] if folds else []),
        *(["segments"] if priced else []),
    ]
    return (*(piece(f"translator/{name}.cuh") for name in names), *map(piece, texts))
