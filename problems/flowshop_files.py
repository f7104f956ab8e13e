"""Flow shop instances in files: Taillard's, and two sets with due dates.

Times are matrices of shape (n, m): a row for each job, a column for each machine, whatever the order in the file.

Sources: É. Taillard, "Benchmarks for basic scheduling problems", European Journal of Operational Research 64, 1993;
A. Liefooghe, M. Basseur, L. Jourdan and E.-G. Talbi, "Combinatorial optimization of stochastic multi-objective
problems: an application to the flow-shop scheduling problem", EMO 2007 (bi-objective files); G. Minella, R. Ruiz and
M. Ciavotta, "A review and evaluation of multiobjective algorithms for the flowshop scheduling problem", INFORMS Journal
on Computing 20, 2008 (due dates and weights for Taillard's instances).
"""

from __future__ import annotations

import os
import re
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt
from attrs import Attribute, Converter, field, frozen

from metaheur.errors import InputError
from metaheur.problems.files import read_text
from metaheur.problems.numbers import integral
from metaheur.problems.permutations import permutation
from metaheur.problems.words import Words

__all__ = ["Instance", "read_due_dates", "read_taillard"]

Integers = npt.NDArray[np.int64]

_LARGEST_SIZE: Final = 100_000
_LONGEST: Final = 2**53
_HEADING: Final = re.compile(r"^[^\S\n]*[A-Za-z].*$", re.MULTILINE)


def _convert(value: Any, attribute: Attribute[Any]) -> Any:
    """A read-only copy of an array of integers that are 0 or more."""
    if value is None:
        return None
    array = np.asarray(value)
    ndim = 2 if attribute.name == "times" else 1
    if array.dtype.kind not in "iu" or array.ndim != ndim or not array.size:
        raise InputError(
            f"{attribute.name} is an array of {array.dtype} of shape {array.shape}, but it must hold integers in "
            f"{('one dimension', 'two dimensions')[ndim - 1]}."
        )
    if array.min() < 0 or int(array.max()) > _LONGEST:
        offence = array.min() if array.min() < 0 else array.max()
        raise InputError(f"{attribute.name} holds {offence}, which is not in 0 ... 2**53.")
    array = np.array(array, np.int64, order="C")
    array.flags.writeable = False
    return array


def _array(**options: Any) -> Any:
    converter: Any = Converter(_convert, takes_field=True)
    return field(converter=converter, **options)


