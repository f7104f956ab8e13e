"""Branch and bound: a search that ends with a proof."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import Factory, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators import Evaluator
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.search import Search
from metaheur.tree.bound import Bound
from metaheur.tree.branching import Branching
from metaheur.tree.dominance import Dominance
from metaheur.tree.order import DepthFirst, Explorers, Order
from metaheur.tree.state import TreeState
from metaheur.tree.tree_parts import TreeParts
from metaheur.validate import instance_field, real, whole, whole_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["BranchAndBound"]


def _optional(kind: type) -> Any:
    """An attrs validator: an instance of the class, or None."""

    def check(owner: Any, attribute: Any, value: Any) -> None:
        if value is not None and not isinstance(value, kind):
            name = f"{type(owner).__name__}.{attribute.name}"
            raise InputError(f"`{name}` must be a {kind.__name__} or None, but is {value!r}.")

    return check


def _cost(value: Any) -> int | float | None:
    return None if value is None else real(value, "BranchAndBound.cutoff", -(2**62), 2**62)


def _kept(_: Any, __: Any, keep: Any) -> None:
    if keep != "all":
        whole(keep, "BranchAndBound.keep", 1, 1 << 20, maybe='use a number or "all".')


def _incumbent(_: Any, __: Any, value: Any) -> None:
    if value not in ("fixed", "eager"):
        raise InputError(f'`BranchAndBound.incumbent` must be "fixed" or "eager", but is {value!r}.')


def _default_bound(search: Any) -> Any:
    return search.branching.bound if isinstance(search.branching, Branching) else None


@final
@frozen
class BranchAndBound(Search[TreeState]):
    """Divide the solutions of a problem until no part can hold a better solution than the best: an exact search.

    `run` starts it from any solution, such as that of a tabu search; `Result.proof` says what is proven. It ends when
    no node is open, or before that by any stopping criterion; `metaheur.tree.gap` and `nodes` are two more. An
    iteration is a batch of nodes. A better solution is visible from the next batch on, so every device, with any number
    of cores, branches the same nodes and ends with the same solution.

    Parameters
    ----------
    branching : Branching
        The tree.
    bound : Bound, optional
        The bound of its nodes; `branching.bound` by default.
    order : Order, keyword-only, default DepthFirst()
        Which nodes come next: `DepthFirst`, `BreadthFirst`, `BestFirst`, `Beam` (a heuristic) or `Explorers`.
    dominance : Dominance, keyword-only, optional
        A relation by which some nodes make others superfluous.
    cutoff : int or float, keyword-only, optional
        Only solutions better than this cost, as the user reads it, are looked for.
    keep : int or "all", keyword-only, default 1
        How many of the best solutions are kept, or "all" optimal solutions: `Result.solutions`.
    incumbent : {"fixed", "eager"}, keyword-only, default "fixed"
        When a better solution becomes visible: from fixed points on, so that the nodes are the same everywhere; or at
        once, to all explorers of a device, or in the rest of a batch that a thread of a CPU branches. "eager" branches
        fewer nodes if the start is bad; the nodes and their number differ from run to run and from device to device.
    memory : int, keyword-only, optional
        Bytes that open nodes may take in memory; half of the free memory by default. Other open nodes wait in a
        temporary folder.
    disk : int, keyword-only, optional
        Bytes that open nodes may take in the folder, 64 GiB by default; if these do not suffice, the run ends.

    Raises
    ------
    InputError
        If a part is of another class, or a number out of range.

    Notes
    -----
    A. H. Land and A. G. Doig, "An automatic method of solving discrete programming problems", Econometrica 28, 1960.
    A. Boukedjar, M. E. Lalami and D. El Baz, "Parallel branch and bound on a CPU-GPU system", PDP 2012.
    """

    branching: Branching[Any] = instance_field(Branching, "write BranchAndBound(KnapsackTree()).")
    bound: Bound[Any] = field(default=Factory(_default_bound, takes_self=True), validator=_optional(Bound))
    order: Order = instance_field(Order, "write order=BreadthFirst().", default=DepthFirst(), kw_only=True)
    dominance: Dominance[Any] | None = field(default=None, kw_only=True, validator=_optional(Dominance))
    cutoff: int | float | None = field(default=None, kw_only=True, converter=_cost)
    keep: int | str = field(default=1, kw_only=True, validator=_kept)
    incumbent: str = field(default="fixed", kw_only=True, validator=_incumbent)
    memory: int | None = whole_field(1, default=None, kw_only=True, metadata={"saved": False})
    disk: int = whole_field(0, default=1 << 36, kw_only=True, metadata={"saved": False})

    def __attrs_post_init__(self) -> None:
        if self.bound is None:
            object.__setattr__(self, "bound", self.branching.bound)
        if isinstance(self.order, Explorers) and (self.dominance is not None or self.keep != 1):
            what = "compare no nodes with each other" if self.dominance is not None else "keep the best solution alone"
            raise InputError(f"Explorers {what}.", "use order=DepthFirst().")
        if self.incumbent == "eager" and self.keep != 1:
            raise InputError(f'incumbent="eager" keeps the best solution alone, but keep={self.keep!r}.')

    @property
    def parts(self) -> TreeParts:
        """The branching, the bound and the dominance."""
        return TreeParts(self.branching, self.bound, self.dominance)

    @property
    def program(self) -> Any:
        """The program that searches the tree."""
        from metaheur.tree.program import TreeProgram

        return TreeProgram(self)

    def require(self, problem: Problem) -> None:
        """Refuse a problem that the tree does not fit."""
        self.branching.require(problem)

    def init(self, start: EvaluatedSolution, key: Key) -> TreeState:
        """The state before the first batch."""
        rows = {"solutions": np.zeros((0, len(start.solution)), start.solution.dtype), "costs": np.zeros(0, np.int64)}
        return TreeState(Walk(key, start, start), self.order.template(), best={} if self.keep == 1 else rows)

    def require_state(self, state: TreeState, problem: Problem) -> None:
        """Refuse open nodes and solutions that the tree does not have.

        Raises
        ------
        InputError
            If there is such a node or solution; the message names it.
        """
        from metaheur.tree.saved import require_tree

        require_tree(self.branching, self.order, state, problem, keep=self.keep)

    def step(self, state: TreeState, evaluate: Evaluator) -> TreeState:
        """One batch by the Python halves."""
        from metaheur.running.runner import in_python
        from metaheur.running.view import Until
        from metaheur.tree.runner import bind

        runner = bind(self, evaluate.problem, in_python("asked for"))
        walks = runner.advance(runner.load([state]), Until(state.walk.iteration + 1)).walks
        after: TreeState = walks.state(0)
        return after

    def done(self, state: TreeState) -> bool:
        return state.done

    def ending(self, state: TreeState) -> str:
        return "memory" if state.full else "no open nodes"
