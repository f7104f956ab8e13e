"""OR-Library's files of generalized assignment problems.

Each of n jobs goes to one of m agents; agent a spends resources[a, j] on job j, at most capacities[a] in all, and job j
then costs costs[a, j]. The files do not say whether costs are to be minimised or are profits to be maximised: of
OR-Library's, gap1 ... gap12 are meant for maximisation and gapa ... gapd for minimisation, as are the types a ... e of
the literature; published bounds name the sense.

Sources: J. E. Beasley, "OR-Library: distributing test problems by electronic mail", Journal of the Operational Research
Society 41, 1990; P. C. Chu and J. E. Beasley, "A genetic algorithm for the generalised assignment problem", Computers &
Operations Research 24, 1997.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problem import data
from metaheur.problems.files import write_lines
from metaheur.problems.numbers import LARGEST, integer, whole
from metaheur.problems.words import Words

__all__ = ["AssignmentInstance", "read_gap", "write_gap"]


@final
@frozen(eq=False)
class AssignmentInstance:
    """A generalized assignment problem with m agents and n jobs; its sense is the reader's to know.

    Parameters
    ----------
    costs : array_like, shape (m, n)
        Whole numbers: the cost, or the profit, of a job with an agent.
    resources : array_like, shape (m, n)
        Whole numbers, none negative: what a job takes of an agent's capacity.
    capacities : array_like, shape (m,)
        Whole numbers, none negative.

    Raises
    ------
    InputError
        If a value is negative where it may not be, or of another shape.
    """

    costs: np.ndarray = data("int64", ndim=2)
    resources: np.ndarray = data("int64", ndim=2)
    capacities: np.ndarray = data("int64", ndim=1)

    def __attrs_post_init__(self) -> None:
        """Refuse what is no instance."""
        if self.costs.shape != self.resources.shape or len(self.costs) != len(self.capacities) or not self.costs.size:
            raise InputError(
                "costs and resources are of shape (m, n) and capacities of shape (m,), all with entries, but their "
                f"shapes are {self.costs.shape}, {self.resources.shape} and {self.capacities.shape}."
            )
        for name in ("resources", "capacities"):
            if (low := int(getattr(self, name).min())) < 0:
                raise InputError(f"{name} holds {low}, but none are negative.")


def read_gap(path: str | os.PathLike[str]) -> tuple[AssignmentInstance, ...]:
    """Read a file of one instance or of several, in free format.

    A file of several begins with a line that holds their number alone. An instance is ``m n``, m rows of n costs, m
    rows of n resources and m capacities.

    Returns
    -------
    tuple of AssignmentInstance

    Raises
    ------
    InputError
        If the file cannot be read, is truncated or too long, or holds what is no integer, or a negative resource or
        capacity.
    """
    words = Words.read(path)
    count = integer(words, "the number of instances", 1, LARGEST) if words.on_first_line == 1 else 1
    instances = tuple(_instance(words) for _ in range(count))
    words.finish("the last capacity")
    return instances


def _instance(words: Words) -> AssignmentInstance:
    m = integer(words, "the number of agents m", 1, LARGEST)
    n = integer(words, "the number of jobs n", 1, LARGEST)
    costs = whole(words, words.take(m * n, f"costs, {m} rows of {n}"), "a cost")
    resources = whole(words, words.take(m * n, f"resources, {m} rows of {n}"), "a resource", 0)
    capacities = whole(words, words.take(m, "capacities"), "a capacity", 0)
    return AssignmentInstance(costs.reshape(m, n), resources.reshape(m, n), capacities)


def write_gap(path: str | os.PathLike[str], instances: Sequence[AssignmentInstance]) -> None:
    """Write instances, which `read_gap` reads back; a file there is replaced.

    Raises
    ------
    InputError
        If there are none, or the file cannot be written.
    """
    if not instances:
        raise InputError("There are no instances to write, but a file holds at least one.")
    lines = [str(len(instances))]
    for instance in instances:
        m, n = instance.costs.shape
        rows = (*instance.costs.tolist(), *instance.resources.tolist(), instance.capacities.tolist())
        lines += [f"{m} {n}", *(" ".join(map(str, row)) for row in rows)]
    write_lines(path, lines)
