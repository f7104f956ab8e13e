"""The searches that suit a problem, if only its representation and its halves are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metaheur.device.halves import lacking
from metaheur.errors import InputError
from metaheur.marker import compiled_members
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.on import On
from metaheur.neighborhoods.union import Union
from metaheur.parts import BetterOrEqual, Geometric, LateAcceptance, RandomMoves
from metaheur.problem import Constructs, Problem, judges
from metaheur.searches.hill_climbing import HillClimbing
from metaheur.searches.iterated_local_search import IteratedLocalSearch
from metaheur.searches.pivoting import FirstImprovement
from metaheur.searches.recommendation import Recommendation
from metaheur.searches.simulated_annealing import SimulatedAnnealing
from metaheur.searches.tabu_search import TabuSearch
from metaheur.searches.temperature import start_temperatures
from metaheur.searches.usual import usual_neighborhoods
from metaheur.wings import filled

__all__ = ["annealings", "descents", "recommendations", "suited"]

TRIAL = 50
"""Measured: a move that is drawn and tried takes as long as so many moves that a scan of a neighborhood evaluates.

Where a change of cost is compiled Python, a trial takes about as long as a move of a scan.
"""

SAMPLES = 30
"""Moves that are sampled for a temperature."""

REMEMBERED = 2**20
"""Of so many values of an entry a tabu memory can remember each; real numbers have more."""

FLIP = 20
"""Measured on graphs of cuts: likewise, for a flip that is tried in the order of sweeps."""


def recommendations(problem: Problem, walks: int = 0) -> Sequence[Recommendation]:
    """The searches that a problem recommends for itself, or for many walks together; otherwise those that suit it.

    `walks`: the number of walks, if it is given.
    """
    from metaheur.searches.recommendation import Recommends, RecommendsTogether

    together = problem.recommended_together(walks) if walks and isinstance(problem, RecommendsTogether) else ()
    return together or (problem.recommended() if isinstance(problem, Recommends) else suited(problem))


def _name(moves: Neighborhood) -> str:
    """The name of a neighborhood in the name of a search."""
    if isinstance(moves, Union):
        return f"{_name(moves.left)} and {_name(moves.right)}"
    return f"{type(moves.neighborhood).__name__} of {moves.part}" if isinstance(moves, On) else type(moves).__name__


def suited(problem: Problem) -> tuple[Recommendation, ...]:
    """Searches that suit the representation of a problem and its halves; empty if no neighborhood is known for it.

    Each makes one walk on a core: several in turns would be as many short ones. Searches that would have to descend
    from random solutions begin at constructed ones, if the problem constructs some. Where every move must be evaluated
    in Python, no search looks at a whole neighborhood before it moves.
    """
    neighborhoods = usual_neighborhoods(problem.representation)
    if judges(problem):
        from metaheur.searches.judged import judged, kept

        return kept(problem, _over(judged(problem, neighborhoods), problem))
    return _over(neighborhoods, problem)


def _over(neighborhoods: tuple[Neighborhood, ...], problem: Problem) -> tuple[Recommendation, ...]:
    """Searches over neighborhoods of a problem, and those of its representation."""
    from metaheur.loops.trial import Trial

    if not neighborhoods:
        return ()
    if problem.objectives:
        return tuple(search(neighborhoods[-1]) for search in filled("front_search"))
    more = [each for searches in filled("suited_searches") for each in searches(problem)]
    first, found = neighborhoods[0], tuple(descents(problem, neighborhoods))
    if lacking(problem, *neighborhoods):
        late = Trial(first, LateAcceptance(100))
        return (*more, *found, Recommendation(f"late acceptance, {_name(first)}", late, found[0].start))
    tabu = Recommendation(f"tabu search, {_name(first)}", TabuSearch(first), found[0].start)
    few = problem.representation.values <= REMEMBERED
    return (*((tabu,) if few else ()), *more, *found, *annealings(problem, neighborhoods))


def descents(problem: Problem, neighborhoods: tuple[Neighborhood, ...]) -> Iterator[Recommendation]:
    """Iterated descents over each neighborhood, from constructed solutions if the problem constructs some."""
    start = "construct" if isinstance(problem, Constructs) else None
    for moves in neighborhoods:
        descent = HillClimbing(moves, FirstImprovement())
        search = IteratedLocalSearch(descent, RandomMoves(moves, 3), BetterOrEqual())
        yield Recommendation(f"iterated descents, {_name(moves)}", search, start)


def annealings(
    problem: Problem, neighborhoods: tuple[Neighborhood, ...], samples: int = SAMPLES
) -> Iterator[Recommendation]:
    """Annealing over each neighborhood, reheated again and again, each time for twice as many trials.

    The first temperature is from a sample of moves around random solutions, a small one since a change of cost in
    Python may take milliseconds; there is no annealing where none of these moves raises the cost.
    """
    n = problem.representation.length
    price = 1 if compiled_members(type(problem)) else TRIAL
    for moves in neighborhoods:
        try:
            measured = start_temperatures(problem, moves, samples=samples)
        except InputError:
            continue
        first = [float(f"{each:.2g}") for each in measured]
        falls = [Geometric(0.95, n, 0.003 * each) for each in first]
        several = (tuple(first), tuple(falls)) if len(first) > 1 else (first[0], falls[0])
        search = SimulatedAnnealing(moves, *several, reheats=60, stretch=2)
        yield Recommendation(f"annealing, {_name(moves)}", search, price=price)
