"""The ways to run a search that a planner compares."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from attrs import evolve

from metaheur.device.cuda.cuda import gpus
from metaheur.device.halves import lacking
from metaheur.device.host.host import Host
from metaheur.evaluators.device import threads_for
from metaheur.parallel.iteration_level import IterationLevel
from metaheur.parallel.multistart import Multistart
from metaheur.problem import Problem
from metaheur.runners.teams import BLOCK_FROM
from metaheur.runners.trials import Candidate
from metaheur.running.program import lacking_of
from metaheur.running.runner import Facts, ParallelModel
from metaheur.running.thresholds import Thresholds
from metaheur.search import Search

__all__ = ["alternatives", "name_of"]

GPU = "cuda:0"

STEPPED = "stepped by Python"


def name_of(facts: Facts) -> str:
    """The name of the way to run that a runner's facts describe."""
    return facts.device if facts.resident or facts.device == "numpy" else f"{facts.device} {STEPPED}"


def alternatives(
    search: Search[Any], problem: Problem, model: IterationLevel | Multistart, facts: Facts
) -> list[Candidate]:
    """The ways to run a search that may be faster than the one that the rule chose; all make the same walks.

    There are none where costs are fractions, whose last bits depend on the device, and where the search's program
    offers none.

    `model`: the model that the rule took, for any device. `facts`: the facts of its runner.
    """
    if problem.cost_type == "float64" or facts.device == "numpy" or search.program is None:
        return []
    offered = search.program.alternatives()
    if not offered.spreads:
        ways = _on_devices(offered.kinds, model)
    else:
        resident = not lacking_of(search, problem)
        one = isinstance(model, IterationLevel)
        ways = (
            _of_walk(search, problem, model.thresholds, resident=resident) if one else _of_walks(search, problem, model)
        )
    return [Candidate(name, partial(way.bind, search, problem)) for name, way in ways if name != name_of(facts)]


def _size(search: Search[Any], problem: Problem) -> int:
    """Moves of the largest neighborhood."""
    return max((each.size(problem.representation) for each in search.neighborhoods), default=1)


def _on_devices(kinds: tuple[str, ...], model: ParallelModel) -> Iterator[tuple[str, ParallelModel]]:
    """The same model on each kind of device."""
    for name in (GPU if kind == "cuda" else kind for kind in kinds):
        if name != GPU or gpus():
            yield name, model.on(name)


def _of_walk(
    search: Search[Any], problem: Problem, limits: Thresholds, *, resident: bool
) -> Iterator[tuple[str, ParallelModel]]:
    """One walk: resident on a device, or stepped by Python where a device has enough moves to evaluate."""
    size, length = _size(search, problem), problem.representation.length
    stepped = not lacking(problem, *search.neighborhoods) and bool(search.neighborhoods)
    resident = resident and size < limits.stream_from
    if resident:
        yield "host", IterationLevel("host", resident=True, thresholds=limits)
    if stepped and threads_for(Host(), size, length, None) > 1:
        yield f"host {STEPPED}", IterationLevel("host", resident=False, thresholds=limits)
    if not gpus():
        return
    if resident:
        yield GPU, IterationLevel(GPU, resident=True, thresholds=limits)
        if not search.program.alternatives().divides:
            yield f"{GPU} by a warp", Multistart(1, "warp", device=GPU, thresholds=limits)
        elif size >= BLOCK_FROM:
            blocks = 1 if size >= limits.cluster_from else 8
            way = IterationLevel(GPU, resident=True, blocks=blocks, thresholds=limits)
            yield f"{GPU} by {blocks} block{'s' * (blocks > 1)}", way
    if stepped and size >= BLOCK_FROM:
        yield f"{GPU} {STEPPED}", IterationLevel(GPU, resident=False, thresholds=limits)


def _of_walks(search: Search[Any], problem: Problem, model: ParallelModel) -> Iterator[tuple[str, ParallelModel]]:
    """Many walks: on the cores of a CPU, or on a GPU with another owner of each walk than the rule's, too."""
    yield "host", model.on("host")
    if gpus():
        assert isinstance(model, Multistart)
        yield GPU, model.on(GPU)
        if search.program.alternatives().divides:
            per = "warp" if _size(search, problem) >= BLOCK_FROM else "block"
            yield f"{GPU} by a {per} each", evolve(model, device=GPU, per=per)
