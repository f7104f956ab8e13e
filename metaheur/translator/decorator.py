"""The decorator `compiled`: a method that Python runs on exact numbers and that is translated to C++."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

from metaheur.errors import InputError
from metaheur.marker import Compiled

if TYPE_CHECKING:
    import numpy as np

    from metaheur.fields import Array
    from metaheur.source import Source

__all__ = ["compiled"]


@final
class _Translator:
    """Serves compiled methods; the files of the translator are loaded at the first call."""

    def call(self, member: Compiled, instance: Any, *arguments: Any) -> Any:
        from metaheur.translator.calls import call

        return call(member, instance, *arguments)

    def derived(self, problem: Any, moves: Sequence[Any]) -> Iterable[str]:
        from metaheur.translator.deriving.notes import sentences_on

        return sentences_on(problem, moves)

    def distrust(self, problem: Any, moves: Sequence[Any], why: str) -> bool:
        from metaheur.translator.deriving.folding import distrust

        return distrust(problem, moves, why)

    def explain(self, component: Any, moves: Sequence[Any]) -> str:
        from metaheur.translator.explain import explain

        return explain(component, moves=moves)

    def folded(self, problem: Any, x: Any) -> Any:
        from metaheur.translator.folds import folded

        return folded(problem, x)

    def priced(self, problem: Any, x: Any) -> Any:
        from metaheur.translator.segments import priced

        return priced(problem, x)

    def half(
        self, component: Any, representation: Any, *, cost_type: str, checked: bool, moves: Sequence[Any]
    ) -> Source:
        from metaheur.translator.halves import translated

        return translated(component, representation, cost_type=cost_type, checked=checked, moves=moves)

    def library(self, problems: Sequence[Any], moves: Sequence[Any], *, checked: bool) -> tuple[Source, ...]:
        from metaheur.translator.halves import library

        return library(problems, moves, checked=checked)

    def tables(self, problem: Any, moves: Sequence[Any]) -> Mapping[str, np.ndarray]:
        from metaheur.translator.halves import tables

        return tables(problem, moves)

    def arrays(self, problem: Any, moves: Sequence[Any]) -> Mapping[str, Array]:
        from metaheur.translator.halves import arrays

        return arrays(problem, moves)


_TRANSLATOR = _Translator()


def compiled(function: Callable[..., Any]) -> Any:
    """Mark a method, or a function that such methods call, for translation to C++.

    The method is written for one solution and one move, in the part of Python that the page "Compiled Python"
    describes. Python runs it on Python's own numbers, which never overflow; on other devices its translation to C++
    runs inside the kernels. A method that is defined several times has an overload for each class of moves, and the
    annotation of its parameter names the class; `method.overload` and `method.vectorised` are decorators as well.

    Parameters
    ----------
    function : function
        `cost`, `delta`, `init`, `commit` or `update` of a problem, or instead of them `start`, `step` and `finish`, or
        `unit`, `join` and `price`; a function of a part; `size`, `move`, `index` and others of a neighborhood; `apply`
        of a move; or a function that one of these calls.

    Returns
    -------
    Any
        The method.

    Raises
    ------
    InputError
        If it is given something that is not a function.

    Examples
    --------
    >>> from metaheur.neighborhoods import SwapMove
    >>> class Mine:
    ...     @compiled
    ...     def delta(self, x, m: SwapMove):
    ...         return x[m.j] - x[m.i]
    """
    if not inspect.isfunction(function):
        raise InputError(
            f"@compiled marks functions and methods, but was given {function!r}.",
            "mark a plain method: no property, no class.",
        )
    namespace = sys._getframe(1).f_locals
    before = namespace.get(function.__name__) if "__qualname__" in namespace else None  # in the body of a class
    return before.overload(function) if isinstance(before, Compiled) else Compiled(function, _TRANSLATOR)
