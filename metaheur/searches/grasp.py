"""GRASP: greedy randomized adaptive search procedures."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import Factory, field, frozen

from metaheur.errors import InputError
from metaheur.fields import Range
from metaheur.loops.nest import Around, Nest
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Always, Limit, PathRelinking, Perturbation, SemiGreedy
from metaheur.search import Search
from metaheur.searches.usual import first_neighborhood
from metaheur.validate import real_field, whole_field

__all__ = ["GRASP"]


@final
@frozen
class GRASP(Around):
    """Construct a solution by greedy choices with some randomness, descend from it, and start again.

    The first descent begins at the run's first solution. The search never ends by itself. An iteration is one of the
    descent, or one construction.

    Parameters
    ----------
    search : Search
        The descent, such as HillClimbing(Swap()).
    construction : Neighborhood or Perturbation, optional
        The neighborhood whose moves construct solutions, by `SemiGreedy`: Insertion() for permutations, Substitution()
        for vectors, Hamming() for bit strings; or a construction of your own. By default the search's first
        neighborhood.
    alpha : float, default 0.3
        How greedy the construction is: 0 for the best moves only, 1 for all moves that do not raise the cost.
    relinking : Neighborhood, optional
        If given, every second descent begins on a path between two elite solutions, by `PathRelinking`: Swap(),
        Substitution() or Hamming().
    elite : int, default 10
        The number of elite solutions, at least 2.
    limit : Limit, default Limit()
        The limit of a descent.

    Notes
    -----
    M. G. C. Resende and C. C. Ribeiro, "Greedy randomized adaptive search procedures: advances and extensions",
    Handbook of Metaheuristics, 2019.
    """

    search: Search[Any]
    construction: Neighborhood | Perturbation = field(
        default=Factory(lambda self: first_neighborhood(self.search, "GRASP(search, Insertion())"), takes_self=True)
    )
    alpha: float = real_field(0, 1, default=0.3, metadata={"tune": Range(0.0, 1.0)})
    relinking: Neighborhood | None = field(default=None, kw_only=True)
    elite: int = whole_field(2, 10_000, default=10, kw_only=True, metadata={"tune": Range(2, 50, log=True)})
    limit: Limit = field(factory=Limit, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse a construction that is neither moves nor a perturbation; check the other fields."""
        if not isinstance(self.construction, Neighborhood | Perturbation):
            raise InputError(
                f"`construction` must be a Neighborhood or a Perturbation, but is {self.construction!r}.",
                "use Insertion(), Substitution() or Hamming().",
            )
        super().__attrs_post_init__()

    @cached_property
    def loop(self) -> Nest:
        """A nest whose perturbation constructs."""
        new = self.construction
        start = SemiGreedy(new, self.alpha) if isinstance(new, Neighborhood) else new
        if self.relinking is not None:
            start = PathRelinking(self.relinking, start, self.elite)
        return Nest(self.search, start, Always(), self.limit)
