from metaheur.landscape.basins import Basins
from metaheur.landscape.descents import AdaptiveWalks, EscapeRates
from metaheur.landscape.elementary import ElementaryComponents
from metaheur.landscape.estimate import Curve, Estimate
from metaheur.landscape.landscape import Landscape
from metaheur.landscape.network import Funnels, Network
from metaheur.landscape.neutral import Neutrality
from metaheur.landscape.optima import Optima
from metaheur.landscape.report import LandscapeReport
from metaheur.landscape.ruggedness import Ruggedness
from metaheur.landscape.sampling import DensityOfStates, FitnessCloud
from metaheur.landscape.trajectories import SearchTrajectoryNetwork, Trajectories

__all__ = [
    "AdaptiveWalks",
    "Basins",
    "Curve",
    "DensityOfStates",
    "ElementaryComponents",
    "EscapeRates",
    "Estimate",
    "FitnessCloud",
    "Funnels",
    "Landscape",
    "LandscapeReport",
    "Network",
    "Neutrality",
    "Optima",
    "Ruggedness",
    "SearchTrajectoryNetwork",
    "Trajectories",
]
