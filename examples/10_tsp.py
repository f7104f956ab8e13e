"""Solve a TSPLIB file: 10_tsp.py pcb1173.tsp leaves pcb1173.tour and, with matplotlib, pcb1173.png beside you."""

import sys
from pathlib import Path

import numpy as np

from metaheur import CandidateDescent, IteratedLocalSearch, Progress, run, stop
from metaheur.neighborhoods import OrOpt, ThreeOpt, TwoOpt, Union
from metaheur.parallel import EdgeAssembly, Islands, Multistart, RandomTopology
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problems import TSP
from metaheur.problems.formats.tsplib import write_tour

WALKS, KICKS = 50, 2_000  # about two seconds of a core


def picture(tsp: TSP, tour: np.ndarray, path: Path) -> None:
    """Draw the tour."""
    try:
        from matplotlib import pyplot
    except ImportError:
        print("No picture: matplotlib is not installed. Maybe pip install 'metaheur[plot]'.")
        return
    x, y = np.asarray(tsp.instance.coordinates)[np.append(tour, tour[0])].T
    figure, axes = pyplot.subplots(figsize=(8, 8), layout="constrained")
    axes.plot(x, y, linewidth=0.8, marker=".", markersize=3)
    axes.set(title=f"{tsp.instance.name}, length {tsp.cost(tour):,}", aspect="equal")
    axes.set_axis_off()
    figure.savefig(path, dpi=150)
    print("picture:", path)


if len(sys.argv) > 1:
    tsp, name = TSP.from_file(sys.argv[1]), Path(sys.argv[1]).stem
else:
    tsp, name = TSP.random(500, seed=1), "random500"

descent = CandidateDescent(Union(TwoOpt(), OrOpt(), ThreeOpt()), tsp.quadrants(8))
search, assembly = IteratedLocalSearch(descent, DoubleBridge(50), Annealed(KICKS, 0.5)), EdgeAssembly(tsp.quadrants(8))
islands = Islands(Multistart(WALKS), KICKS // 20, RandomTopology(), replaces="worse current", recombination=assembly)
result = run(search, tsp, stop=stop.iterations(KICKS), seed=1, parallel=islands, watch=[Progress()])

rate = WALKS * result.iterations / result.seconds
print(f"greedy edge {tsp.cost(tsp.greedy_edge())}, {WALKS} walks {result.cost}: {rate:,.0f} kicks/s")
write_tour(f"{name}.tour", result.solution)
print(f"tour: {name}.tour")
if tsp.instance.coordinates is not None:
    picture(tsp, result.solution, Path(f"{name}.png"))
