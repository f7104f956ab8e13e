"""Flow shops with due dates and weights by Minella, Ruiz and Ciavotta.

A file holds the numbers of jobs and machines, a row of pairs "machine time" for each job, the word Reldue, and a row
"-1 due-date -1 weight" for each job; machines are numbered from 0. The times are those of Taillard's instances.

Source: G. Minella, R. Ruiz and M. Ciavotta, "A review and evaluation of multiobjective algorithms for the flowshop
scheduling problem", INFORMS Journal on Computing 20, 2008.
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.flow_shop_instance import LONGEST, FlowShopInstance, take_sizes
from metaheur.problems.formats.numbers import integral
from metaheur.problems.formats.permutations import permutation
from metaheur.problems.formats.taillard_flow_shop import HEADING
from metaheur.problems.formats.tokens import Tokens

__all__ = ["parse_minella", "read_minella"]


def read_minella(path: str | os.PathLike[str]) -> FlowShopInstance:
    """Read an instance, with due dates and weights.

    Raises InputError if the file cannot be read, is truncated or too long, or does not hold the heading Reldue; if a
    token is not an integer, or a time, due date or weight not in 0 ... 2**53; if a machine of a job is missing or
    listed twice.
    """
    return parse_minella(path, read_text(path))


def parse_minella(path: str | os.PathLike[str], text: str) -> FlowShopInstance:
    """Return the instance in the text of a file, as `read_minella` does."""
    heading = HEADING.search(text)
    if not heading:
        raise InputError(f"{path} does not hold the heading Reldue.", "the file has another format.")
    related = Tokens.within(path, text, (heading.start(), len(text)))
    if heading.group().strip().lower() != "reldue":
        raise related.error(0, f"Reldue is expected, but {related.shown(0)} is found", "the file has another format.")
    related.take(1, "token: Reldue")
    tokens = Tokens.within(path, text, (0, heading.start()))
    n, m = take_sizes(tokens)
    places = tokens.take(2 * n * m, f"numbers: {n} rows of {m} pairs of a machine and a time")
    tokens.finish("the times of the last job")
    rows = integral(tokens, places, "a machine or time", 0, LONGEST).reshape(n, m, 2)
    order = np.argsort(rows[:, :, 0], axis=1)
    wrong = (np.take_along_axis(rows[:, :, 0], order, axis=1) != np.arange(m)).any(axis=1)
    if wrong.any():
        job = int(np.argmax(wrong))
        permutation(tokens, places[2 * m * job : 2 * m * (job + 1) : 2], f"a machine of job {job}", 0)
    times = np.take_along_axis(rows[:, :, 1], order, axis=1)
    places = related.take(4 * n, f"numbers of Reldue: {n} rows '-1 due-date -1 weight'")
    related.finish("the last weight")
    related.keyword(places[::2], "-1")
    due_dates = integral(related, places[1::4], "a due date", 0, LONGEST)
    weights = integral(related, places[3::4], "a weight", 0, LONGEST)
    return FlowShopInstance(times, due_dates=due_dates, weights=weights)
