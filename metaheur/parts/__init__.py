"""Parts of searches: memory, tenure, aspiration, selection, acceptance, ...; each says the same in Python and C++."""

from metaheur.parts.acceptance import Acceptance, Always, Better, BetterOrEqual, Improving
from metaheur.parts.annealed import Annealed
from metaheur.parts.aspiration import Aspiration, BestSoFar, LongTerm, NoAspiration
from metaheur.parts.cooling import Cooling
from metaheur.parts.great_deluge import GreatDeluge, NonLinearGreatDeluge
from metaheur.parts.late_acceptance import DiversifiedLateAcceptance, LateAcceptance
from metaheur.parts.limit import Limit
from metaheur.parts.memory import Memory, NoMemory, PlacementMemory
from metaheur.parts.metropolis import Metropolis
from metaheur.parts.other_acceptance import ByChance, MovingAverage
from metaheur.parts.part import Kept, Part
from metaheur.parts.perturbation import Perturbation, RandomMoves
from metaheur.parts.plateau import Plateau
from metaheur.parts.reversals import DoubleBridge, Reversals, SegmentReversal, SegmentShuffle
from metaheur.parts.schedule import DynamicSpan, Fixed, Geometric, Linear, LundyMees, Schedule
from metaheur.parts.selection import Lowest, Selection
from metaheur.parts.step_counting import StepCounting
from metaheur.parts.tenure import Tenure
from metaheur.parts.threshold import RecordToRecord, Threshold

__all__ = [
    "Acceptance",
    "Always",
    "Annealed",
    "Aspiration",
    "BestSoFar",
    "Better",
    "BetterOrEqual",
    "ByChance",
    "Cooling",
    "DiversifiedLateAcceptance",
    "DoubleBridge",
    "DynamicSpan",
    "Fixed",
    "Geometric",
    "GreatDeluge",
    "Improving",
    "Kept",
    "LateAcceptance",
    "Limit",
    "Linear",
    "LongTerm",
    "Lowest",
    "LundyMees",
    "Memory",
    "Metropolis",
    "MovingAverage",
    "NoAspiration",
    "NoMemory",
    "NonLinearGreatDeluge",
    "Part",
    "Perturbation",
    "PlacementMemory",
    "Plateau",
    "RandomMoves",
    "RecordToRecord",
    "Reversals",
    "Schedule",
    "SegmentReversal",
    "SegmentShuffle",
    "Selection",
    "StepCounting",
    "Tenure",
    "Threshold",
]
