"""Replacement by an order of members and children, for several objectives."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import final

import numpy as np

from metaheur.fields import Array
from metaheur.part import Kept
from metaheur.parts.replacement.for_fronts import ReplacementForFronts
from metaheur.parts.replacement.replacement import take
from metaheur.representation import read_only

__all__ = ["OrderedReplacement"]


class OrderedReplacement(ReplacementForFronts):
    """The first of members and children in an order survive, as many as there are members; for several objectives.

    Members that survive keep their places in the population, and children fill the other places. Parents are selected
    by the same order.

    In C++, by all threads of a team, instead of `replace`, `rate` and `fitness`: ``template <class Population> void
    place(const Walk&, Population&, i64 count) const``, which writes how many of the first `count` members and children
    come before the i-th to ``population.near(i)``, by means of `population.scores`.
    """

    @abstractmethod
    def order(self, costs: np.ndarray, solutions: np.ndarray, size: int) -> np.ndarray:
        """The indices of all members and children, the best first.

        Parameters
        ----------
        costs : numpy.ndarray, shape (N, K)
            The costs of the members, then of the children.
        solutions : numpy.ndarray, shape (N, n)
            The solutions in the same order.
        size : int
            How many of them survive.
        """

    def arrays(self, size: int) -> Mapping[str, Array]:
        """The place of each member in the order."""
        return {"places": Array((size,), "int64", within=(0, size - 1))}

    def numbers(self, costs: np.ndarray, solutions: np.ndarray) -> Mapping[str, np.ndarray]:
        """Numbers of members and children that survivors keep, by the names of other `arrays`; none by default.

        In C++, by one thread: ``template <class Population> void keep(Population&, i64 s, i64 i) const``, which keeps
        the numbers of the i-th of members and children for the s-th member.

        Parameters
        ----------
        costs, solutions : numpy.ndarray
            As for `order`.
        """
        return {}

    def fitness(self, population: Kept) -> np.ndarray:
        """The places in the order."""
        found: np.ndarray = population["places"]
        return found

    @final
    def rate(self, population: Kept) -> None:
        costs, solutions = read_only(population["costs"]), read_only(population["solutions"])
        population["places"][self.order(costs, solutions, len(costs))] = np.arange(len(costs))
        for name, numbers in self.numbers(costs, solutions).items():
            population[name][:] = numbers

    @final
    def replace(self, population: Kept) -> None:
        size = len(population["costs"])
        costs = np.vstack([population["costs"], population["child_costs"]])
        solutions = np.vstack([population["solutions"], population["children"]])
        places = np.empty(len(costs), np.int64)
        places[self.order(costs, solutions, size)] = np.arange(len(costs))
        survivors, leaving = np.arange(size), np.flatnonzero(places[:size] >= size)
        survivors[leaving] = np.flatnonzero(places[size:] < size) + size
        for s in leaving.tolist():
            take(population, s, int(survivors[s]) - size)
        for name, numbers in {"places": places, **self.numbers(costs, solutions)}.items():
            population[name][:] = numbers[survivors]
