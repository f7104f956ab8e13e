from metaheur.neighborhoods.across_copies import AcrossCopies
from metaheur.neighborhoods.adjacent_swap import AdjacentSwap
from metaheur.neighborhoods.confined import Confined
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.neighborhoods.insertion import Insertion, InsertionMove
from metaheur.neighborhoods.interchange import Interchange, InterchangeMove
from metaheur.neighborhoods.on import On, PartMove
from metaheur.neighborhoods.on_each import OnEach
from metaheur.neighborhoods.or_opt import OrOpt, OrOptMove
from metaheur.neighborhoods.product import Product, ProductMove
from metaheur.neighborhoods.restricted import CandidateMove, Restricted
from metaheur.neighborhoods.sampled import Sampled
from metaheur.neighborhoods.shift import Shift, ShiftMove
from metaheur.neighborhoods.substitution import Substitution, SubstitutionMove
from metaheur.neighborhoods.swap import Swap, SwapMove
from metaheur.neighborhoods.three_opt import ThreeOpt, ThreeOptMove
from metaheur.neighborhoods.two_opt import TwoOpt, TwoOptMove
from metaheur.neighborhoods.union import Union, UnionMove

__all__ = [
    "AcrossCopies",
    "AdjacentSwap",
    "CandidateMove",
    "Confined",
    "FlipMove",
    "Hamming",
    "Insertion",
    "InsertionMove",
    "Interchange",
    "InterchangeMove",
    "On",
    "OnEach",
    "OrOpt",
    "OrOptMove",
    "PartMove",
    "Product",
    "ProductMove",
    "Restricted",
    "Sampled",
    "Shift",
    "ShiftMove",
    "Substitution",
    "SubstitutionMove",
    "Swap",
    "SwapMove",
    "ThreeOpt",
    "ThreeOptMove",
    "TwoOpt",
    "TwoOptMove",
    "Union",
    "UnionMove",
]
