"""Selection: how a change of cost becomes a score; the lowest score is chosen, the lowest index among equals."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, final

from attrs import frozen

from metaheur.device.source import Source
from metaheur.parts.part import Part

__all__ = ["Lowest", "Selection"]


class Selection(Part):
    """Makes scores of changes of cost."""

    @abstractmethod
    def score(self, delta: Any) -> Any:
        """The score of a change of cost, lower is better, in the same type; arrays entry by entry."""


@final
@frozen
class Lowest(Selection):
    """The change of cost itself: best improvement, or least deterioration."""

    source: ClassVar[Source] = Source(
        "struct Lowest : LowestData {\n    MH_FN Cost score(Cost delta) const { return delta; }\n};",
        "metaheur/parts/lowest.cuh",
    )

    def score(self, delta: Any) -> Any:
        return delta
