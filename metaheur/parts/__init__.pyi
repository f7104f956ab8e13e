from metaheur.part import Kept, Part
from metaheur.parts.acceptance import Acceptance, Always, Better, BetterOrEqual, Improving, Neutral
from metaheur.parts.adaptive_moves import AdaptiveMoves
from metaheur.parts.annealed import Annealed
from metaheur.parts.aspiration import Aspiration, BestSoFar, LongTerm, NewBest, NoAspiration
from metaheur.parts.aspiration_plus import AspirationPlus
from metaheur.parts.breakout_rules import BreakoutRules
from metaheur.parts.choice import Choice, MoveResult, ProbabilityMatching, RandomChoice, UpperConfidenceBound
from metaheur.parts.constructed_solution import ConstructedSolution
from metaheur.parts.cooling import Cooling
from metaheur.parts.edge_memory import EdgeMemory
from metaheur.parts.frequency_memory import FrequencyMemory
from metaheur.parts.great_deluge import GreatDeluge, NonLinearGreatDeluge
from metaheur.parts.late_acceptance import DiversifiedLateAcceptance, LateAcceptance
from metaheur.parts.limit import Limit
from metaheur.parts.memory import Memory, NoMemory, PlacementMemory
from metaheur.parts.metropolis import Metropolis
from metaheur.parts.move_memory import MoveMemory
from metaheur.parts.no_perturbation import NoPerturbation
from metaheur.parts.other_acceptance import ByChance, MovingAverage
from metaheur.parts.path_relinking import PathRelinking
from metaheur.parts.perturbation import Perturbation, RandomMoves
from metaheur.parts.phase_perturbation import EliteFlips, PhasePerturbation, SubsetAscent
from metaheur.parts.plateau import Plateau
from metaheur.parts.random_solution import RandomSolution
from metaheur.parts.reactive_tenure import ReactiveTenure
from metaheur.parts.rebuild import Rebuild
from metaheur.parts.reinsertion import Reinsertion
from metaheur.parts.reversals import DoubleBridge, Reversals, SegmentReversal, SegmentShuffle
from metaheur.parts.schedule import DynamicSpan, Fixed, Geometric, Linear, LundyMees, Schedule
from metaheur.parts.search_order import BackToFirst, Cyclic, InOrder, Pipe, SearchOrder, Shuffled
from metaheur.parts.selection import LeastImproving, Lowest, Selection
from metaheur.parts.semi_greedy import SemiGreedy
from metaheur.parts.shaking import Shaking
from metaheur.parts.solution_memory import SolutionMemory
from metaheur.parts.step_counting import StepCounting
from metaheur.parts.tenure import AnyTenure, Tenure
from metaheur.parts.threshold import RecordToRecord, Threshold

__all__ = [
    "Acceptance",
    "AdaptiveMoves",
    "Always",
    "Annealed",
    "AnyTenure",
    "Aspiration",
    "AspirationPlus",
    "BackToFirst",
    "BestSoFar",
    "Better",
    "BetterOrEqual",
    "BreakoutRules",
    "ByChance",
    "Choice",
    "ConstructedSolution",
    "Cooling",
    "Cyclic",
    "DiversifiedLateAcceptance",
    "DoubleBridge",
    "DynamicSpan",
    "EdgeMemory",
    "EliteFlips",
    "Fixed",
    "FrequencyMemory",
    "Geometric",
    "GreatDeluge",
    "Improving",
    "InOrder",
    "Kept",
    "LateAcceptance",
    "LeastImproving",
    "Limit",
    "Linear",
    "LongTerm",
    "Lowest",
    "LundyMees",
    "Memory",
    "Metropolis",
    "MoveMemory",
    "MoveResult",
    "MovingAverage",
    "Neutral",
    "NewBest",
    "NoAspiration",
    "NoMemory",
    "NoPerturbation",
    "NonLinearGreatDeluge",
    "Part",
    "PathRelinking",
    "Perturbation",
    "PhasePerturbation",
    "Pipe",
    "PlacementMemory",
    "Plateau",
    "ProbabilityMatching",
    "RandomChoice",
    "RandomMoves",
    "RandomSolution",
    "ReactiveTenure",
    "Rebuild",
    "RecordToRecord",
    "Reinsertion",
    "Reversals",
    "Schedule",
    "SearchOrder",
    "SegmentReversal",
    "SegmentShuffle",
    "Selection",
    "SemiGreedy",
    "Shaking",
    "Shuffled",
    "SolutionMemory",
    "StepCounting",
    "SubsetAscent",
    "Tenure",
    "Threshold",
    "UpperConfidenceBound",
]
