"""Rounds of benchmarks are kept, and a loss is found whatever the speed of the machine."""

from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.rounds import BASELINE, Rounds


def rounds(rate: float, machine: float = 1.0) -> Rounds:
    """Seven rounds with some noise, on a machine of some speed."""
    noise = 1 + 0.02 * np.random.default_rng(7).standard_normal((3, 7))
    works = {"host": rate * machine * noise[0], "cuda": rate * noise[1], BASELINE: 100 * machine * noise[2]}
    return Rounds({"moves": {name: values.tolist() for name, values in works.items()}})


def test_rounds_are_read_as_they_were(tmp_path: Path) -> None:
    saved = rounds(1000.0)
    assert Rounds.read(saved.save(tmp_path / "bench")).rates == saved.rates


@pytest.mark.parametrize(("rate", "lost"), [(1000.0, 0), (950.0, 0), (800.0, 2), (1200.0, 0)])
def test_a_loss_beyond_the_allowed_one_is_found(rate: float, lost: int) -> None:
    found = rounds(rate).compared(rounds(1000.0), 0.1)
    assert len(found.losses) == lost
    assert found.table.names == (("moves", "host"), ("moves", "cuda"))
    for before, now, ratio, (low, high), _ in found.table.cells:
        assert low <= ratio <= high
        assert ratio == pytest.approx(now / before, rel=0.02)


def test_a_slower_machine_is_no_loss() -> None:
    assert rounds(1000.0, machine=0.5).compared(rounds(1000.0), 0.1).losses == ()
    assert rounds(800.0, machine=2.0).compared(rounds(1000.0), 0.1).losses == ("moves: host", "moves: cuda")


def test_works_that_are_new_are_left_out() -> None:
    assert rounds(1000.0).compared(Rounds(), 0.1).table.names == ()
