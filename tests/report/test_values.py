"""Searches, problems and criteria are written as JSON and made again, equal in every field."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import stop
from metaheur.errors import InputError
from metaheur.parallel import IterationLevel, Multistart
from metaheur.problems import QAP
from metaheur.report.values import Arrays, content_hash, decoded, encoded
from tests.compositions import FRONTS, LOOPS
from tests.report.test_run_many import Failing

THINGS: dict[str, Any] = {
    **{name: search for name, (_, search) in LOOPS.items()},
    **{f"front, {name}": search for name, (_, search) in FRONTS.items()},
    **{type(problem).__name__: problem for problem, _ in [*LOOPS.values(), *FRONTS.values()]},
    "stop": stop.iterations(5) | stop.seconds(3) & ~stop.no_improvement(8),
    "model": Multistart(8, device="host"),
    "thresholds": IterationLevel("numpy"),
    "start": np.arange(100),
    "numbers": (1, 2.5, float("inf"), np.int64(3), Fraction(1, 3), None, "a", True, Path("b"), [{"c": 4}]),
}


@pytest.mark.parametrize("name", [name for name, thing in THINGS.items() if not type(thing).__module__.startswith("t")])
def test_what_is_read_back_is_equal(name: str, tmp_path: Path) -> None:
    thing, arrays = THINGS[name], Arrays(tmp_path / "data")
    text = json.dumps(encoded(thing, arrays), allow_nan=False)
    again = decoded(json.loads(text), arrays)
    assert type(again) is type(thing)
    assert content_hash(again, "it") == content_hash(thing, "it")
    assert len(text) < 50_000


def test_equal_arrays_share_a_file(tmp_path: Path) -> None:
    arrays = Arrays(tmp_path)
    for seed in (2, 2, 3):
        encoded(QAP.random(12, seed), arrays)
    assert len(list(tmp_path.glob("*.npy"))) == 4


@pytest.mark.parametrize("thing", [Failing(2), stop.when(bool), object()], ids=["class", "function", "object"])
def test_what_is_not_metaheur_s_is_not_made(thing: Any) -> None:
    written = encoded(thing, Arrays())
    with pytest.raises(InputError, match=r"not a class of metaheur.(.|\n)*Maybe pass the object itself"):
        decoded(written, Arrays())


def test_a_lost_file_of_an_array_is_named(tmp_path: Path) -> None:
    written = encoded(QAP.random(12, 2), Arrays(tmp_path))
    for path in tmp_path.iterdir():
        path.unlink()
    with pytest.raises(InputError, match=r"npy cannot be read: .*No such file"):
        decoded(written, Arrays(tmp_path))
