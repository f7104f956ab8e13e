"""Variable neighborhood search."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import Factory, field, frozen

from metaheur.loops.loop import Composed
from metaheur.loops.nest import Nest, require_search
from metaheur.loops.no_search import NoSearch
from metaheur.parts import Acceptance, Better, Limit, Shaking
from metaheur.search import Search
from metaheur.searches.usual import first_neighborhood

__all__ = ["VariableNeighborhoodSearch"]

USUAL = "VariableNeighborhoodSearch(search, Shaking(Swap(), 5))"


def _shaking(value: Any) -> Shaking:
    return value if isinstance(value, Shaking) else Shaking(value)


@final
@frozen
class VariableNeighborhoodSearch(Composed):
    """Shake the accepted solution, descend, and shake more strongly as long as nothing improves.

    It is the *basic* variant with a descent in one neighborhood, the *general* one with a
    `VariableNeighborhoodDescent`, and the *reduced* one with None. It never ends by itself. An iteration is one of the
    descent, or one shaking.

    Parameters
    ----------
    search : Search or None
        The descent after each shaking; None for no descent.
    shaking : Shaking, Neighborhood or iterable of Neighborhood, optional
        The neighborhoods of the levels: [N1, N2] means one move of N1 at level 1 and two moves of N2 at level 2;
        ``Shaking(Swap(), 5)`` means up to five swaps. By default up to five moves of the search's first neighborhood.
    acceptance : Acceptance, default Better()
        Whether the result of the descent replaces the accepted solution.
    limit : Limit, default Limit()
        The limit of a descent.

    Notes
    -----
    N. Mladenović and P. Hansen, "Variable neighborhood search", Computers & Operations Research 24, 1997.
    """

    search: Search[Any] | None
    shaking: Shaking = field(
        default=Factory(lambda self: Shaking(first_neighborhood(self.search, USUAL), 5), takes_self=True),
        converter=_shaking,
    )
    acceptance: Acceptance = field(factory=Better)
    limit: Limit = field(factory=Limit, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Check the fields by making the loop once."""
        if self.search is not None:
            require_search(self.search, "search", self.limit)
        _ = self.loop

    @cached_property
    def loop(self) -> Nest:
        """A nest with a perturbation that keeps its level."""
        inner = NoSearch() if self.search is None else self.search
        return Nest(inner, self.shaking, self.acceptance, self.limit)
