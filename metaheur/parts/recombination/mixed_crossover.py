"""A mixture of crossovers, whose shares follow from what their children cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, final

from attrs import Attribute, field, frozen

from metaheur.component import Component, components_of
from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.part import Kept
from metaheur.parts.choice.choice import MOST, Choice, ProbabilityMatching
from metaheur.parts.recombination.crossover import Crossover
from metaheur.parts.recombination.recombination import Recombine
from metaheur.problem import Problem
from metaheur.random import Random
from metaheur.representation import Representation, Solution
from metaheur.validate import instance_field

__all__ = ["MixedCrossover", "mixture_of", "require_one_objective", "require_plain"]

CHOOSING: Final = 2**32 - 2
"""The number of the draw that chooses; the draws of crossovers are numbered from 0 on."""


def mixture_of(value: Any) -> Any:
    """A list as a tuple."""
    return tuple(value) if isinstance(value, Iterable) else value


def require_mixture(owner: Any, attribute: Attribute[Any], value: Any, kind: type) -> None:
    """Refuse a field that is no tuple of components of a kind that do not learn themselves."""
    name = f"{type(owner).__name__}.{attribute.name}"
    if not isinstance(value, tuple) or not 0 < len(value) <= MOST:
        raise InputError(f"`{name}` must be a list of 1 ... {MOST} of the type {kind.__name__}, but is {value!r}.")
    for each in value:
        if not isinstance(each, kind):
            raise InputError(f"`{name}` must hold parts of the type {kind.__name__}, but holds {each!r}.")
        require_plain(each, type(owner).__name__)


def require_plain(part: Any, owner: str) -> None:
    """Refuse a part that is a mixture, or holds one. `owner`: what holds it."""
    if hasattr(part, "learn"):
        raise InputError(
            f"{owner} cannot hold the mixture {part!r}, which learns from the costs of children.",
            "make the mixture the crossover or the mutation of the population itself.",
        )
    for _, inner in components_of(part):
        require_plain(inner, type(part).__name__)


def require_one_objective(mixture: Component, problem: Problem) -> None:
    """Refuse several objectives, of which no child's success is one number."""
    if problem.objectives:
        raise InputError(
            f"{type(mixture).__name__} learns from one objective, but this {type(problem).__name__} has "
            f"{', '.join(problem.objectives)}.",
            "name one crossover and one mutation.",
        )


@final
@frozen
class MixedCrossover(Crossover):
    """Several crossovers, one of which makes each child; a choice learns which ones have good children.

    A child of lower cost than all members has the best result, one of lower cost than both parents is better, one that
    costs no more than the worse parent is accepted, and another one is refused; `choice` says what each result earns.
    A `Choice` with equal rewards, such as `RandomChoice`, keeps equal shares.

    Parameters
    ----------
    crossovers : iterable of Crossover
        1 ... 64 of them.
    choice : Choice, default ProbabilityMatching()
        Chooses the crossover of each child.

    Notes
    -----
    It is the crossover of a `Breeding` itself, not of another crossover. L. Davis, "Adapting operator probabilities in
    genetic algorithms", ICGA 1989; the choices name their sources.
    """

    crossovers: tuple[Crossover, ...] = field(converter=mixture_of)
    choice: Choice = instance_field(Choice, "use ProbabilityMatching().", factory=ProbabilityMatching)

    source: ClassVar[str] = "mixed_crossover.cuh"

    @crossovers.validator
    def _are_plain(self, attribute: Attribute[Any], value: Any) -> None:
        require_mixture(self, attribute, value, Crossover)

    @property
    def keeps(self) -> str:  # type: ignore[override]
        """The promise that all crossovers keep."""
        promises = ("nothing", "common", "parents")
        return promises[min(promises.index(each.keeps) for each in self.crossovers)]

    def supports(self, representation: Representation) -> bool:
        return all(each.supports(representation) for each in self.crossovers)

    def require(self, problem: Problem) -> None:
        require_one_objective(self, problem)
        for each in self.crossovers:
            each.require(problem)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`chosen`: the crossover of the last child."""
        return {"chosen": Array((), "int64", within=(0, len(self.crossovers) - 1))}

    def drawn(self, kept: Kept, random: Random) -> Crossover:
        """The crossover of the next child, which is noted."""
        chosen = self.choice.choose(kept["choice"], len(self.crossovers), random.words(CHOOSING))
        kept["chosen"][()] = chosen
        return self.crossovers[chosen]

    def learn(self, kept: Kept, result: int) -> None:
        """Take note of the result of the last child. `result`: a `MoveResult`."""
        self.choice.record(kept["choice"], int(kept["chosen"]), len(self.crossovers), result)

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        raise InputError("A MixedCrossover makes no child alone.", "use it in a Breeding.")

    def bound(self, problem: Problem, threads: int) -> Recombine:
        """Refuse islands, whose children nobody rates."""
        raise InputError(
            f"Islands cannot recombine by {self!r}, which learns from the costs of children.",
            f"use {self.crossovers[0]!r}.",
        )
