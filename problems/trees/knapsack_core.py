"""Exact search for the 0-1 knapsack problem with one constraint by dynamic programming over a core."""

from __future__ import annotations

from typing import Any, final

from attrs import astuple, frozen

from metaheur.errors import InputError
from metaheur.evaluators import Evaluator
from metaheur.problem import Problem
from metaheur.problems.knapsack import Knapsack
from metaheur.problems.trees.core_items import LIMIT, items_of
from metaheur.problems.trees.core_saved import nothing, require_core
from metaheur.random import Key
from metaheur.search import Search
from metaheur.tree.state import TreeState
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["KnapsackCore"]


@final
@frozen
class KnapsackCore(Search[TreeState]):
    """Prove the optimum of a knapsack with one constraint by dynamic programming over an expanding core.

    Items are sorted by their ratio of profit to weight; the *break item* is the first that does not fit. The core
    begins empty there and takes the next item behind it, the next before it, and so on. Its states are the sets of
    changes to the break solution, without *dominated* sets, which weigh no less and earn no more than another, and
    without sets whose bound is not better than the best solution. The optimum is proven when no state is left.

    `Result.proof` says what is proven. An iteration is an item of the core; the first evaluates the break solution and
    its neighbors. A node is a state, a branched node a state whose next item was decided.

    Parameters
    ----------
    memory : int, keyword-only, optional
        Bytes that states may take; half of what is free by default. If they do not suffice, the run ends.

    Notes
    -----
    D. Pisinger, "A minimal algorithm for the 0-1 knapsack problem", Operations Research 45, 1997: the expanding core.
    S. Martello, D. Pisinger and P. Toth, "Dynamic programming and strong bounds for the 0-1 knapsack problem",
    Management Science 45, 1999. Besides, weights and profits are compared by their greatest common divisors.

    Examples
    --------
    >>> from metaheur import run, stop
    >>> from metaheur.problems import Knapsack
    >>> knapsack = Knapsack.single([6, 5, 4], [3, 2, 2], 4)
    >>> result = run(KnapsackCore(), knapsack, stop=stop.seconds(10), parallel="numpy")
    >>> result.proof.status, result.cost
    ('optimal', 9)
    """

    memory: int | None = whole_field(1, default=None, kw_only=True, metadata={"saved": False})

    @property
    def program(self) -> Any:
        """The program that decides the items."""
        from metaheur.problems.trees.core_runner import CoreProgram

        return CoreProgram(self)

    def reason_against(self, problem: Problem) -> str:
        """Why the search does not fit a problem, in words; "" if it does."""
        if not isinstance(problem, Knapsack):
            return f"KnapsackCore proves optima of a Knapsack, but this is a {type(problem).__name__}."
        if len(problem.capacities) != 1:
            return (
                f"KnapsackCore takes one constraint, but this Knapsack has {len(problem.capacities)}.\n"
                "Maybe use BranchAndBound(MultiKnapsackTree())."
            )
        reach = items_of(problem).overflow
        if reach >= LIMIT:
            return (
                f"The bounds multiply profits by weights, and sums of them could reach {reach}, which overflows int64 "
                f"(2**62 = {LIMIT} is the limit).\nMaybe divide profits or weights by a common factor, or use "
                "BranchAndBound(KnapsackTree())."
            )
        return ""

    def require(self, problem: Problem) -> None:
        """Refuse a problem that is not a knapsack with one constraint, or whose bounds could overflow."""
        if reason := self.reason_against(problem):
            raise InputError(reason)

    def init(self, start: EvaluatedSolution, key: Key) -> TreeState:
        """The state before the first item."""
        return TreeState(Walk(key, start, start), nothing())

    def require_state(self, state: TreeState, problem: Problem) -> None:
        """Refuse a core with states that cannot come from the items.

        No check can see whether a state is missing: a person who changes a checkpoint on purpose can change the proof.

        Raises
        ------
        InputError
            If there is such a state; the message names it.
        """
        counts = astuple(state.counts)
        if any(type(count) is not int or not 0 <= count <= 2**62 for count in counts):
            raise InputError(f"its core counts {counts}.")
        assert isinstance(problem, Knapsack)
        if state.feasible and problem.violation(state.walk.best.solution):
            raise InputError("its best solution is marked as feasible, but is too heavy.")
        if state.begun:
            require_core(items_of(problem), state.open)

    def step(self, state: TreeState, evaluate: Evaluator) -> TreeState:
        """One item by the Python half."""
        from metaheur.problems.trees.core_runner import bind
        from metaheur.running.runner import in_python
        from metaheur.running.view import Until

        runner = bind(self, evaluate.problem, None, in_python("asked for"))
        walks = runner.advance(runner.load([state]), Until(state.walk.iteration + 1)).walks
        after: TreeState = walks.state(0)
        return after

    def done(self, state: TreeState) -> bool:
        return state.done

    def ending(self, state: TreeState) -> str:
        return "memory" if state.full else "no open nodes"
