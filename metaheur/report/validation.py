"""Checks of a record from a file, on which all readers of experiments rely."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import attrs
import numpy as np

from metaheur.archives.front import Front
from metaheur.machine.performance import Performance
from metaheur.report.values import require_kinds
from metaheur.running.proof import Counts, Proof
from metaheur.running.race import Race, Tried
from metaheur.running.result import Result, WalkTable

__all__ = ["is_cost", "require_entries", "require_result"]

KINDS = {"finished": "b", "feasible": "b", "seconds": "f", "searches": "U", "costs": "iuf"}
"""The kinds of the columns of the table of walks; the others are whole numbers."""


def is_cost(value: Any) -> bool:
    """Whether a value of JSON is a cost, or None where there is none."""
    return value is None or (type(value) is int and abs(value) < 2**64) or (type(value) is float and isfinite(value))


def require_entries(content: Mapping[str, Any]) -> None:
    """Refuse a record whose entries beside the result are not of their kinds."""
    run = content["run"]
    texts = (*(run[name] for name in ("search", "problem", "model")), content["error"], content["traceback"])
    if not all(isinstance(each, str) for each in texts) or set(run) != {"search", "problem", "model", "seed"}:
        raise ValueError("`run`, `error` and `traceback` must have texts")
    if type(run["seed"]) is not int or not 0 <= run["seed"] < 2**64:
        raise ValueError(f"the seed must be a whole number, but is {run['seed']!r}")
    best = content["problem"]["best_known"]
    if not is_cost(best):
        raise ValueError(f"`best_known` must be a number or null, but is {best!r}")


def require_result(result: Result) -> None:
    """Refuse a result whose fields are not of their kinds, or do not belong to each other."""
    require_kinds(result)
    for each in result.improvements:
        require_kinds(each)
    kinds = {"walks": WalkTable, "performance": Performance, "proof": Proof, "front": Front, "race": Race}
    for name, kind in kinds.items():
        value = getattr(result, name)
        if not isinstance(value, kind) and (value is not None or name in ("walks", "performance")):
            raise ValueError(f"`{name}` must be a {kind.__name__}, but is {value!r:.60}")
    _require_walks(result.walks, 2 if isinstance(result.cost, tuple) else 1)
    _require_costs(result)
    _require_parts(result)
    if result.solution.ndim != 1 or result.solutions.ndim != 2 or result.solution.dtype.kind not in "biuf":
        raise ValueError("`solution` and `solutions` must be arrays of numbers")
    if min(result.iterations, result.evaluated, result.seconds) < 0 or not isfinite(result.seconds):
        raise ValueError("iterations, evaluations and seconds must not be negative")
    if not all(isinstance(each, str) for each in (*result.failures, *result.versions, *result.versions.values())):
        raise ValueError("`failures` and `versions` must be texts")


def _require_walks(walks: WalkTable, dimensions: int) -> None:
    """Refuse a table of walks whose columns do not belong to each other; costs may have a dimension more."""
    for name, column in ((each.name, getattr(walks, each.name)) for each in attrs.fields(WalkTable)):
        ndim = dimensions if name == "costs" else 1
        if column.ndim != ndim or not 0 < len(column) == len(walks) or column.dtype.kind not in KINDS.get(name, "iu"):
            raise ValueError(f"`{name}` of the walks does not fit the others")


def _require_costs(result: Result) -> None:
    """Refuse costs that are not numbers, or of different numbers of objectives."""
    costs = (result.cost, result.start_cost, *(each.cost for each in result.improvements))
    if len({len(each) if isinstance(each, tuple) else 0 for each in costs if each is not None}) != 1:
        raise ValueError("the costs have different numbers of objectives")
    plain = [part for each in costs for part in (each if isinstance(each, tuple) else (each,))]
    if not all(is_cost(part.item() if isinstance(part, np.generic) else part) for part in plain) or plain[0] is None:
        raise ValueError("a cost is not a number")


def _require_parts(result: Result) -> None:
    """Refuse a front, a proof or a race whose fields do not belong to each other."""
    front, proof, race = result.front, result.proof, result.race
    if isinstance(result.cost, tuple) != (front is not None or bool(result.levels)):
        raise ValueError("a front belongs to several objectives")
    if result.levels and len(result.levels) != len(result.cost):
        raise ValueError("the costs have other levels")
    if not all(isinstance(each, str) for each in result.levels):
        raise ValueError("`levels` must be names")
    if front is not None:
        _require_front(front, len(result.solution))
    if proof is not None and not isinstance(proof.counts, Counts):
        raise ValueError("`counts` of the proof must be Counts")
    if race is not None and not all(isinstance(each, Tried) for each in race.tried):
        raise ValueError("`tried` of the race must be searches")
    if race is not None and not 0 <= race.won < len(race.tried):
        raise ValueError("`won` of the race must be one of its searches")


def _require_front(front: Front, n: int) -> None:
    """Refuse a front whose arrays do not belong to each other."""
    m, k = len(front.walks), len(front.objectives)
    shapes = {"costs": (m, k), "solutions": (m, n), "signs": (k,), "walks": (m,), "born": (m,)}
    for name, shape in shapes.items():
        array = getattr(front, name)
        if array.shape != shape or array.dtype.kind not in "biuf" or not np.isfinite(array).all() or not m:
            raise ValueError(f"`{name}` of the front does not fit the others")
    if not (abs(front.signs) == 1).all() or not 0 < front.factor < 2**64:
        raise ValueError("`signs` of the front must be 1 or -1, and its factor a count")
