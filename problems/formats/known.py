"""The formats of files that are recognised: those that problems read, and others, each by its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, final

from attrs import frozen

__all__ = ["FORMATS", "WORDS", "Format"]


@final
@frozen
class Format:
    """A format of files.

    Parameters
    ----------
    name : str
        What it is called as a `layout`.
    problem : str
        The class that reads it, of `metaheur.problems`; "" where metaheur ships none.
    says : str
        What it is, in words.
    suffixes, begins : tuple of str
        How names end, and begin, of files whose content leaves a choice.
    vague : bool
        Whether other problems have files of the same form, so that the format must be asked for.
    solves : bool
        Whether files hold a solution, not an instance.
    """

    name: str
    problem: str
    says: str
    suffixes: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    vague: bool = False
    solves: bool = False

    def calls(self, name: str) -> bool:
        """Whether files with this name, in small letters, are usually of the format."""
        return name.endswith(self.suffixes or "\n") or name.startswith(self.begins or "\n")


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        each.name: each
        for each in (
            Format("qaplib", "QAP", "quadratic assignment, QAPLIB", (".dat",)),
            Format("mqap", "MultiObjective", "quadratic assignment with several flows, Knowles and Corne"),
            Format("tsplib", "TSP", "travelling salesman, TSPLIB", (".tsp", ".atsp")),
            Format("distances", "TSP", "travelling salesman, a matrix of distances", vague=True),
            Format("coordinates", "TSP", "travelling salesman, a list of coordinates", vague=True),
            Format("cvrplib", "VehicleRouting", "capacitated vehicle routing, CVRPLIB", (".vrp",)),
            Format("gset", "MaxCut", "maximum cut, G-set and rudy", (".mc", ".rud")),
            Format("edges", "MaxCut", "maximum cut, a list of edges without weights", vague=True),
            Format("matrix market", "MaxCut", "maximum cut, Matrix Market", vague=True),
            Format("biqmac", "QUBO", "quadratic 0-1, minimised, Biq Mac", (".sparse",)),
            Format("bqp", "QUBO", "quadratic 0-1, maximised, OR-Library", begins=("bqp",)),
            Format("qubo", "QUBO", "quadratic 0-1, minimised, qbsolv", (".qubo",)),
            Format("mkp", "Knapsack", "knapsack with several constraints, OR-Library and SAC-94"),
            Format("kp", "Knapsack", "knapsack, kplib and University of Cauca", (".kp",)),
            Format("pisinger", "Knapsack", "knapsack, Pisinger's csv", (".csv",)),
            Format(
                "flow shop",
                "FlowShop",
                "flow shop, Taillard, OR-Library, Liefooghe, Minella, or sizes and times",
                (".fsp",),
            ),
            Format("times", "FlowShop", "flow shop, a matrix of times, machine by machine", (".fsp",), vague=True),
            Format("dimacs", "GraphColoring", "graph to be colored, DIMACS", (".col",)),
            Format("edges to color", "GraphColoring", "graph to be colored, a list of edges", vague=True),
            Format("matrix market to color", "GraphColoring", "graph to be colored, Matrix Market", vague=True),
            Format("gap", "GeneralizedAssignment", "generalised assignment of least cost, OR-Library"),
            Format("gap to maximise", "GeneralizedAssignment", "generalised assignment of most profit, OR-Library"),
            Format("job shop", "JobShopByMachines", "job shop, OR-Library or Taillard", (".jsp",)),
            Format("flexible job shop", "FlexibleJobShop", "flexible job shop, Brandimarte", (".fjs",)),
            Format("p-median", "PMedian", "p-median, OR-Library"),
            Format("mdp", "MaximumDiversity", "maximum diversity, MDPLIB"),
            Format("vrptw", "VRPTW", "vehicle routing with time windows, Solomon or CVRPLIB"),
            Format("fleet", "FleetRouting", "vehicle routing with unlike vehicles or customers, CVRPLIB and PyVRP"),
            Format("multi trip", "MultiTripRouting", "vehicle routing with several trips a vehicle, PyVRP"),
            Format("orienteering", "FleetRouting", "orienteering and team orienteering, Chao"),
            Format("tsiligirides", "FleetRouting", "orienteering, Tsiligirides", vague=True),
            Format("li lim", "PickupAndDelivery", "pickup and delivery with time windows, Li and Lim"),
            Format("bpplib", "BinPacking", "bin packing or cutting stock, BPPLIB", (".bpp", ".csp")),
            Format("ctt", "CourseTimetabling", "course timetabling, ITC 2007, track 3", (".ctt",)),
            Format("cars", "CarSequencing", "car sequencing, CSPLib"),
            Format("metis", "GraphPartition", "graph to be divided, METIS", (".graph",)),
            Format("sop", "SequentialOrdering", "sequential ordering, TSPLIB", (".sop",)),
            Format("psplib", "RCPSP", "project scheduling, PSPLIB", (".sm", ".mm")),
            Format("patterson", "RCPSP", "project scheduling, Patterson", (".rcp",)),
            Format("cnf", "", "satisfiability, DIMACS", (".cnf", ".wcnf")),
            Format("network", "", "flows or paths in a network, DIMACS"),
            Format("tour", "", "a tour, TSPLIB", (".tour",), solves=True),
            Format("routes", "", "a solution of vehicle routing, CVRPLIB", (".sol",), solves=True),
            Format("solution", "", "a solution of a quadratic assignment, QAPLIB", (".sln",), solves=True),
        )
    }
)
"""The formats that are recognised, by their names."""


def _line(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"^[^\S\n]*{pattern}", re.IGNORECASE | re.MULTILINE)


WORDS: Final = (
    ("matrix market", re.compile(r"\A\s*%%MatrixMarket\b", re.IGNORECASE)),
    ("tour", _line(r"(?:TYPE\s*:?\s*TOUR\b|TOUR_SECTION\b)")),
    ("sop", _line(r"TYPE\s*:?\s*SOP\b")),
    ("vrptw", _line(r"(?:TYPE\s*:?\s*VRPTW\b|CUST\s+NO\.|NUMBER\s+CAPACITY\s*$)")),
    ("multi trip", _line(r"TYPE\s*:?\s*MTVRPTWR\b")),
    ("fleet", _line(r"TYPE\s*:?\s*(?:HFVRP|MDVRP|MDVRPTW|PCVRP|PCVRPTW|VRPB)\b")),
    ("cvrplib", _line(r"(?:TYPE\s*:?\s*CVRP\b|DEMAND_SECTION\b|CAPACITY\s*:)")),
    ("tsplib", _line(r"(?:EDGE_WEIGHT_TYPE|NODE_COORD_SECTION|EDGE_WEIGHT_SECTION|DIMENSION\s*:)")),
    ("routes", _line(r"Route\s*#?\s*\d+\s*:")),
    ("ctt", _line(r"Periods_per_day\s*:")),
    ("orienteering", _line(r"tmax\s+[\d.]+\s*$")),
    ("psplib", _line(r"jobs\s+\(incl\.")),
    ("dimacs", _line(r"p\s+(?:edges?|col)\b")),
    ("qubo", _line(r"p\s+qubo\b")),
    ("cnf", _line(r"p\s+w?cnf\b")),
    ("network", _line(r"p\s+(?:sp|max|min|asn)\b")),
    ("mqap", _line(r"facilities\s*[:=]")),
    ("pisinger", _line(r"time[ ,]+[\d.]+\s*$")),
)
"""For each format whose files name it, the line in which they do."""
