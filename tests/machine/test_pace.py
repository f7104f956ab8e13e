"""The length of chunks: 100 ms, and longer where walks wait for each other."""

import numpy as np
import pytest

from metaheur.machine.pace import Pace


def after(work: list[int], each: float, chunks: int = 8) -> float:
    """Seconds of the chunk after some chunks in which the longest walk takes `each` seconds an iteration."""
    pace = Pace()
    for _ in range(chunks):
        pace.measure(pace.length, each * pace.length, pace.length * np.array(work))
    return pace.length * each


@pytest.mark.parametrize("work", [[7], [5, 5, 5], []])
def test_chunks_of_even_walks_take_100_milliseconds(work: list[int]) -> None:
    assert after(work, 1e-4) == pytest.approx(0.1)


@pytest.mark.parametrize(("work", "seconds"), [([4, 1, 1], 0.4), ([30, 0, 0, 0], 1.0)])
def test_chunks_are_longer_where_walks_wait_for_each_other(work: list[int], seconds: float) -> None:
    assert after(work, 1e-4) == pytest.approx(seconds)


def test_a_chunk_grows_at_most_sixteenfold_and_fits_into_the_time_left() -> None:
    pace = Pace()
    pace.measure(1, 1e-4, np.array([4, 1, 1]))
    assert pace.length == 16
    assert pace.within(1.0) == 16
    assert pace.within(5.5e-4) == 5
