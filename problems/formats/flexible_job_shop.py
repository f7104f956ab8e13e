"""Flexible job shops of Brandimarte's form.

The first line is ``n m``, the numbers of jobs and machines, and perhaps the mean number of machines of an operation.
Each job has a line: the number of its operations, and for each of these the number of its machines and pairs "machine
time". Machines are counted from 1, or from 0 where a file has a machine 0.

Source: P. Brandimarte, "Routing and scheduling in a flexible job shop by tabu search", Annals of Operations Research
41, 1993.
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.flow_shop_instance import LONGEST
from metaheur.problems.formats.numbers import LARGEST, integer, integers
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_flexible_job_shop"]


def read_flexible_job_shop(path: str | os.PathLike[str]) -> tuple[np.ndarray, np.ndarray]:
    """Read an instance: `jobs` and `times`, int64.

    `jobs`, shape (n,): the number of operations of each job. `times`, shape (operations, m): how long each operation
    takes on each machine; -1 on machines that cannot do it. A machine that an operation names twice is refused.
    """
    tokens = Tokens.read(path)
    mean = tokens.on_first_line - 2
    n, m = integer(tokens, "the number of jobs", 1, LARGEST), integer(tokens, "the number of machines", 1, 2000)
    tokens.take(max(0, mean), "numbers: the mean number of machines")
    jobs, found = [], list[tuple[int, np.ndarray]]()
    for job in range(n):
        jobs.append(integer(tokens, f"the number of operations of job {job}", 1, LARGEST))
        for _ in range(jobs[-1]):
            count = integer(tokens, "the number of machines of an operation", 1, m)
            places = tokens.take(2 * count, f"numbers: {count} pairs of a machine and a time")
            integers(tokens, places[0::2], "a machine", 0, m)
            found.append((places[0], integers(tokens, places, "a machine or a time", 0, LONGEST).reshape(-1, 2)))
    tokens.finish("the last operation")
    machines = np.concatenate([each[:, 0] for _, each in found])
    base = int(machines.min() > 0)
    if machines.max() - base >= m:
        raise InputError(f"{path} has machines 0 and {m}, but there are {m} machines.", "count all from 0, or from 1.")
    times = np.full((len(found), m), -1, np.int64)
    for row, (place, each) in zip(times, found, strict=True):
        if len({*each[:, 0].tolist()}) < len(each):
            raise tokens.error(place, "an operation names a machine twice", "two numbers are exchanged.")
        row[each[:, 0] - base] = each[:, 1]
    return np.array(jobs), times
