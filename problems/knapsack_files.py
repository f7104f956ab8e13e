"""Files of 0-1 knapsack problems: OR-Library's and SAC-94's multidimensional ones, Pisinger's and two layouts of pairs.

Maximise the sum of profits[j] x[j] over bits x, subject to the sum over j of weights[r, j] x[j] <= capacities[r] for
each constraint r. Decimal numbers become integers by a power of ten that the instance names.

Sources: J. E. Beasley, "OR-Library: distributing test problems by electronic mail", Journal of the Operational Research
Society 41, 1990; P. C. Chu and J. E. Beasley, "A genetic algorithm for the multidimensional knapsack problem", Journal
of Heuristics 4, 1998; S. Khuri, T. Bäck and J. Heitkötter, "The zero/one multiple knapsack problem and genetic
algorithms", SAC 1994; D. Pisinger, "Where are the hard knapsack problems?", Computers & Operations Research 32, 2005.
"""

from __future__ import annotations

import os
from typing import final

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.problem import data
from metaheur.problems.numbers import LARGEST, integer, scaled, whole
from metaheur.problems.words import Words

__all__ = ["KnapsackInstance", "read_kp", "read_mkp", "read_pisinger"]


def _bits(value: npt.ArrayLike) -> np.ndarray:
    array = np.asarray(value)
    if not np.isin(array, (0, 1)).all():
        raise InputError("solution holds other values than 0 and 1, but an item is taken or not.")
    bits = array.astype(np.uint8)
    bits.flags.writeable = False
    return bits


