"""Methods that follow from a cost, with what they keep and read."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import field, frozen

from metaheur.errors import CompileError
from metaheur.fields import Array
from metaheur.move import Move
from metaheur.problem import Problem
from metaheur.translator.deriving.data import DataFacts, RowsTable
from metaheur.translator.reading import Text

__all__ = ["Derivation", "DerivedMethod", "KeptArray"]


@final
@frozen
class DerivedMethod:
    """A method that follows from the cost.

    Parameters
    ----------
    name : str
        "delta", "init" or "commit".
    source : str
        Its statements; two methods of one source are equal.
    text : Text
        The method.
    move : type of Move, optional
        The class of its moves.
    work : str
        How long it takes, as a function of lengths, such as "O(n)"; "" if it is not known.
    several : bool
        Whether it is for several flips, and not for one.
    part : str
        The part of solutions that its moves change; "" for moves of whole solutions.
    """

    name: str
    source: str
    text: Text = field(eq=False, repr=False)
    move: type[Move] | None = None
    work: str = ""
    several: bool = False
    part: str = ""

    @property
    def of(self) -> str:
        """The moves in words."""
        return "" if self.move is None else f"{self.move.__name__}{f' of {self.part}' if self.part else ''}"


@final
@frozen
class KeptArray:
    """An array that is kept beside a solution.

    Parameters
    ----------
    name : str
        Its name.
    sizes : tuple of str
        Its lengths, as they are written.
    dtype : str
        The type of its entries.
    part : str
        The part of solutions whose length is `self.n` in its lengths; "" for whole solutions.
    """

    name: str
    sizes: tuple[str, ...]
    dtype: str
    part: str = ""


@final
@frozen
class Derivation:
    """What follows from a cost for some classes of moves.

    Parameters
    ----------
    methods : tuple of DerivedMethod
        The methods.
    kept : tuple of KeptArray
        The arrays that they keep.
    tables : tuple of RowsTable
        The tables that they read.
    refusals : tuple of (str, CompileError)
        Why there is none, by the names of classes of moves.
    """

    methods: tuple[DerivedMethod, ...] = ()
    kept: tuple[KeptArray, ...] = ()
    tables: tuple[RowsTable, ...] = ()
    refusals: tuple[tuple[str, CompileError], ...] = field(default=(), eq=False)

    def arrays(self, problem: Problem) -> dict[str, np.ndarray]:
        """The arrays of the tables."""
        return {name: array for table in self.tables for name, array in table.arrays(problem).items()}

    def state(self, problem: Problem) -> dict[str, Array]:
        """The kept arrays with their shapes."""
        data = {each.part: DataFacts(problem, part=each.part) for each in self.kept}
        return {
            each.name: Array(tuple(data[each.part].number(text) for text in each.sizes), each.dtype)
            for each in self.kept
        }
