from metaheur.evaluators.evaluator import LeastImproving, Lowest, Selection
from metaheur.part import Kept, Part
from metaheur.parts.acceptance.acceptance import Acceptance, Always, Better, BetterOrEqual, Improving, Neutral
from metaheur.parts.acceptance.annealed import Annealed
from metaheur.parts.acceptance.by_level import AdaptedWeights, ByLevel
from metaheur.parts.acceptance.cooling import Cooling
from metaheur.parts.acceptance.great_deluge import GreatDeluge, NonLinearGreatDeluge
from metaheur.parts.acceptance.late_acceptance import DiversifiedLateAcceptance, LateAcceptance
from metaheur.parts.acceptance.metropolis import Metropolis
from metaheur.parts.acceptance.other_acceptance import ByChance, MovingAverage
from metaheur.parts.acceptance.schedule import DynamicSpan, Fixed, Geometric, Linear, LundyMees, Schedule
from metaheur.parts.acceptance.step_counting import StepCounting
from metaheur.parts.acceptance.threshold import RecordToRecord, Threshold
from metaheur.parts.choice.aspiration_plus import AspirationPlus
from metaheur.parts.choice.choice import Choice, MoveResult, ProbabilityMatching, RandomChoice, UpperConfidenceBound
from metaheur.parts.choice.limit import Limit
from metaheur.parts.choice.plateau import Plateau
from metaheur.parts.choice.search_order import BackToFirst, Cyclic, InOrder, Pipe, SearchOrder, Shuffled
from metaheur.parts.choice.trial_order import AtRandom, InStrides, InSweeps, TrialOrder
from metaheur.parts.memory.arc_memory import ArcMemory
from metaheur.parts.memory.aspiration import Aspiration, BestSoFar, LongTerm, NewBest, NoAspiration
from metaheur.parts.memory.edge_memory import EdgeMemory
from metaheur.parts.memory.frequency_memory import FrequencyMemory
from metaheur.parts.memory.kind_memory import KindMemory
from metaheur.parts.memory.memory import Memory, NoMemory, PlacementMemory
from metaheur.parts.memory.move_memory import MoveMemory
from metaheur.parts.memory.reactive_tenure import ReactiveTenure
from metaheur.parts.memory.solution_memory import SolutionMemory
from metaheur.parts.memory.tenure import AnyTenure, Tenure
from metaheur.parts.parents.best_and_random import BestAndRandom
from metaheur.parts.parents.parent_selection import (
    BestParents,
    NearParents,
    ParentSelection,
    RandomParents,
    RankRoulette,
    Tournament,
)
from metaheur.parts.parents.stochastic_selection import StochasticTournament, UniversalSampling, torus
from metaheur.parts.perturbation.adaptive_moves import AdaptiveMoves
from metaheur.parts.perturbation.bit_flips import BitFlips
from metaheur.parts.perturbation.breakout_rules import BreakoutRules
from metaheur.parts.perturbation.breeding import Breeding
from metaheur.parts.perturbation.constructed_solution import ConstructedSolution
from metaheur.parts.perturbation.heavy_tailed_moves import HeavyTailedMoves
from metaheur.parts.perturbation.mixed_perturbation import MixedPerturbation
from metaheur.parts.perturbation.no_perturbation import NoPerturbation
from metaheur.parts.perturbation.path_relinking import PathRelinking
from metaheur.parts.perturbation.perturbation import Perturbation, RandomMoves
from metaheur.parts.perturbation.phase_perturbation import EliteFlips, PhasePerturbation, SubsetAscent
from metaheur.parts.perturbation.random_solution import RandomSolution
from metaheur.parts.perturbation.rebuild import Rebuild
from metaheur.parts.perturbation.reinsertion import Reinsertion
from metaheur.parts.perturbation.reversals import DoubleBridge, Reversals, SegmentReversal, SegmentShuffle
from metaheur.parts.perturbation.semi_greedy import SemiGreedy
from metaheur.parts.perturbation.shaking import Shaking
from metaheur.parts.perturbation.string_removal import StringRemoval
from metaheur.parts.perturbation.univariate_model import UnivariateModel
from metaheur.parts.recombination.aligned_crossover import AlignedCrossover
from metaheur.parts.recombination.by_part import ByPart
from metaheur.parts.recombination.copies_crossover import EachCopy, UniformCopies
from metaheur.parts.recombination.crossover import Crossover, NoCrossover
from metaheur.parts.recombination.greedy_partition import GreedyPartition
from metaheur.parts.recombination.mixed_crossover import MixedCrossover
from metaheur.parts.recombination.occasional_crossover import OccasionalCrossover
from metaheur.parts.recombination.permutation_crossovers import (
    CycleCrossover,
    EdgeRecombination,
    OrderCrossover,
    PartiallyMapped,
    PositionBased,
    UniformLike,
)
from metaheur.parts.recombination.string_crossovers import NPoints, OnePoint, TwoPoints, Uniform
from metaheur.parts.recombination.subset_crossover import SubsetCrossover
from metaheur.parts.recombination.swap_path import SwapPath
from metaheur.parts.replacement.decomposition import Decomposition
from metaheur.parts.replacement.epsilon_indicator import EpsilonIndicator
from metaheur.parts.replacement.fitness_sharing import FitnessSharing
from metaheur.parts.replacement.generation_gap import GenerationGap
from metaheur.parts.replacement.ordered import OrderedReplacement
from metaheur.parts.replacement.rank_and_crowding import RankAndCrowding
from metaheur.parts.replacement.rank_and_hypervolume import RankAndHypervolume
from metaheur.parts.replacement.rank_and_reference_points import RankAndReferencePoints
from metaheur.parts.replacement.rank_and_sharing import RankAndSharing
from metaheur.parts.replacement.replacement import (
    BestChildren,
    Generational,
    OldestMember,
    QualityAndDistance,
    Replacement,
    SteadyState,
    WorseParent,
)
from metaheur.parts.replacement.strength_and_density import StrengthAndDensity

