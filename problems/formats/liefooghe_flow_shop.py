"""Flow shops with due dates by Liefooghe et al.

A file holds the numbers of jobs and machines and the time seed, then for each job its number from 0, its due date, and
its time on each machine. The times are those of Taillard's instances.

Source: A. Liefooghe, M. Basseur, L. Jourdan and E.-G. Talbi, "Combinatorial optimization of stochastic multi-objective
problems: an application to the flow-shop scheduling problem", EMO 2007.
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.flow_shop_instance import LONGEST, FlowShopInstance, take_sizes
from metaheur.problems.formats.numbers import integral
from metaheur.problems.formats.permutations import permutation
from metaheur.problems.formats.tokens import Tokens

__all__ = ["parse_liefooghe", "read_liefooghe"]


def read_liefooghe(path: str | os.PathLike[str]) -> FlowShopInstance:
    """Read an instance, with due dates and the seed.

    Raises InputError if the file cannot be read, is truncated or too long; if a token is not an integer, or a time or
    due date not in 0 ... 2**53; if a job is missing or listed twice.
    """
    return parse_liefooghe(path, read_text(path))


def parse_liefooghe(path: str | os.PathLike[str], text: str) -> FlowShopInstance:
    """Return the instance in the text of a file, as `read_liefooghe` does."""
    tokens = Tokens.within(path, text, (0, len(text)))
    n, m = take_sizes(tokens)
    (seed,) = integral(tokens, tokens.take(1, "number: the seed"), "the seed").tolist()
    places = tokens.take(n * (m + 2), f"numbers: of each of {n} jobs its number, its due date and {m} times")
    tokens.finish("the times of the last job")
    order = np.argsort(permutation(tokens, places[:: m + 2], "a job", 0))
    rows = integral(tokens, places, "a job, due date or time", 0, LONGEST).reshape(n, m + 2)[order]
    return FlowShopInstance(rows[:, 2:], due_dates=rows[:, 1], seed=seed)
