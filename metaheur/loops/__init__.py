"""The loops that searches share: each is a pair of files, Python and C++, and one driver runs them all on devices."""

from metaheur.loops.candidate_descent import CandidateDescent
from metaheur.loops.first import First
from metaheur.loops.guided_local_search import GuidedLocalSearch
from metaheur.loops.kicks import Kicks
from metaheur.loops.loop import Loop, LoopState
from metaheur.loops.nest import Nest
from metaheur.loops.scan import Scan
from metaheur.loops.trial import Trial

__all__ = ["CandidateDescent", "First", "GuidedLocalSearch", "Kicks", "Loop", "LoopState", "Nest", "Scan", "Trial"]
