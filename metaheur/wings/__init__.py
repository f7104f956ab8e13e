"""What wings add to the core: a file a wing, whose names are those of hooks; the core asks, and imports no wing.

The hooks, each optional in a wing's file:

=================  ====================================================================================================
`proofs`           a function of a problem: the exact searches that `solve` may let take part
`problem_of_file`  a function of a path: the problem in a file, for `solve`
`front`            a function of a problem, and of what walks keep for several objectives: their front
`plot_cost`        a function that draws the costs of a run, for `Result.plot`
`draw_solution`    a function that draws a solution, for `Result.plot_solution`
`draw_tree`        a function that draws what became of a tree's nodes, for `Proof.plot`
`front_search`     a function of a neighborhood: the search that suits several objectives, for `solve`
`suited_searches`  a function of a problem: searches that suit it besides those of its usual neighborhoods
`kicks`            a function of a search, a perturbation and an acceptance: the loop of an iterated local search that
                   undoes a rejected iteration by a journal; None where they keep none
`usual_kick`       a function of a search: the perturbation of an iterated local search that is given none, or None
`by_workers`       a function of a `SolutionLevel` with an executor, a search and a problem: the runner
=================  ====================================================================================================

Two more need no entry: a mark of `compiled` brings its translator (`marker.Translator`), and a search its program,
which says what a planner may try (`Program.alternatives`).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["filled"]


@cache
def filled(hook: str) -> tuple[Any, ...]:
    """What the installed wings put into a hook, in the order of the wings' names."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    modules = [import_module(f"{__name__}.{name}") for name in names]
    return tuple(getattr(module, hook) for module in modules if hasattr(module, hook))
