"""Parts of searches: memory, tenure, aspiration, selection, acceptance, ...; each says the same in Python and C++."""

from metaheur.parts.acceptance import Acceptance, Always, Better, BetterOrEqual, Improving
from metaheur.parts.aspiration import Aspiration, BestSoFar, LongTerm, NoAspiration
from metaheur.parts.limit import Limit
from metaheur.parts.memory import Memory, NoMemory, PlacementMemory
from metaheur.parts.metropolis import Metropolis
from metaheur.parts.part import Kept, Part
from metaheur.parts.perturbation import Perturbation, RandomMoves
from metaheur.parts.schedule import Geometric, Schedule
from metaheur.parts.selection import Lowest, Selection
from metaheur.parts.tenure import Tenure

__all__ = [
    "Acceptance",
    "Always",
    "Aspiration",
    "BestSoFar",
    "Better",
    "BetterOrEqual",
    "Geometric",
    "Improving",
    "Kept",
    "Limit",
    "LongTerm",
    "Lowest",
    "Memory",
    "Metropolis",
    "NoAspiration",
    "NoMemory",
    "Part",
    "Perturbation",
    "PlacementMemory",
    "RandomMoves",
    "Schedule",
    "Selection",
    "Tenure",
]
