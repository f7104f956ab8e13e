"""Quadratic 0-1, multidimensional knapsack and generalized assignment problems of OR-Library.

A file of several instances begins with a line that holds only their number; numbers are in free format. The files of
generalized assignment problems do not state whether to minimise or to maximise: gap1 ... gap12 are to be maximised,
gapa ... gapd and the types a ... e of the literature minimised; published bounds name the sense.

Sources: J. E. Beasley, "OR-Library: distributing test problems by electronic mail", Journal of the Operational Research
Society 41, 1990; P. C. Chu and J. E. Beasley, "A genetic algorithm for the multidimensional knapsack problem", Journal
of Heuristics 4, 1998, and "A genetic algorithm for the generalised assignment problem", Computers & Operations Research
24, 1997; S. Khuri, T. Bäck and J. Heitkötter, "The zero/one multiple knapsack problem and genetic algorithms", SAC
1994.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from metaheur.errors import InputError
from metaheur.problems.formats.assignment_instance import AssignmentInstance
from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.knapsack_instance import KnapsackInstance
from metaheur.problems.formats.numbers import LARGEST, integer, integers, scaled
from metaheur.problems.formats.qubo_instance import QUBOInstance
from metaheur.problems.formats.symmetric_matrix import read_symmetric, symmetric_lines
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_bqp", "read_gap", "read_mkp", "write_bqp", "write_gap"]

T = TypeVar("T")


def read_bqp(path: str | os.PathLike[str]) -> tuple[QUBOInstance, ...]:
    """Read quadratic 0-1 problems, to be maximised: an instance is ``n m`` and m times ``i j q``.

    The weights off the diagonal are twice those of the file. Refused are weights that are not in -2**61 ... 2**61, and
    a pair that is listed twice.
    """
    return _instances(Tokens.read(path, comments="#"), _bqp, "the last entry")


def _bqp(tokens: Tokens) -> QUBOInstance:
    return read_symmetric(tokens, maximise=True)


def write_bqp(path: str | os.PathLike[str], instances: Sequence[QUBOInstance]) -> None:
    """Write instances, which `read_bqp` reads back; the weights of those to be minimised change their signs.

    Raises InputError if `instances` is empty, a weight off the diagonal is odd, or the file cannot be written.
    """
    if not instances:
        raise InputError("`instances` must hold at least one instance, but is empty.")
    write_lines(path, [str(len(instances)), *(line for it in instances for line in symmetric_lines(it, maximise=True))])


def read_mkp(path: str | os.PathLike[str]) -> tuple[KnapsackInstance, ...]:
    """Read multidimensional knapsack problems; the files of SAC-94 hold one in the same format.

    An instance is ``n m optimum``, n profits, m rows of n weights and m capacities. An optimum of 0 means that it is
    not stated. Decimal numbers become integers by a power of ten that the instance names.

    Raises InputError if the file cannot be read, is truncated or too long, or holds a token that is not a number, or a
    negative one.
    """
    return _instances(Tokens.read(path), _mkp, "the last capacity")


def _mkp(tokens: Tokens) -> KnapsackInstance:
    n = integer(tokens, "the number of items n", 1, LARGEST)
    m = integer(tokens, "the number of constraints m", 1, LARGEST)
    places = tokens.take(
        1 + n + m * n + m, f"numbers: the optimum, {n} profits, {m} rows of {n} weights and {m} capacities"
    )
    values, factor = scaled(tokens, places, "an optimum, profit, weight or capacity", 0)
    return KnapsackInstance(
        values[1 : 1 + n],
        values[1 + n : -m].reshape(m, n),
        values[-m:],
        optimum=int(values[0]) or None,
        factor=factor,
    )


def read_gap(path: str | os.PathLike[str]) -> tuple[AssignmentInstance, ...]:
    """Read generalized assignment problems.

    An instance is ``m n``, m rows of n costs, m rows of n resources and m capacities, all integers.

    Raises InputError if the file cannot be read, is truncated or too long, or holds a token that is not an integer, or
    a negative resource or capacity.
    """
    return _instances(Tokens.read(path), _gap, "the last capacity")


def _gap(tokens: Tokens) -> AssignmentInstance:
    m = integer(tokens, "the number of agents m", 1, LARGEST)
    n = integer(tokens, "the number of jobs n", 1, LARGEST)
    costs = integers(tokens, tokens.take(m * n, f"costs, {m} rows of {n}"), "a cost")
    resources = integers(tokens, tokens.take(m * n, f"resources, {m} rows of {n}"), "a resource", 0)
    capacities = integers(tokens, tokens.take(m, "capacities"), "a capacity", 0)
    return AssignmentInstance(costs.reshape(m, n), resources.reshape(m, n), capacities)


def write_gap(path: str | os.PathLike[str], instances: Sequence[AssignmentInstance]) -> None:
    """Write instances, which `read_gap` reads back; a file there is replaced.

    Raises InputError if `instances` is empty, or the file cannot be written.
    """
    if not instances:
        raise InputError("`instances` must hold at least one instance, but is empty.")
    lines = [str(len(instances))]
    for instance in instances:
        m, n = instance.costs.shape
        rows = (*instance.costs.tolist(), *instance.resources.tolist(), instance.capacities.tolist())
        lines += [f"{m} {n}", *(" ".join(map(str, row)) for row in rows)]
    write_lines(path, lines)


def _instances(tokens: Tokens, one: Callable[[Tokens], T], last: str) -> tuple[T, ...]:
    """Take the number of instances, unless the file holds one, and the instances."""
    count = integer(tokens, "the number of instances", 1, LARGEST) if tokens.on_first_line == 1 else 1
    instances = tuple(one(tokens) for _ in range(count))
    tokens.finish(last)
    return instances
