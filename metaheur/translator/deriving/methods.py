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

    `name`: "delta", "init" or "commit".
    `source`: its statements; two methods of one source are equal.
    `text`: the method.
    `move`: the class of its moves.
    `work`: how long it takes, as a function of lengths, such as "O(n)"; "" if it is not known.
    `several`: whether it is for several flips, and not for one.
    `part`: the part of solutions that its moves change; "" for moves of whole solutions.
    `beside`: another part, and the class of its moves, of which one is made at once; None for one move.
    """

    name: str
    source: str
    text: Text = field(eq=False, repr=False)
    move: type[Move] | None = None
    work: str = ""
    several: bool = False
    part: str = ""
    beside: tuple[str, type[Move]] | None = None

    @property
    def of(self) -> str:
        """The moves in words."""
        other = f"{self.beside[1].__name__} of {self.beside[0]} with " if self.beside is not None else ""
        return "" if self.move is None else f"{other}{self.move.__name__}{f' of {self.part}' if self.part else ''}"


@final
@frozen
class KeptArray:
    """An array that is kept beside a solution.

    `name`: its name. `sizes`: its lengths, as they are written. `dtype`: the type of its entries. `part`: the part of
    solutions whose length is `self.n` in its lengths; "" for whole solutions.
    """

    name: str
    sizes: tuple[str, ...]
    dtype: str
    part: str = ""


@final
@frozen
class Derivation:
    """What follows from a cost for some classes of moves.

    `methods`: the methods. `kept`: the arrays that they keep. `tables`: the tables that they read. `refusals`: why
    there is none, by the names of classes of moves.
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
