from metaheur.problems.bin_packing import BinPacking
from metaheur.problems.car_sequencing import CarSequencing
from metaheur.problems.course_timetabling import CourseTimetabling
from metaheur.problems.cvrp import CVRP
from metaheur.problems.fetching import fetch
from metaheur.problems.fleet_routing import FleetRouting
from metaheur.problems.flexible_job_shop import FlexibleJobShop
from metaheur.problems.flow_shop import FlowShop
from metaheur.problems.generalized_assignment import GeneralizedAssignment
from metaheur.problems.graph_coloring import GraphColoring
from metaheur.problems.graph_partition import GraphPartition
from metaheur.problems.job_shop import JobShop
from metaheur.problems.job_shop_by_machines import JobShopByMachines
from metaheur.problems.knapsack import Knapsack
from metaheur.problems.knapsack_sharing import KnapsackSharing
from metaheur.problems.max_cut import MaxCut
from metaheur.problems.maximum_diversity import MaximumDiversity
from metaheur.problems.multi_mode_rcpsp import MultiModeRCPSP
from metaheur.problems.multi_objective import MultiObjective
from metaheur.problems.multi_trip_routing import MultiTripRouting
from metaheur.problems.multiple_knapsack import MultipleKnapsack
from metaheur.problems.onemax import OneMax
from metaheur.problems.p_median import PMedian
from metaheur.problems.parallel_machines import ParallelMachines
from metaheur.problems.pickup_and_delivery import HierarchicalPickupAndDelivery, PickupAndDelivery
from metaheur.problems.ppp import PPP
from metaheur.problems.qap import QAP
from metaheur.problems.qubo import QUBO
from metaheur.problems.rcpsp import RCPSP
from metaheur.problems.reading import problem_from_file
from metaheur.problems.scalarised import Scalarised
from metaheur.problems.sequential_ordering import SequentialOrdering
from metaheur.problems.tsp import TSP
from metaheur.problems.vehicle_routing import VehicleRouting
from metaheur.problems.vrptw import VRPTW, HierarchicalVRPTW

__all__ = [
    "CVRP",
    "PPP",
    "QAP",
    "QUBO",
    "RCPSP",
    "TSP",
    "VRPTW",
    "BinPacking",
    "CarSequencing",
    "CourseTimetabling",
    "FleetRouting",
    "FlexibleJobShop",
    "FlowShop",
    "GeneralizedAssignment",
    "GraphColoring",
    "GraphPartition",
    "HierarchicalPickupAndDelivery",
    "HierarchicalVRPTW",
    "JobShop",
    "JobShopByMachines",
    "Knapsack",
    "KnapsackSharing",
    "MaxCut",
    "MaximumDiversity",
    "MultiModeRCPSP",
    "MultiObjective",
    "MultiTripRouting",
    "MultipleKnapsack",
    "OneMax",
    "PMedian",
    "ParallelMachines",
    "PickupAndDelivery",
    "Scalarised",
    "SequentialOrdering",
    "VehicleRouting",
    "fetch",
    "problem_from_file",
]