__all__ = [
    "Acceptance",
    "AdaptedWeights",
    "AdaptiveMoves",
    "AlignedCrossover",
    "Always",
    "Annealed",
    "AnyTenure",
    "ArcMemory",
    "Aspiration",
    "AspirationPlus",
    "AtRandom",
    "BackToFirst",
    "BestAndRandom",
    "BestChildren",
    "BestParents",
    "BestSoFar",
    "Better",
    "BetterOrEqual",
    "BitFlips",
    "BreakoutRules",
    "Breeding",
    "ByChance",
    "ByLevel",
    "ByPart",
    "Choice",
    "ConstructedSolution",
    "Cooling",
    "Crossover",
    "CycleCrossover",
    "Cyclic",
    "Decomposition",
    "DiversifiedLateAcceptance",
    "DoubleBridge",
    "DynamicSpan",
    "EachCopy",
    "EdgeMemory",
    "EdgeRecombination",
    "EliteFlips",
    "EpsilonIndicator",
    "FitnessSharing",
    "Fixed",
    "FrequencyMemory",
    "GenerationGap",
    "Generational",
    "Geometric",
    "GreatDeluge",
    "GreedyPartition",
    "HeavyTailedMoves",
    "Improving",
    "InOrder",
    "InStrides",
    "InSweeps",
    "Kept",
    "KindMemory",
    "LateAcceptance",
    "LeastImproving",
    "Limit",
    "Linear",
    "LongTerm",
    "Lowest",
    "LundyMees",
    "Memory",
    "Metropolis",
    "MixedCrossover",
    "MixedPerturbation",
    "MoveMemory",
    "MoveResult",
    "MovingAverage",
    "NPoints",
    "NearParents",
    "Neutral",
    "NewBest",
    "NoAspiration",
    "NoCrossover",
    "NoMemory",
    "NoPerturbation",
    "NonLinearGreatDeluge",
    "OccasionalCrossover",
    "OldestMember",
    "OnePoint",
    "OrderCrossover",
    "OrderedReplacement",
    "ParentSelection",
    "Part",
    "PartiallyMapped",
    "PathRelinking",
    "Perturbation",
    "PhasePerturbation",
    "Pipe",
    "PlacementMemory",
    "Plateau",
    "PositionBased",
    "ProbabilityMatching",
    "QualityAndDistance",
    "RandomChoice",
    "RandomMoves",
    "RandomParents",
    "RandomSolution",
    "RankAndCrowding",
    "RankAndHypervolume",
    "RankAndReferencePoints",
    "RankAndSharing",
    "RankRoulette",
    "ReactiveTenure",
    "Rebuild",
    "RecordToRecord",
    "Reinsertion",
    "Replacement",
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
    "SteadyState",
    "StepCounting",
    "StochasticTournament",
    "StrengthAndDensity",
    "StringRemoval",
    "SubsetAscent",
    "SubsetCrossover",
    "SwapPath",
    "Tenure",
    "Threshold",
    "Tournament",
    "TrialOrder",
    "TwoPoints",
    "Uniform",
    "UniformCopies",
    "UniformLike",
    "UnivariateModel",
    "UniversalSampling",
    "UpperConfidenceBound",
    "WorseParent",
    "torus",
]
