"""Archived annealing: trials for several objectives, accepted by how much an archive dominates them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, evolve, frozen

from metaheur.archives.archive import Archive
from metaheur.archives.crowding import Crowding
from metaheur.archives.members import Members
from metaheur.archives.unbounded import Unbounded
from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import COUNT, Array
from metaheur.loops.loop import Loop
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.part import zeros
from metaheur.parts import Cooling
from metaheur.parts.acceptance.metropolis import LN2, exponential, logarithms
from metaheur.problem import Problem
from metaheur.random import Stream, first_words, scaled
from metaheur.representation import Representation
from metaheur.search import LoopState
from metaheur.validate import instance_field
from metaheur.walk import EvaluatedSolution, number_of

__all__ = ["ArchivedAnnealing"]

WORD = 2**32 - 1
"""The largest random word."""


@final
@frozen
class ArchivedAnnealing(Loop):
    """An iteration tries one random move: a new solution, compared with the current one and with an archive.

    If none of these dominates the new solution, it becomes the current one and is offered to the archive. Otherwise the
    mean amount d of domination over all that dominate it decides: the new solution is accepted with the probability 1 /
    (1 + exp(d / temperature)). But if it dominates the current solution, it is accepted, or the member that dominates
    it by the least amount d becomes the current solution, with the probability 1 / (1 + exp(-d)). The search ends with
    the schedule.

    The amount of domination of two costs is the product of their differences, over the objectives in which they differ,
    each divided by the range of the objective among the archive and both solutions.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    cooling : Cooling
        The temperature and how it falls. The amounts of domination that it divides are at most 1.
    archive : Archive, default Crowding(100)
        Which solutions are kept; a bounded one.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    cooling: Cooling = instance_field(Cooling, "use Cooling(1.0, Geometric()).")
    archive: Archive = instance_field(Archive, "use Crowding(100).", factory=lambda: Crowding(100))

    source: ClassVar[str] = "archived_annealing.cuh"

    @archive.validator
    def _is_bounded(self, _: Attribute[Any], value: Archive) -> None:
        if isinstance(value, Archive) and value.limit is None:
            raise InputError(f"The archive of annealing must be bounded, but is {value!r}.", "use Crowding(100).")

    @property
    def several(self) -> bool:
        """True: the archive approximates a front."""
        return True

    def require(self, problem: Problem) -> None:
        """Refuse a problem that does not fit the moves or the archive."""
        super().require(problem)
        self.archive.require(len(problem.objectives))

    @property
    def limit(self) -> int:
        """The largest number of members."""
        assert self.archive.limit is not None
        return self.archive.limit

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """The largest number of members, and `ln2` in units of 2**-32."""
        return {"limit": self.limit, "ln2": LN2}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`logarithms`, in the same units."""
        return {"logarithms": logarithms()}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The members with their costs, the iterations in which they were found, and their number."""
        rows = self.limit + 1
        return {
            "members": Array((rows, representation.length), "item", costs="costs", rows="held"),
            "costs": Array((rows,), "total"),
            "born": Array((rows,), "int64", within=COUNT),
            "held": Array((), "int64", within=(1, self.limit)),
        }

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """Numbers by which the archive finds its worst member."""
        return {"work": Array((4 * self.limit + 4,), "float64")}

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """The start is the first member."""
        own = zeros(self.state(start.representation), start)
        own["members"][0], own["costs"][0], own["held"][()] = start.solution, start.cost, 1
        return own

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, moves, kept = state.walk, evaluate.of(self.neighborhood), state.kept
        if not moves.size:
            return state.after(walk.stay(0), finished=True)
        low, high, bits, _ = first_words(walk.key, Stream.TRIAL, walk.iteration + 1)
        k = scaled(low, high, moves.size)
        delta = moves.delta(walk.current, k)
        found = None
        if delta is not None:
            new = walk.current.moved(self.neighborhood, k, delta)
            found = self._decided(state, new, exponential(bits) - exponential(WORD - bits))
        self.cooling.record(kept["cooling"], found is not None)
        after = walk.stay(1) if found is None else walk.go_to(found, 1)
        return state.after(after, finished=self.cooling.over(kept["cooling"]))

    def _decided(self, state: LoopState, new: EvaluatedSolution, logit: float) -> EvaluatedSolution | None:
        """The next current solution; None if the new one is refused.

        An event of the probability 1 / (1 + exp(x)) happens where x < `logit`.
        """
        kept, current = state.kept, state.walk.current
        costs = np.vstack([kept["costs"][: kept["held"]], [current.cost]])
        falls, rises = _dominates(costs[-1], new.cost), _dominates(new.cost, costs[-1])
        above = [i for i in range(len(costs) - 1) if _dominates(costs[i], new.cost)]
        if not above and not falls:
            self._offer(state, Members.of(new.representation, new.solution[None], [new.cost], state.walk.iteration + 1))
            return new
        amounts = _amounts(np.vstack([costs, [new.cost]]), [*above, len(costs) - 1] if falls else above)
        if not rises:
            total = 0.0
            for amount in amounts:  # in order, as a sum of floats depends on it
                total += amount
            return new if total / len(amounts) < kept["cooling"]["level"].item() * logit else None
        nearest = min(range(len(above)), key=lambda k: amounts[k])
        if not -amounts[nearest] < logit:
            return new
        row = above[nearest]
        return EvaluatedSolution(new.representation, kept["members"][row].copy(), number_of(kept["costs"][row]))

    def _offer(self, state: LoopState, candidates: Members) -> None:
        """Offer solutions to the archive."""
        archive, kept = self.fronts(state)[0], state.kept
        grown = Unbounded().offer(archive, candidates)
        found = self.archive.bounded(grown)
        for members in (grown, found):  # as compiled code does, so that it leaves the same where no member is
            rows = members.rows(slice(0, self.limit + 1))
            for name, values in (("members", rows.solutions), ("costs", rows.costs), ("born", rows.born)):
                kept[name][: len(rows)] = values
        kept["held"][()] = len(found)

    def fronts(self, state: LoopState) -> tuple[Members, ...]:
        """The members of the archive."""
        kept, held = state.kept, int(state.kept["held"])
        return (
            Members(
                kept["costs"][:held].copy(),
                kept["members"][:held].copy(),
                np.zeros(held, bool),
                kept["born"][:held].copy(),
            ),
        )

    def sent(self, state: LoopState, to: LoopState | None) -> Members:
        """The members of the archive."""
        return self.fronts(state)[0]

    def received(self, state: LoopState, arrivals: Sequence[Members]) -> LoopState:
        """The state after its archive was offered the members of other archives, one after the other."""
        walk = state.walk
        for each in arrivals:
            self._offer(state, each)
        members = self.fronts(state)[0]
        first = int(np.lexsort(members.costs.T[::-1])[0])
        best = EvaluatedSolution(walk.best.representation, members.solutions[first], number_of(members.costs[first]))
        if best.cost < walk.best.cost:
            walk = evolve(walk, best=best, improved_at=walk.iteration)
        return LoopState(walk, state.kept, state.finished)

    def ending(self, state: LoopState) -> str:
        return "schedule ended" if self.cooling.over(state.kept["cooling"]) else "no moves"


def _dominates(a: Any, b: Any) -> bool:
    """Whether no objective of a is higher, and one is lower."""
    return all(x <= y for x, y in zip(a, b, strict=True)) and any(x < y for x, y in zip(a, b, strict=True))


def _amounts(costs: np.ndarray, dominating: list[int]) -> list[float]:
    """By how much some of the costs dominate the last one."""
    values = costs.astype(np.float64)
    spread = np.ptp(values, axis=0)
    apart = np.abs(values[dominating] - values[-1]) / np.where(spread > 0, spread, 1.0)
    found = np.ones(len(dominating))
    for column in apart.T:
        found *= np.where(column > 0, column, 1.0)
    amounts: list[float] = found.tolist()
    return amounts
