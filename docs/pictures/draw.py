"""Draw the pictures of docs/experiments.md, and print the table beside them.

``python docs/pictures/draw.py`` from the root of the repository, with the extra `plot`. The stops are work, not time,
so that the curves are the same everywhere.
"""

from pathlib import Path

import matplotlib.pyplot as plt

from metaheur import HillClimbing, IteratedLocalSearch, TabuSearch, run, run_many, stop
from metaheur.neighborhoods import Swap
from metaheur.parts import AdaptiveMoves, Limit
from metaheur.pictures.axes import STYLE
from metaheur.pictures.costs import plot_costs, plot_time_to_target
from metaheur.problems import QAP

HERE = Path(__file__).parent
plt.style.use([STYLE, HERE / "site.mplstyle"])

qap = QAP.taillard(30)
tabu = TabuSearch(Swap())
searches = {
    "tabu": tabu,
    "iterated tabu": IteratedLocalSearch(tabu, AdaptiveMoves(Swap(), 4, 12), limit=Limit(1_000), remembers=True),
    "descents": IteratedLocalSearch(HillClimbing(Swap()), AdaptiveMoves(Swap(), 4, 12)),
}
experiment = run_many(searches, {"tai30a": qap}, seeds=range(20), stop=stop.evaluations(50_000_000), target=1_830_000)
print(experiment)

groups = {name: experiment.results("tai30a", name) for name in searches}
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
plot_costs(groups, ax=left)
left.set(xlim=(5_000, 5e7), ylim=(1_815_000, 1_900_000))
plot_time_to_target(groups, 1_830_000, "evaluations", ax=right)
figure.savefig(HERE / "several.svg")

figure, ax = plt.subplots(figsize=(4.5, 3.2), layout="constrained")
run(searches["iterated tabu"], qap, stop=stop.evaluations(50_000_000), seed=1).plot(ax=ax)
figure.savefig(HERE / "one.svg")
