from metaheur.reals.asset_portfolio import AssetPortfolio
from metaheur.reals.bbob import BBOB
from metaheur.reals.cmaes import CMAES
from metaheur.reals.differential_evolution import DifferentialEvolution
from metaheur.reals.dtlz import DTLZ
from metaheur.reals.elementary import cos, exp, log, power, sin, tanh
from metaheur.reals.evolution_strategy import EvolutionStrategy
from metaheur.reals.kernel_regression import KernelRegression
from metaheur.reals.nelder_mead import NelderMead
from metaheur.reals.particle_swarm import ParticleSwarm
from metaheur.reals.pattern_search import PatternSearch
from metaheur.reals.polynomial_mutation import PolynomialMutation
from metaheur.reals.pressure_vessel import PressureVessel
from metaheur.reals.real import Real
from metaheur.reals.real_vector import RealVector
from metaheur.reals.simulated_binary import SimulatedBinary
from metaheur.reals.steps import Steps
from metaheur.reals.transfer import Transfer
from metaheur.reals.transfer_move import TransferMove
from metaheur.reals.wfg import WFG
from metaheur.reals.zdt import ZDT

__all__ = [
    "BBOB",
    "CMAES",
    "DTLZ",
    "WFG",
    "ZDT",
    "AssetPortfolio",
    "DifferentialEvolution",
    "EvolutionStrategy",
    "KernelRegression",
    "NelderMead",
    "ParticleSwarm",
    "PatternSearch",
    "PolynomialMutation",
    "PressureVessel",
    "Real",
    "RealVector",
    "SimulatedBinary",
    "Steps",
    "Transfer",
    "TransferMove",
    "cos",
    "exp",
    "log",
    "power",
    "sin",
    "tanh",
]
