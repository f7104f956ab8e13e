"""Numbers that loops add to fit an int where data proves it, and are right where they leave it."""

# mypy: disable-error-code="no-untyped-def, untyped-decorator, arg-type"
from __future__ import annotations

import numpy as np
import pytest
from attrs import frozen

from metaheur import Permutation, Problem, compiled, data
from metaheur.device.device import Device
from metaheur.neighborhoods import Swap
from metaheur.testing import check_problem
from metaheur.translator import growth
from metaheur.translator.half import made_half
from tests.translator.test_lists import SHOP, Shop


@frozen(eq=False)
class Grown(Problem):
    """Numbers that grow in every way that has a limit, and in some that have none."""

    weights: np.ndarray = data("int64", ndim=2)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    @compiled
    def cost(self, x):
        heights, depths, last = [0] * self.n, [0] * self.n, list(self.weights[0])
        for item in x:
            above = max(heights[item], heights[item - 1]) + self.weights[item, 0]
            below = depths[item] - abs(self.weights[item, 1])
            for k in range(2):
                above += k if above > below else self.weights[k, item]
            heights[item], depths[self.n - 1 - item] = above, below
            last[item] = -min(last[item], last[item - 1])
            heights, depths = depths, heights
            way = above - below * 3
            last[0] = max(way, 0)
        doubled, entry = 1, 0
        for k in range(self.n):
            doubled = (doubled + doubled) % 1000003
            entry += min(way for way in heights) - self.weights[x[k], k]
        return max(heights) - min(depths) + max(last) + doubled + entry


@frozen(eq=False)
class Steps(Problem):
    """A number that leaves the list in a loop, behind a test in which it is an index."""

    sizes: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.sizes))

    @compiled
    def cost(self, x):
        room, at, farthest = [4] * self.n, x[0] % 2, 0
        room[2] = 9
        while room[at] < self.sizes[x[1]]:
            for _ in range(2):
                farthest = max(farthest, at * (1 << 28))
                at += 40
            at = 2
        return farthest


@frozen(eq=False)
class FirstFit(Problem):
    """The bins of a first fit: an index is in range behind the test that uses it."""

    sizes: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.sizes))

    @compiled
    def cost(self, x):
        room, bins = [9] * self.n, 0
        for item in x:
            k = 0
            while room[k] < self.sizes[item]:
                k += 1
            room[k] -= self.sizes[item]
            bins = max(bins, k + 1)
        return bins


RANDOM = np.random.default_rng(2)


@pytest.mark.parametrize("largest", [1, 100, 2**20, 2**26, 2**28, 2**31 - 1, 2**31, 2**40])
def test_numbers_that_grow_are_the_same_in_both_languages(largest: int, compiling: Device) -> None:
    check_problem(Grown(RANDOM.integers(-largest, largest + 1, (6, 6))), Swap(), devices=[compiling.name])


@pytest.mark.parametrize("problem", [Steps([5, 5, 5, 5]), FirstFit([5, 4, 6, 3, 9, 1])], ids=["left", "in range"])
def test_numbers_that_are_indices_are_the_same_in_both_languages(problem: Problem, compiling: Device) -> None:
    check_problem(problem, Swap(), devices=[compiling.name])


def test_lists_of_numbers_that_data_keeps_small_are_lists_of_ints() -> None:
    assert "PyList<int> ends" in SHOP.explain()
    assert "int k = 0;" in FirstFit([5, 4, 6, 3, 9, 1]).explain()


def test_lists_of_numbers_that_may_leave_an_int_are_wide() -> None:
    large = Shop(np.full((8, 5), 2**29))
    assert "PyList<Total> ends" in large.explain()
    check_problem(large, Swap())


def test_a_translator_that_forgets_how_often_a_loop_adds_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "most", lambda goes: 0)
    made_half.cache_clear()
    try:
        with pytest.raises(AssertionError):
            check_problem(Shop(np.full((8, 5), 2**29)), Swap(), devices=["host"])
    finally:
        made_half.cache_clear()
