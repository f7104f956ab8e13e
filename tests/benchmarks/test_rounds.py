"""Rounds of benchmarks are kept, and a loss is found whatever the speed of the machine."""

from pathlib import Path

import numpy as np
import pytest

from metaheur.errors import InputError
from tests.benchmarks.rounds import BASELINE, Rounds, earlier


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
    found = rounds(1000.0).compared(Rounds(), 0.1)
    assert found.table.names == ()
    assert found.failed  # nothing is compared


def test_what_is_compared_is_read_before_anything_is_measured(tmp_path: Path) -> None:
    assert earlier({"METAHEUR_AGAINST": "", "METAHEUR_LOSS": ""}) is None
    saved = str(rounds(1000.0).save(tmp_path))
    before = earlier({"METAHEUR_AGAINST": saved, "METAHEUR_LOSS": "0.2"})
    assert before is not None
    assert (before[0].rates, before[1]) == (rounds(1000.0).rates, 0.2)
    (tmp_path / "other.json").write_text("[]")
    for against, loss, reason in [
        ("/nonexistent", "", "/nonexistent is not a file of rounds: FileNotFoundError"),
        (str(tmp_path / "other.json"), "", "is not a file of rounds: TypeError"),
        (saved, "abc", "LOSS must be a number in 0 ... 1, but is 'abc'"),
        (saved, "2", "LOSS must be a number in 0 ... 1, but is '2'"),
    ]:
        with pytest.raises(InputError, match=reason):
            earlier({"METAHEUR_AGAINST": against, "METAHEUR_LOSS": loss})
