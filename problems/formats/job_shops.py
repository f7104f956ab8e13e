"""Job shops of OR-Library and of Taillard.

OR-Library's are ``n m`` and, for each of n jobs, a line of m pairs "machine time", machines from 0, in the order of the
operations; several instances follow lines with ``instance`` and a name. Taillard's are a line that begins with ``n m``,
then the times, and then the machines from 1, with a row for each job, under the headings Times and Machines.

Source: D. Applegate and W. Cook, "A computational study of the job-shop scheduling problem", ORSA Journal on Computing
3, 1991; É. Taillard, "Benchmarks for basic scheduling problems", European Journal of Operational Research 64, 1993.
"""

from __future__ import annotations

import os
import re

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.flow_shop_instance import LONGEST, take_sizes
from metaheur.problems.formats.named_blocks import named_blocks
from metaheur.problems.formats.numbers import integral
from metaheur.problems.formats.taillard_flow_shop import HEADING
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_job_shop"]


def read_job_shop(path: str | os.PathLike[str]) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Read a file: for each instance the machines of each job and their times, two int64 arrays of shape (n, m).

    Machines count from 0, in the order of a job's operations. Refused are times that are not in 0 ... 2**53, and jobs
    that do not visit each machine once.
    """
    text = re.sub(r"^[^\S\n]*#.*$", "", read_text(path), flags=re.MULTILINE)
    if blocks := named_blocks(text):
        return tuple(_pairs(f"{path}, {name}", block) for name, block in blocks.items())
    return (_tables(path, text) if HEADING.search(text) else _pairs(path, text),)


def _pairs(path: str | os.PathLike[str], text: str) -> tuple[np.ndarray, np.ndarray]:
    tokens = Tokens.within(path, text, (0, len(text)))
    n, m = take_sizes(tokens)
    places = tokens.take(2 * n * m, f"numbers: {n} jobs of {m} pairs of a machine and a time")
    tokens.finish("the last time")
    order = integral(tokens, places[0::2], "a machine", 0, m - 1).reshape(n, m)
    return _checked(path, order), integral(tokens, places[1::2], "a time", 0, LONGEST).reshape(n, m)


def _tables(path: str | os.PathLike[str], text: str) -> tuple[np.ndarray, np.ndarray]:
    plain = HEADING.sub("", text)
    tokens = Tokens.within(path, plain, (0, len(plain)))
    further = tokens.on_first_line - 2
    n, m = take_sizes(tokens)
    tokens.take(max(0, further), "numbers: seeds and bounds")
    times = tokens.take(n * m, f"times of {n} jobs on {m} machines")
    machines = tokens.take(n * m, f"machines of {n} jobs")
    tokens.finish("the last machine")
    order = integral(tokens, machines, "a machine", 1, m).reshape(n, m) - 1
    return _checked(path, order), integral(tokens, times, "a time", 0, LONGEST).reshape(n, m)


def _checked(path: str | os.PathLike[str], order: np.ndarray) -> np.ndarray:
    wrong = np.flatnonzero((np.sort(order, axis=1) != np.arange(order.shape[1])).any(axis=1))
    if len(wrong):
        raise InputError(
            f"{path}: job {wrong[0]} does not visit each of the {order.shape[1]} machines once.",
            "two numbers of its line are exchanged; or it is of another problem.",
        )
    return order
