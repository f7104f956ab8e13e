"""Search order: which search follows, the same in both halves."""

import re
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Random
from metaheur.errors import InputError
from metaheur.loops.loop import kept_of
from metaheur.parts import BackToFirst, Cyclic, InOrder, Pipe, SearchOrder, Shuffled
from metaheur.parts.choice.search_order import PhaseEnd
from metaheur.problems import OneMax
from metaheur.random import Stream
from tests.helpers import KEY, evaluated

ENDS: dict[str, tuple[bool, bool]] = {"failed": (False, True), "optimum": (True, True), "better": (True, False)}
"""Whether a phase improved, and whether its search was done."""


def turns(order: SearchOrder, *ends: str, count: int = 3) -> list[int]:
    """The searches that follow each other where the phases end like this."""
    kept = kept_of(order, evaluated(OneMax(4), [0, 0, 0, 0]), KEY)
    found = [order.next(kept, PhaseEnd(-1, count), Random(Key(1), Stream.ORDER, 1))]
    for iteration, end in enumerate(ends):
        found.append(order.next(kept, PhaseEnd(found[-1], count, *ENDS[end]), Random(Key(1), Stream.ORDER, iteration)))
    return found


RUNS: list[tuple[SearchOrder, tuple[str, ...], list[int]]] = [
    (InOrder(), ("optimum", "failed", "better"), [0, 1, 2, -1]),
    (InOrder(cycles=True), ("optimum", "failed", "better", "better"), [0, 1, 2, 0, 1]),
    (BackToFirst(), ("failed", "optimum", "failed", "failed", "failed"), [0, 1, 0, 1, 2, -1]),
    (BackToFirst(), ("optimum", "better", "better", "failed"), [0, 1, 0, 0, 1]),
    (Cyclic(), ("better", "better", "failed", "failed", "failed"), [0, 1, 2, 0, 1, -1]),
    (Cyclic(), ("optimum", "failed", "failed"), [0, 1, 2, -1]),
    (Pipe(), ("better", "better", "failed", "better", "optimum", "failed", "failed"), [0, 0, 0, 1, 1, 2, 0, -1]),
]


@pytest.mark.parametrize(("order", "ends", "expected"), RUNS)
def test_searches_follow_each_other_as_the_rule_says(
    order: SearchOrder, ends: tuple[str, ...], expected: list[int]
) -> None:
    assert turns(order, *ends, count=3) == expected


def test_a_random_order_tries_all_that_have_not_failed_since_the_last_improvement() -> None:
    first, *others, last = turns(Shuffled(5), "better", "failed", "failed", "failed", "failed", "failed", count=5)
    assert first in range(5)
    assert sorted(others) == [0, 1, 2, 3, 4]
    assert last == -1


def test_a_random_order_leaves_out_the_search_that_is_done() -> None:
    for ends in (("failed", "optimum"), ("failed", "failed", "optimum")):
        found = turns(Shuffled(4), *ends, *["failed"] * 3, count=4)
        improving = found[len(ends) - 1]
        assert sorted(found[len(ends) : -1]) == sorted({0, 1, 2, 3} - {improving})
        assert found[-1] == -1


def test_a_random_order_draws_its_first_search_too() -> None:
    order = Shuffled(4)
    kept = kept_of(order, evaluated(OneMax(4), [0, 0, 0, 0]), KEY)
    first = [order.next(kept, PhaseEnd(-1, 4), Random(Key(seed), Stream.ORDER, 1)) for seed in range(400)]
    assert np.bincount(first).min() > 60


@pytest.mark.parametrize("count", [0, 1001, 2.5, None])
def test_a_random_order_counts_searches(count: Any) -> None:
    with pytest.raises(InputError, match=re.escape("`Shuffled.count` must be a whole number in 1 ... 1000")):
        Shuffled(count)
