"""Asynchronous evolution: a child joins the population when its cost arrives, and no worker waits for another one."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, cast, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.loops.evolution import Evolution
from metaheur.loops.loop import unwrapped
from metaheur.open.answered import answered, evaluator_of
from metaheur.open.foresight import Asked
from metaheur.open.known import SolutionKeys
from metaheur.problem import Problem
from metaheur.random import START, Key, Random
from metaheur.search import LoopState, Search
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["Asynchronous", "AsynchronousState"]


@final
@frozen(eq=False)
class AsynchronousState:
    """The state of an asynchronous evolution.

    Parameters
    ----------
    walk : Walk
        The walk's solutions and counts so far.
    inner : LoopState
        The state of the search inside: its population.
    children : numpy.ndarray, shape (children, n)
        The children whose costs are not known yet, in the order in which they were made.
    """

    walk: Walk
    inner: LoopState
    children: np.ndarray


@final
@frozen
class Asynchronous(Search[AsynchronousState]):
    """A population with several children that are evaluated at the same time; each joins when its cost arrives.

    An iteration takes in one child, and makes another one of the population as it is then: no worker waits for the end
    of a generation. By default children arrive in the order in which they were made, so that the result depends on the
    seed and on `children` alone. With ``WorkerPool(..., order="arrival")`` the first one to arrive is taken, and the
    ledger keeps the order: a run with the same seed and the same ledger is the same, step by step.

    Parameters
    ----------
    search : Search
        A search whose children are made one by one, such as `GeneticAlgorithm` with ``SteadyState()``, or `NSGA2` with
        ``children=1``.
    children : int, default 16
        How many children are evaluated at the same time; twice as many as workers, so that none waits.
    """

    search: Search[Any] = field()
    children: int = whole_field(1, 2**16, default=16)

    @search.validator
    def _breeds(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(unwrapped(value), Evolution):
            raise InputError(
                f"Asynchronous needs a search that makes children one by one, but got {value!r}.",
                "use Asynchronous(GeneticAlgorithm(replacement=SteadyState())).",
            )

    def require(self, problem: Problem) -> None:
        """Refuse a problem that the search refuses."""
        self.search.require(problem)

    @property
    def several(self) -> bool:
        """Whether the search approximates a front."""
        return self.search.several

    def init(self, start: EvaluatedSolution, key: Key) -> AsynchronousState:
        inner = self.search.init(start, key)
        space = start.representation
        children = [space.random(Random(key, START, 1 + number)) for number in range(self.children)]
        return AsynchronousState(inner.walk, inner, np.array(children, space.dtype))

    def step(self, state: AsynchronousState, evaluate: Evaluator) -> AsynchronousState:
        problem, children = evaluate.problem, state.children
        first_of = getattr(problem, "first_of", None)
        arrived = 0 if first_of is None else int(first_of(children))
        x = children[arrived].copy()
        child = EvaluatedSolution(problem.representation, x, evaluate.cost(x))
        walk = state.walk.go_to(child, 1)
        after = self.search.step(LoopState(walk, state.inner.kept), _without_costs(problem, child.cost))
        rest = np.concatenate([children[:arrived], children[arrived + 1 :], after.walk.current.solution[None]])
        return AsynchronousState(walk, LoopState(walk, after.kept), rest)

    def done(self, state: AsynchronousState) -> bool:
        return False

    def fronts(self, state: AsynchronousState) -> Sequence[Any]:
        """The solutions that the search keeps, if it approximates a front."""
        return cast(Sequence[Any], cast(Any, self.search).fronts(state.inner))

    def sent(self, state: AsynchronousState, to: Any | None) -> Any:
        """The solutions that the search sends, if it approximates a front."""
        return cast(Any, self.search).sent(state.inner, to)


@final
class Underway:
    """The foresight of an asynchronous evolution: the next steps ask for the children that the state has, in order.

    `children`: how many there are.

    Attributes
    ----------
    steps : deque of list
        The solutions that the next steps of the walk will ask for: one each.
    """

    sure = True

    def __init__(self, children: int) -> None:
        self.children, self.names = children, SolutionKeys()
        self.steps: deque[Asked] = deque()
        self._begun = True

    def begin(self, key: bytes, x: np.ndarray, walk: Key) -> None:
        """Begin before the walk: the first solution is its start."""
        self.steps.append([(key, x)])
        self._begun = False

    def restart(self) -> None:
        """Forget the steps that were foreseen."""
        self.steps.clear()
        self._begun = True

    def follow(self, asked: list[bytes]) -> None:
        """The walk has made a step, which asked for the solutions with these keys."""
        if not self.steps or [key for key, _ in self.steps.popleft()] != asked:
            self.steps.clear()
        self._begun = True

    def extend(self, state: Any) -> Asked:
        """The child that comes after those that were foreseen; nothing where there is none, or the walk has not begun.

        `state`: where the walk stands.
        """
        if self.ends:
            return []
        self.steps.append(self.names.of(state.children[len(self.steps)][None]))
        return self.steps[-1]

    @property
    def ends(self) -> bool:
        """Whether all children are foreseen."""
        return len(self.steps) >= (self.children if self._begun else 1)


def _without_costs(problem: Problem, cost: Any) -> Evaluator:
    """An evaluator to which all solutions cost the same: it serves to make a child, whose cost arrives later."""
    return evaluator_of(answered(problem, lambda xs: [cost] * len(xs)))
