"""Shaking: random moves, more of them and of other neighborhoods as long as nothing improves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, final

from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.neighborhood import Neighborhood, require_neighborhood
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation, random_moves
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.validate import choice_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["Shaking"]

CHOICE = 2**32 - 1
"""The number of the draw that chooses a level; the draws of moves are numbered from 0 on."""


def _neighborhoods(value: Any) -> tuple[Any, ...]:
    if isinstance(value, Neighborhood):
        return (value,)
    if not isinstance(value, Iterable):
        raise InputError(f"`neighborhoods` must be a list of neighborhoods, but is {value!r}.", "write [Swap()].")
    return tuple(value)


@final
@frozen
class Shaking(Perturbation):
    """Makes k random moves of the k-th neighborhood, where k is the level, which changes while nothing improves.

    Parameters
    ----------
    neighborhoods : Neighborhood or iterable of Neighborhood
        The neighborhoods of the levels 1, 2, ...; all higher levels use the last neighborhood, too.
    levels : int, optional
        The highest level; by default the number of neighborhoods.
    order : {"forward", "backward", "random"}, default "forward"
        Forward: level 1 after an improvement, otherwise the next level, and level 1 again after the highest. Backward:
        the same from the highest level down. Random: each level with the same probability.

    Notes
    -----
    The shaking of variable neighborhood search: P. Hansen, N. Mladenović, R. Todosijević and S. Hanafi, "Variable
    neighborhood search: basics and variants", EURO Journal on Computational Optimization 5, 2017, section 2.3.
    """

    neighborhoods: tuple[Neighborhood, ...] = field(converter=_neighborhoods)
    levels: int | None = whole_field(1, 2**31 - 1, default=None)
    order: str = choice_field("forward", "backward", "random", default="forward", kw_only=True)

    source: ClassVar[str] = "shaking.cuh"
    keeps_feasible: ClassVar[bool] = True

    @neighborhoods.validator
    def _move(self, _: Attribute[Any], value: tuple[Any, ...]) -> None:
        if not value:
            raise InputError("`neighborhoods` must hold one neighborhood or more, but is empty.")
        for each in value:
            require_neighborhood(each, steady=True)

    @property
    def highest(self) -> int:
        """The highest level."""
        return self.levels or len(self.neighborhoods)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """The highest level, and how the levels follow each other."""
        return {"highest": self.highest, "backward": self.order == "backward", "draws": self.order == "random"}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`failed`: how many phases in a row did not improve, modulo the number of levels."""
        return {"failed": Array((), "int64", within=(0, self.highest - 1))}

    def record(self, kept: Kept, delta: int | float, accepted: bool, returned: bool) -> None:
        kept["failed"][()] = 0 if delta < 0 else (kept["failed"][()] + 1) % self.highest

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        random, failed = walk.random(Stream.PERTURBATION), int(kept["failed"])
        level = self.highest - failed if self.order == "backward" else 1 + failed
        if self.order == "random":
            level = random.integer(CHOICE, 1, self.highest)
        neighborhood = self.neighborhoods[min(level, len(self.neighborhoods)) - 1]
        return random_moves(neighborhood, level, random, solution, evaluate)
