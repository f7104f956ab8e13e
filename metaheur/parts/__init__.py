"""Parts of searches: memory, tenure, aspiration, selection, acceptance; each a pair of files, Python and C++."""

from metaheur.parts.acceptance import Acceptance, Always, Improving
from metaheur.parts.aspiration import Aspiration
from metaheur.parts.memory import Forgetful, Memory, PlacementMemory
from metaheur.parts.part import Part
from metaheur.parts.selection import Lowest, Selection
from metaheur.parts.tenure import Tenure

__all__ = [
    "Acceptance",
    "Always",
    "Aspiration",
    "Forgetful",
    "Improving",
    "Lowest",
    "Memory",
    "Part",
    "PlacementMemory",
    "Selection",
    "Tenure",
]
