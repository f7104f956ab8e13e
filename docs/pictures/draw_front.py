"""Draw the picture of docs/pareto.md and docs/results/flow-shops.md: two fronts of three objectives.

``python docs/pictures/draw_front.py`` from the root of the repository, with the extra `plot`.
"""

from pathlib import Path

import matplotlib.pyplot as plt

from metaheur import ParetoLocalSearch, run, stop
from metaheur.archives import Front
from metaheur.neighborhoods import Insertion
from metaheur.problems import FlowShop

shop = FlowShop.taillard(51, objectives=("makespan", "total tardiness", "tardy jobs"))


def found(accept: str) -> Front:
    """The front of 10,000 iterations that accept what a rule says."""
    search = ParetoLocalSearch.paquete(Insertion(), accept, restart=True)
    front = run(search, shop, stop=stop.iterations(10_000), seed=1).front
    assert front is not None
    return front


fronts = {accept: found(accept) for accept in ("non-dominated", "dominating")}
first, *others = fronts.values()
with plt.style.context(Path(__file__).with_name("site.mplstyle")):
    figure = first.plot(*others, labels=list(fronts))
    figure.set_size_inches(9, 2.9)
    figure.savefig(Path(__file__).with_name("front.svg"))
