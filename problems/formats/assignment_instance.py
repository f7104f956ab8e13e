"""Generalized assignment problems as their files state them."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import data

__all__ = ["AssignmentInstance"]


@final
@frozen(eq=False)
class AssignmentInstance:
    """A generalized assignment problem with m agents and n jobs.

    Each job goes to one agent. Agent a spends resources[a, j] on job j, at most capacities[a] in all, and job j then
    costs costs[a, j]. Files do not state whether the sum of costs is to be minimised, or is a profit to be maximised.

    Parameters
    ----------
    costs : array_like, shape (m, n)
        Whole numbers: the cost, or the profit, if an agent does a job.
    resources : array_like, shape (m, n)
        Whole numbers, 0 or more: what a job takes of an agent's capacity.
    capacities : array_like, shape (m,)
        Whole numbers, 0 or more.

    Raises
    ------
    InputError
        If a field is not as described.
    """

    costs: np.ndarray = data("int64", ndim=2)
    resources: np.ndarray = data("int64", ndim=2)
    capacities: np.ndarray = data("int64", ndim=1)

    def __attrs_post_init__(self) -> None:
        if self.costs.shape != self.resources.shape or len(self.costs) != len(self.capacities) or not self.costs.size:
            raise InputError(
                "`costs`, `resources` and `capacities` must have the shapes (m, n), (m, n) and (m,), none empty, but "
                f"have {self.costs.shape}, {self.resources.shape} and {self.capacities.shape}."
            )
        for name in ("resources", "capacities"):
            if (low := int(getattr(self, name).min())) < 0:
                raise InputError(f"`{name}` must hold 0 or more, but holds {low}.")
