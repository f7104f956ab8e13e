"""Drawn costs, whose derived changes compiled code evaluates, many in one unit; on a GPU 2,124 derivations.

`derived_fuzz` makes any number.
"""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from metaheur.device.device import Device
from metaheur.errors import CheckFailed
from tests.translator import derived_fuzz
from tests.translator.derived_fuzz import EACH, SPACES, Answers, Work, checked, judged, works


def test_a_few_drawn_costs_change_in_compiled_code_as_full_evaluations_say(tmp_path: Path) -> None:
    assert checked(range(4), "bits", tmp_path)["delta"] > 3
    assert checked(range(4), "lists", tmp_path)["fold"] == 12


def test_a_wrong_derivation_is_told_with_the_seeds_that_draw_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise CheckFailed("delta is 3, but should be 4")

    monkeypatch.setattr(derived_fuzz, "check_problem", refuse)
    work = Work(48, "bits", 0)
    counts, error = judged(work, "host")
    assert not counts
    assert error == "CheckFailed: delta is 3, but should be 4"
    assert str(work) == "bits, Hamming(radius=1), seeds range(48, 72)"


def test_a_later_call_goes_on_with_the_answers_about_this_tree_and_device(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, (one, other, third) = tmp_path / "answers", islice(works(0), 3)
    Answers("host", kept).heard(one, Counter(delta=20, fold=2), "")
    Answers("cuda", kept).heard(other, Counter(delta=5), "")
    Answers("host", kept).heard(third, Counter(), "CheckFailed: delta is 3")
    kept.write_text(kept.read_text() + kept.read_text().replace(derived_fuzz.tree(), "another tree"))
    again = Answers("host", kept)
    assert again.known == {one, third}
    assert again.derivations == 22
    assert list(again.rows) == ["| all | 22 |", "| changes of cost | 20 |", "| folds | 2 |"]
    assert again.wrong == ["CheckFailed: delta is 3"]
    assert f"WRONG: {third}: CheckFailed: delta is 3" in capsys.readouterr().out


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


@pytest.mark.cuda
@pytest.mark.thorough
def test_no_carry_is_lost_in_where_three_opt_cuts(gpu: Device, tmp_path: Path) -> None:
    found = checked(range(300_120, 300_120 + EACH), "order", tmp_path, gpu.name, 4)  # docs/decisions/a-lost-carry.md
    assert found["delta"] > 2
