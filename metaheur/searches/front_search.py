"""The search for fronts that suits a problem of several objectives."""

from __future__ import annotations

from metaheur.archives.restart import FromMember
from metaheur.neighborhood import Neighborhood
from metaheur.parts import RandomMoves
from metaheur.searches.pareto_local_search import ParetoLocalSearch
from metaheur.searches.recommendation import Recommendation

__all__ = ["front_search"]


def front_search(moves: Neighborhood) -> Recommendation:
    """Pareto local search, which goes on from a random member after all members were explored."""
    search = ParetoLocalSearch(moves, restart=FromMember(RandomMoves(moves, 3)))
    return Recommendation("Pareto local search", search, walks=1)