@final
@frozen(eq=False)
class Instance:
    """A permutation flow shop instance.

    Parameters
    ----------
    times : array_like of int64, shape (n, m)
        The time of each of n jobs (a row) on each of m machines (a column), 0 or more.
    due_dates : array_like of int64, shape (n,), keyword-only, optional
        When each job should be finished, 0 or more.
    weights : array_like of int64, shape (n,), keyword-only, optional
        How much a job's tardiness counts, 0 or more.
    seed : int, keyword-only, optional
        The time seed that the file states.
    lower_bound, upper_bound : int, keyword-only, optional
        Of the makespan, as the file states them.

    Raises
    ------
    InputError
        If a field is not as described.
    """

    times: Integers = _array()
    due_dates: Integers | None = _array(default=None, kw_only=True)
    weights: Integers | None = _array(default=None, kw_only=True)
    seed: int | None = field(default=None, kw_only=True)
    lower_bound: int | None = field(default=None, kw_only=True)
    upper_bound: int | None = field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse vectors of another number of jobs."""
        for name in ("due_dates", "weights"):
            vector = getattr(self, name)
            if vector is not None and len(vector) != len(self.times):
                raise InputError(f"{name} holds {len(vector)} values, but times {len(self.times)} jobs.")


def read_taillard(path: str | os.PathLike[str]) -> list[Instance]:
    """Read a file in the format of Taillard's: ten instances in each of his, but any number is accepted.

    Each instance is a heading, five numbers (jobs, machines, time seed, upper and lower bound), a second heading, and
    the times, machine by machine. A heading is a line that begins with a letter.

    Returns
    -------
    list of Instance
        With times, seed and bounds.

    Raises
    ------
    InputError
        If the file cannot be read, is truncated, holds other counts of numbers, words that are no integers, or times
        outside 0 ... 2**53.
    """
    text = read_text(path)
    headings = list(_HEADING.finditer(text))
    starts = [0, *(heading.end() for heading in headings)]
    stops = [*(heading.start() for heading in headings), len(text)]
    blocks = [Words.within(path, text, span) for span in zip(starts, stops, strict=True)]
    blocks = [block for block in blocks if block.left]
    if not blocks:
        raise InputError(f"{path} holds no numbers.", "the file has another format.")
    if len(blocks) % 2:
        blocks.append(Words.within(path, text, (len(text), len(text))))
    return [_taillard(sizes, times) for sizes, times in zip(blocks[::2], blocks[1::2], strict=True)]


def _taillard(sizes: Words, times: Words) -> Instance:
    if sizes.left != 5:
        raise sizes.error(
            0,
            f"{sizes.left} numbers stand here, but an instance begins with five: jobs, machines, seed, upper and lower "
            "bound",
            "a heading between them and the times is missing.",
        )
    n, m = _sizes(sizes)
    seed, upper, lower = integral(sizes, sizes.rest(), "a seed or bound").tolist()
    places = times.take(n * m, f"times of {n} jobs on {m} machines")
    times.finish(f"the times of {n} jobs on {m} machines")
    matrix = integral(times, places, "a time", 0, _LONGEST).reshape(m, n).T
    return Instance(matrix, seed=seed, lower_bound=lower, upper_bound=upper)


def read_due_dates(path: str | os.PathLike[str]) -> Instance:
    """Read an instance with due dates, in one of two formats.

    Liefooghe's holds the numbers of jobs and machines and the time seed, then for each job its number from 0, its due
    date, and its times. Minella's holds the numbers of jobs and machines, a row of pairs "machine time" for each job,
    the word Reldue, and a row "-1 due-date -1 weight" for each job; machines are numbered from 0.

    Returns
    -------
    Instance
        With due dates, and the seed (Liefooghe) or weights (Minella).

    Raises
    ------
    InputError
        If the file cannot be read, is truncated, holds other counts of numbers, words that are no integers, jobs or
        machines that are missing or stand twice, or times, due dates or weights outside 0 ... 2**53.
    """
    text = read_text(path)
    heading = _HEADING.search(text)
    if not heading:
        return _liefooghe(Words.within(path, text, (0, len(text))))
    related = Words.within(path, text, (heading.start(), len(text)))
    if heading.group().strip().lower() != "reldue":
        raise related.error(0, f"{related.shown(0)} is neither a number nor Reldue", "the file has another format.")
    related.take(1, "word: Reldue")
    return _minella(Words.within(path, text, (0, heading.start())), related)


def _liefooghe(words: Words) -> Instance:
    n, m = _sizes(words)
    (seed,) = integral(words, words.take(1, "number: the seed"), "the seed").tolist()
    places = words.take(n * (m + 2), f"numbers: of each of {n} jobs its number, its due date and {m} times")
    words.finish("the times of the last job")
    order = np.argsort(permutation(words, places[:: m + 2], "a job", 0))
    rows = integral(words, places, "a job, due date or time", 0, _LONGEST).reshape(n, m + 2)[order]
    return Instance(rows[:, 2:], due_dates=rows[:, 1], seed=seed)


def _minella(words: Words, related: Words) -> Instance:
    n, m = _sizes(words)
    places = words.take(2 * n * m, f"numbers: {n} rows of {m} pairs of a machine and a time")
    words.finish("the times of the last job")
    rows = integral(words, places, "a machine or time", 0, _LONGEST).reshape(n, m, 2)
    times = np.empty((n, m), np.int64)
    for job in range(n):
        row = places[2 * m * job : 2 * m * (job + 1)]
        times[job, permutation(words, row[::2], f"a machine of job {job}", 0)] = rows[job, :, 1]
    places = related.take(4 * n, f"numbers of Reldue: {n} rows '-1 due-date -1 weight'")
    related.finish("the last weight")
    related.keyword(places[::2], "-1")
    due_dates = integral(related, places[1::4], "a due date", 0, _LONGEST)
    weights = integral(related, places[3::4], "a weight", 0, _LONGEST)
    return Instance(times, due_dates=due_dates, weights=weights)


def _sizes(words: Words) -> tuple[int, int]:
    places = words.take(2, "sizes: the numbers of jobs and machines")
    n, m = integral(words, places, "a number of jobs or machines", 1, _LARGEST_SIZE).tolist()
    return n, m
