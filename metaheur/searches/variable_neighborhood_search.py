"""Variable neighborhood search."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import field, frozen

from metaheur.loops.composed import Composed
from metaheur.loops.nest import Nest, require_search
from metaheur.loops.no_search import NoSearch
from metaheur.parts import Acceptance, Better, Limit, Shaking
from metaheur.search import Search

__all__ = ["VariableNeighborhoodSearch"]


def _shaking(value: Any) -> Shaking:
    return value if isinstance(value, Shaking) else Shaking(value)


@final
@frozen
class VariableNeighborhoodSearch(Composed):
    """Shake the best solution, descend, and shake further away as long as nothing improves.

    *Basic* with a descent in one neighborhood, *general* with a `VariableNeighborhoodDescent`, *reduced* with None. It
    never ends by itself. An iteration is one of the descent, or one shaking.

    Parameters
    ----------
    search : Search or None
        The descent behind each shaking; None for none.
    shaking : Shaking, Neighborhood or iterable of Neighborhood
        The neighborhoods to shake in, level by level: with [N1, N2] one move of N1, and then two of N2. With
        ``Shaking(Swap(), 5)`` up to five swaps.
    acceptance : Acceptance, default Better()
        Whether the solution that the descent leads to replaces the one shaken before.
    limit : Limit, default Limit()
        How long a descent lasts at most.

    Notes
    -----
    N. Mladenović and P. Hansen, "Variable neighborhood search", Computers & Operations Research 24, 1997.
    """

    search: Search[Any] | None
    shaking: Shaking = field(converter=_shaking)
    acceptance: Acceptance = field(factory=Better)
    limit: Limit = field(factory=Limit, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        if self.search is not None:
            require_search(self.search, "search")
        _ = self.loop

    @cached_property
    def loop(self) -> Nest:
        """A nest with a perturbation that keeps its level."""
        inner = NoSearch() if self.search is None else self.search
        return Nest(inner, self.shaking, self.acceptance, self.limit)
