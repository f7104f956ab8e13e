"""What searches with populations leave to the problem: a crossover, a mutation, the number of objectives."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from metaheur.errors import InputError
from metaheur.loops.loop import Composed
from metaheur.parts import Breeding, Crossover, NoCrossover, NoPerturbation, Perturbation, RandomMoves
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.search import LoopState
from metaheur.searches.usual import usual_neighborhoods
from metaheur.searches.usual_crossover import usual_crossover
from metaheur.walk import EvaluatedSolution

__all__ = ["Breeds"]


class Breeds(Composed):
    """A search whose children have a crossover and a mutation, which the problem's representation decides if None."""

    crossover: Crossover | None
    mutation: Perturbation | None

    def bred(self, **given: Any) -> Breeding:
        """The population, with crossover and mutation; until they are known, children are copies.

        `given`: the other parameters of `Breeding`.
        """
        crossover = NoCrossover() if self.crossover is None else self.crossover
        return Breeding(crossover, NoPerturbation() if self.mutation is None else self.mutation, **given)

    def init(self, start: EvaluatedSolution, key: Key) -> LoopState:
        missing = "crossover" if self.crossover is None else "mutation" if self.mutation is None else ""
        if missing:
            raise unfitted(self, missing)
        return super().init(start, key)

    def fitted(self, problem: Problem) -> Breeds:
        """The search with a crossover and a mutation that suit the representation, and the number of objectives."""
        found: dict[str, Any] = {}
        if self.crossover is None:
            found["crossover"] = crossover_for(problem, type(self).__name__)
        if self.mutation is None and (usual := usual_neighborhoods(problem.representation)):
            found["mutation"] = RandomMoves(usual[0], 1)
        if problem.objectives and getattr(self, "objectives", 0) is None:
            found["objectives"] = len(problem.objectives)
        return evolve(self, **found) if found else self  # type: ignore[misc]


def unfitted(search: Composed, part: str) -> InputError:
    """The error of a walk that begins by a search without a part that `run` would have taken."""
    return InputError(
        f"{type(search).__name__} has no {part}: `run` takes a usual one, but no walk can begin without it.",
        f"use fitted(search, problem), or name the {part}.",
    )


def crossover_for(problem: Problem, search: str) -> Crossover:
    """A usual crossover for a problem.

    Raises InputError if none is known for its representation; names the search.
    """
    crossover = usual_crossover(problem.representation)
    if crossover is None:
        raise InputError(
            f"No usual crossover is known for {problem.representation!r}.",
            f"name a Crossover of your own: {search}(crossover).",
        )
    return crossover
