"""Where a chunk of a walk ends: at an iteration, a cost, an improvement, or after none for some time."""

import numpy as np
import pytest

from metaheur import EvaluatedSolution, Key, Permutation, Until, Walk

START = EvaluatedSolution(Permutation(3), np.arange(3, dtype=np.int32), 10)
WALK = Walk(Key(1), START, START, iteration=5, improved_at=3)


@pytest.mark.parametrize(
    ("until", "reached"),
    [
        (Until(5), True),
        (Until(6), False),
        (Until(9, cost=10), True),
        (Until(9, cost=9), False),
        (Until(9, stagnation=2), True),
        (Until(9, stagnation=3), False),
        (Until(9, improvement=True), False),
    ],
    ids=str,
)
def test_a_chunk_ends_when_one_of_its_ends_is_reached(until: Until, reached: bool) -> None:
    assert until.reached(WALK) is reached


def test_a_chunk_may_end_with_an_improvement() -> None:
    improved = Walk(Key(1), START, START, iteration=5, improved_at=5)
    assert Until(9, improvement=True).reached(improved)
    assert not Until(9).reached(improved)
