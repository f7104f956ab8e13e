"""What a resident runner drives: the state of a loop, and what is asked of the loop itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, final

from attrs import field, frozen

from metaheur.component import Component
from metaheur.search import Search

if TYPE_CHECKING:
    from metaheur.neighborhood import Neighborhood
    from metaheur.walk import Walk

__all__ = ["Driven", "LoopState"]


@final
@frozen(eq=False)
class LoopState:
    """Where a loop stands.

    Parameters
    ----------
    walk : Walk
        The way so far.
    kept : mapping of str to numpy.ndarray, mapping or State
        What the loop and its parts keep: the loop's own arrays by name, those of a part as a mapping under the name of
        its field, the state of a search inside this one under the name of its field.
    finished : bool
        Whether the loop has come to its own end.
    """

    walk: Walk
    kept: Mapping[str, Any] = field(factory=dict)
    finished: bool = False

    def after(self, walk: Walk, *, finished: bool = False) -> LoopState:
        """The state after a step that wrote the kept arrays in place."""
        return LoopState(walk, self.kept, finished)


class Driven(Search[LoopState], Component):
    """A search that a runner can keep on a device: `metaheur.loops.Loop` is its only subclass.

    Attributes
    ----------
    descends : bool
        Whether the walk always stands on its best solution.
    """

    facts: ClassVar[tuple[str, ...]] = ("descends",)

    @property
    def descends(self) -> bool:
        """Whether the walk always stands on the best solution since it began; False by default."""
        return False

    @property
    def divides(self) -> bool:
        """Whether several blocks of a GPU can share a walk; False by default."""
        return False

    @property
    def tries(self) -> bool:
        """Whether every step evaluates one move; False by default."""
        return False

    @property
    def reads_state(self) -> bool:
        """Whether a step reads what the problem keeps beside the solution; True by default."""
        return True

    @property
    def scans(self) -> Neighborhood | None:
        """The neighborhood that every step evaluates whole, if nothing but the solution decides; None by default."""
        return None
