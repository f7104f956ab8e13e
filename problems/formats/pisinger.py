"""0-1 knapsack problems of Pisinger, with their optimal solutions.

Source: D. Pisinger, "Where are the hard knapsack problems?", Computers & Operations Research 32, 2005.
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.problems.formats.knapsack_instance import KnapsackInstance
from metaheur.problems.formats.numbers import integer, integers, scaled
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_pisinger"]


def read_pisinger(path: str | os.PathLike[str]) -> tuple[KnapsackInstance, ...]:
    """Read a csv file with any number of instances, with name, optimum and solution.

    An instance is a name; ``n``, ``c`` (capacity), ``z`` (optimum) and ``time``, each on a line with its number; n
    lines ``item,profit,weight,taken``, numbered 1 ... n in this order; and a line of dashes.
    """
    tokens = Tokens.read(path, commas=True)
    instances = []
    while tokens.left:
        instances.append(_pisinger(tokens))
    return tuple(instances)


def _pisinger(tokens: Tokens) -> KnapsackInstance:
    name = tokens.token(tokens.take(1, "word: the name")[0])
    n = _named(tokens, "n", "the number of items n", 1)
    capacity = _named(tokens, "c", "the capacity c")
    optimum = _named(tokens, "z", "the optimum z")
    seconds = tokens.take(2, "tokens: time and its number")
    tokens.keyword(seconds[:1], "time")
    scaled(tokens, seconds[1:], "the time", 0)
    places = tokens.take(4 * n, f"numbers: {n} lines 'item,profit,weight,taken'")
    items = integers(tokens, places[0::4], "the number of an item", 1, n)
    profits = integers(tokens, places[1::4], "a profit", 0)
    weights = integers(tokens, places[2::4], "a weight", 0)
    taken = integers(tokens, places[3::4], "the value of `taken`", 0, 1)
    if (wrong := items != np.arange(1, n + 1)).any():
        k = int(np.argmax(wrong))
        raise tokens.error(
            places[4 * k], f"item {k + 1} is expected, but item {items[k]} is found", "a line is missing."
        )
    dashes = tokens.take(1, "line of dashes")
    if set(tokens.token(dashes[0])) != {"-"}:
        raise tokens.error(
            dashes[0], f"dashes are expected to end {name[:40]}, but {tokens.shown(dashes[0])} is found", "n is wrong."
        )
    solution = taken.astype(np.uint8)
    return KnapsackInstance(profits, weights[None], np.array([capacity]), optimum=optimum, solution=solution, name=name)


def _named(tokens: Tokens, keyword: str, what: str, low: int = 0) -> int:
    tokens.keyword(tokens.take(1, f"word: {keyword}"), keyword)
    return integer(tokens, what, low)
