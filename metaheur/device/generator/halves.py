"""C++ halves: made by the translator of compiled methods, or the file or text that a class names in `source`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from metaheur.component import Component
from metaheur.fields import Array
from metaheur.marker import Translator, compiled_members
from metaheur.move import Move
from metaheur.problem import Problem, is_fold
from metaheur.representation import Representation
from metaheur.source import Source, source_of

__all__ = ["fold_arrays", "fold_start", "half_of", "half_of_move", "translator_of"]


def translator_of(kind: type) -> Translator | None:
    """The translator of a class's compiled methods; None if it has none."""
    return next((each.translator for each in compiled_members(kind).values()), None)


def half_of(component: Component, space: Representation, *, cost_type: str = "int64", checked: bool = False) -> Source:
    """The C++ half of a component: translated from its compiled methods, or named by its class in `source`.

    Parameters
    ----------
    component : Component
        A problem, a neighborhood, a part or a loop.
    space : Representation
        Describes the solutions.
    cost_type : {"int32", "int64", "float64"}
        The type of changes of cost.
    checked : bool
        Whether translated code checks overflow and indices as it runs.

    Raises
    ------
    InputError
        If the component has no C++ half.
    CompileError
        If a compiled method cannot be translated, with its file and line.
    """
    translator = translator_of(type(component))
    if translator is None:
        return source_of(component)
    return translator.half(component, space, cost_type=cost_type, checked=checked)


def half_of_move(kind: type[Move], *, checked: bool = False) -> Source | None:
    """The C++ half of a class of moves; None for the moves that every unit defines."""
    translator = translator_of(kind)
    if translator is not None:
        return translator.half(kind, None, cost_type="int64", checked=checked)
    return None if kind.source is None else source_of(kind)


def fold_start(problem: Problem) -> Mapping[str, np.ndarray]:
    """The table of the numbers at the start of a cost that is a fold; empty for other problems."""
    translator = translator_of(type(problem)) if is_fold(type(problem)) else None
    return {} if translator is None else translator.fold_start(problem)


def fold_arrays(problem: Problem) -> Mapping[str, Array]:
    """The arrays that a cost that is a fold keeps beside a walk; empty for other problems."""
    translator = translator_of(type(problem)) if is_fold(type(problem)) else None
    return {} if translator is None else translator.fold_arrays(problem)
