"""Drawn costs, whose derived changes compiled code evaluates, many in one unit; on a GPU 2,124 derivations.

`derived_fuzz` makes any number.
"""

from pathlib import Path
from typing import Any

import pytest

from metaheur.device.device import Device
from metaheur.errors import CheckFailed
from tests.translator import derived_fuzz
from tests.translator.derived_fuzz import EACH, SPACES, checked, judged


def test_a_few_drawn_costs_change_in_compiled_code_as_full_evaluations_say(tmp_path: Path) -> None:
    assert checked(range(4), "bits", tmp_path)["delta"] > 3
    assert checked(range(4), "lists", tmp_path)["fold"] == 12


def test_a_wrong_derivation_is_told_with_the_seeds_that_draw_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise CheckFailed("delta is 3, but should be 4")

    monkeypatch.setattr(derived_fuzz, "check_problem", refuse)
    counts, error = judged(range(4), "bits", 0, "host")
    assert not counts
    assert error == "bits, Hamming(radius=1), seeds range(0, 4): CheckFailed: delta is 3, but should be 4"


@pytest.mark.thorough
@pytest.mark.parametrize("kind", SPACES)
def test_many_drawn_costs_change_in_compiled_code_as_full_evaluations_say(kind: str, tmp_path: Path) -> None:
    found = checked(range(100, 100 + EACH), kind, tmp_path)
    assert found["delta"] + found["fold"] > EACH // 2


@pytest.mark.cuda
@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 20 * EACH, EACH))
def test_drawn_costs_change_on_a_gpu_as_full_evaluations_say(first: int, gpu: Device, tmp_path: Path) -> None:
    assert sum(checked(range(first, first + EACH), kind, tmp_path, gpu.name)["delta"] for kind in SPACES) > EACH