@final
@frozen(eq=False)
class KnapsackInstance:
    """A 0-1 knapsack problem with n items and m constraints, as its file states it.

    Parameters
    ----------
    profits : array_like, shape (n,)
        Whole numbers, none negative.
    weights : array_like, shape (m, n)
        Whole numbers, none negative.
    capacities : array_like, shape (m,)
        Whole numbers, none negative.
    optimum : int, optional
        The largest profit that the file states; it is not checked. None if it states none.
    solution : array_like, shape (n,), optional
        The items, 0 or 1, of the solution that the file states; it is not checked. Empty if it states none.
    name : str, default ""
        The name that the file gives.
    factor : int, default 1
        A power of ten: profits, weights, capacities and optimum are this many times the numbers of the file.

    Raises
    ------
    InputError
        If a value is negative, of another shape, or no bit where one is due.
    """

    profits: np.ndarray = data("int64", ndim=1)
    weights: np.ndarray = data("int64", ndim=2)
    capacities: np.ndarray = data("int64", ndim=1)
    optimum: int | None = field(default=None, kw_only=True)
    solution: np.ndarray = field(default=(), converter=_bits, kw_only=True)
    name: str = field(default="", kw_only=True)
    factor: int = field(default=1, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what is no instance."""
        shape = (len(self.capacities), len(self.profits))
        if self.weights.shape != shape or 0 in shape:
            raise InputError(
                f"weights is a matrix of one row a capacity and one column a profit, {shape}, none of them 0, but its "
                f"shape is {self.weights.shape}."
            )
        for name in ("profits", "weights", "capacities"):
            if (low := int(getattr(self, name).min())) < 0:
                raise InputError(f"{name} holds {low}, but no knapsack has negative {name}.")
        if self.solution.shape not in ((0,), self.profits.shape):
            raise InputError(f"solution has the shape {self.solution.shape}, but there are {shape[1]} items.")


def read_mkp(path: str | os.PathLike[str]) -> tuple[KnapsackInstance, ...]:
    """Read a file of multidimensional knapsack problems, of one instance (SAC-94) or several (OR-Library).

    A file of several begins with a line that holds their number alone. An instance is ``n m optimum``, n profits, m
    rows of n weights and m capacities, in free format; an optimum of 0 means that none is stated.

    Returns
    -------
    tuple of KnapsackInstance

    Raises
    ------
    InputError
        If the file cannot be read, is truncated or too long, or holds what is no number or a negative one.
    """
    words = Words.read(path)
    count = integer(words, "the number of instances", 1, LARGEST) if words.on_first_line == 1 else 1
    instances = tuple(_mkp(words) for _ in range(count))
    words.finish("the last capacity")
    return instances


def _mkp(words: Words) -> KnapsackInstance:
    n = integer(words, "the number of items n", 1, LARGEST)
    m = integer(words, "the number of constraints m", 1, LARGEST)
    places = words.take(
        1 + n + m * n + m, f"numbers: the optimum, {n} profits, {m} rows of {n} weights and {m} capacities"
    )
    values, factor = scaled(words, places, "an optimum, profit, weight or capacity", 0)
    return KnapsackInstance(
        values[1 : 1 + n],
        values[1 + n : -m].reshape(m, n),
        values[-m:],
        optimum=int(values[0]) or None,
        factor=factor,
    )


def read_kp(path: str | os.PathLike[str]) -> KnapsackInstance:
    """Read a 0-1 knapsack problem of the layout ``n capacity`` and n times ``profit weight``, in free format.

    So are the files of kplib (each of the first two numbers on its own line) and of the University of Cauca's set.

    Raises
    ------
    InputError
        If the file cannot be read, is truncated or too long, or holds what is no number or a negative one.
    """
    words = Words.read(path)
    n = integer(words, "the number of items n", 1, LARGEST)
    places = words.take(1 + 2 * n, f"numbers: the capacity and {n} pairs of a profit and a weight")
    values, factor = scaled(words, places, "a capacity, profit or weight", 0)
    words.finish("the last weight")
    return KnapsackInstance(values[1::2], values[None, 2::2], values[:1], factor=factor)


def read_pisinger(path: str | os.PathLike[str]) -> tuple[KnapsackInstance, ...]:
    """Read one of Pisinger's csv files, of any number of instances.

    An instance is a name, ``n``, ``c`` (capacity), ``z`` (optimum) and ``time``, each with its number on a line of its
    own, then n lines ``item,profit,weight,taken``, and a line of dashes.

    Returns
    -------
    tuple of KnapsackInstance
        With name, optimum and solution.

    Raises
    ------
    InputError
        If the file cannot be read, is truncated, holds another word where one of these is due, what is no integer or a
        negative one, items that are not numbered 1 ... n, or a `taken` other than 0 and 1.
    """
    words = Words.read(path, commas=True)
    instances = []
    while words.left:
        instances.append(_pisinger(words))
    return tuple(instances)


def _pisinger(words: Words) -> KnapsackInstance:
    name = words.word(words.take(1, "word: the name")[0])
    n = _named(words, "n", "the number of items n", 1)
    capacity = _named(words, "c", "the capacity c")
    optimum = _named(words, "z", "the optimum z")
    seconds = words.take(2, "words: time and its number")
    words.keyword(seconds[:1], "time")
    scaled(words, seconds[1:], "the time", 0)
    places = words.take(4 * n, f"numbers: {n} lines 'item,profit,weight,taken'")
    items = whole(words, places[0::4], "the number of an item", 1, n)
    profits = whole(words, places[1::4], "a profit", 0)
    weights = whole(words, places[2::4], "a weight", 0)
    taken = whole(words, places[3::4], "whether an item is taken", 0, 1)
    if (wrong := items != np.arange(1, n + 1)).any():
        k = int(np.argmax(wrong))
        raise words.error(places[4 * k], f"item {items[k]} stands where item {k + 1} is expected", "a line is lost.")
    dashes = words.take(1, "line of dashes")
    if set(words.word(dashes[0])) != {"-"}:
        raise words.error(
            dashes[0], f"{words.shown(dashes[0])} stands where a line of dashes ends {name[:40]}", "n is wrong."
        )
    solution = taken.astype(np.uint8)
    return KnapsackInstance(profits, weights[None], np.array([capacity]), optimum=optimum, solution=solution, name=name)


def _named(words: Words, keyword: str, what: str, low: int = 0) -> int:
    words.keyword(words.take(1, f"word: {keyword}"), keyword)
    return integer(words, what, low)
