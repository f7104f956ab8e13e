from metaheur.loops.adaptive_trial import AdaptiveTrial
from metaheur.loops.archived_annealing import ArchivedAnnealing
from metaheur.loops.breakout import Breakout
from metaheur.loops.candidate_descent import CandidateDescent
from metaheur.loops.conflict_scan import ConflictScan
from metaheur.loops.estimation import Estimation
from metaheur.loops.evolution import Evolution
from metaheur.loops.first import First
from metaheur.loops.flip_phases import FlipPhases
from metaheur.loops.group_scan import GroupScan
from metaheur.loops.guided_local_search import GuidedLocalSearch
from metaheur.loops.kicks import Kicks
from metaheur.loops.lin_kernighan import LinKernighan
from metaheur.loops.loop import Loop
from metaheur.loops.nest import Nest
from metaheur.loops.no_search import NoSearch
from metaheur.loops.phases import Phases
from metaheur.loops.probe import Probe
from metaheur.loops.scan import Scan
from metaheur.loops.trial import Trial
from metaheur.search import LoopState

__all__ = [
    "AdaptiveTrial",
    "ArchivedAnnealing",
    "Breakout",
    "CandidateDescent",
    "ConflictScan",
    "Estimation",
    "Evolution",
    "First",
    "FlipPhases",
    "GroupScan",
    "GuidedLocalSearch",
    "Kicks",
    "LinKernighan",
    "Loop",
    "LoopState",
    "Nest",
    "NoSearch",
    "Phases",
    "Probe",
    "Scan",
    "Trial",
]
