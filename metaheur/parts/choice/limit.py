"""Limit: how long a phase of a search lasts inside another one."""

from __future__ import annotations

from typing import Any, ClassVar, final

from attrs import frozen

from metaheur.fields import Factor
from metaheur.part import Part
from metaheur.validate import whole_field

__all__ = ["Limit"]


@final
@frozen
class Limit(Part):
    """A phase ends after a number of iterations, in all or without a better solution; or with the search itself.

    Parameters
    ----------
    iterations : int, optional
        The most iterations of the phase.
    stagnation : int, optional
        The most iterations since the phase's best solution was found.
    """

    iterations: int | None = whole_field(default=None, metadata={"tune": Factor()})
    stagnation: int | None = whole_field(default=None, metadata={"tune": Factor()})

    source: ClassVar[str] = "limit.cuh"

    def reached(self, age: Any, since: Any) -> Any:
        """Whether the phase ends; arrays entry by entry.

        Parameters
        ----------
        age : int or numpy.ndarray
            Iterations of the phase.
        since : int or numpy.ndarray
            Iterations since its best solution was found.
        """
        old = age >= self.iterations if self.iterations is not None else age < 0
        stuck = since >= self.stagnation if self.stagnation is not None else since < 0
        return old | stuck
