from metaheur.landscape.descents import AdaptiveWalks, EscapeRates
from metaheur.landscape.elementary import ElementaryComponents
from metaheur.landscape.estimate import Curve, Estimate
from metaheur.landscape.landscape import Landscape
from metaheur.landscape.neutral import Neutrality
from metaheur.landscape.report import LandscapeReport
from metaheur.landscape.ruggedness import Ruggedness
from metaheur.landscape.sampling import DensityOfStates, FitnessCloud

__all__ = [
    "AdaptiveWalks",
    "Curve",
    "DensityOfStates",
    "ElementaryComponents",
    "EscapeRates",
    "Estimate",
    "FitnessCloud",
    "Landscape",
    "LandscapeReport",
    "Neutrality",
    "Ruggedness",
]
