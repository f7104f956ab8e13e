from metaheur.lists.cross_exchange import CrossExchange
from metaheur.lists.cuts import CutsMove
from metaheur.lists.granular import Granular, GranularMove
from metaheur.lists.lists import Lists
from metaheur.lists.pair_relocate import PairAt, PairRelocate
from metaheur.lists.pairs_move import PairsMove
from metaheur.lists.relocate import Relocate
from metaheur.lists.reversal_move import ReversalMove
from metaheur.lists.route_exchange import RouteExchange
from metaheur.lists.ruin_and_recreate import RuinAndRecreate
from metaheur.lists.ruin_and_recreate_kinds import RuinAndRecreateKinds
from metaheur.lists.ruin_and_recreate_pairs import RuinAndRecreatePairs
from metaheur.lists.ruin_and_recreate_visits import RuinAndRecreateVisits
from metaheur.lists.ruin_and_regret import RuinAndRegret
from metaheur.lists.segments import SegmentsAt
from metaheur.lists.segments_move import SegmentsMove
from metaheur.lists.tails_move import TailsMove
from metaheur.lists.two_opt_star import TwoOptStar

__all__ = [
    "CrossExchange",
    "CutsMove",
    "Granular",
    "GranularMove",
    "Lists",
    "PairAt",
    "PairRelocate",
    "PairsMove",
    "Relocate",
    "ReversalMove",
    "RouteExchange",
    "RuinAndRecreate",
    "RuinAndRecreateKinds",
    "RuinAndRecreatePairs",
    "RuinAndRecreateVisits",
    "RuinAndRegret",
    "SegmentsAt",
    "SegmentsMove",
    "TailsMove",
    "TwoOptStar",
]
