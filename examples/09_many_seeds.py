"""Many seeds: two searches on two instances with the same work for all, the table of results, and their pictures."""

from pathlib import Path
from tempfile import mkdtemp

from metaheur import IteratedLocalSearch, TabuSearch, run_many, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parts import Limit, RandomMoves
from metaheur.problems import QAP
from metaheur.report import Threads

tabu = TabuSearch(Swap())
searches = {
    "tabu": tabu,
    "iterated tabu": IteratedLocalSearch(tabu, RandomMoves(Swap(), 6), limit=Limit(1_000)),
}
instances = {"tai20a": QAP.taillard(20), "tai25a": QAP.taillard(25)}
folder = Path(mkdtemp())

# The stop is work, not time, so that this ends the same on every machine; Ctrl-C ends all runs and keeps the results.
experiment = run_many(
    searches,
    instances,
    seeds=range(10),
    stop=stop.evaluations(2_000_000),
    workers=Threads(2),  # or two processes: workers=2
    folder=folder / "runs",  # with more seeds later, only the new seeds are run
    target={"tai20a": 706_000, "tai25a": 1_180_000},  # 0.4 % and 1.1 % above the best known costs
)
print(experiment)

for line in experiment.summary():
    evaluations = "-" if line.evaluations_to_target is None else f"{line.evaluations_to_target:,.0f}"
    print(f"{line.search} on {line.problem}: median {line.median:,.0f}; moves to the target {evaluations}")

try:
    experiment.plot().savefig(folder / "costs.png")
    experiment.plot_time_to_target(x="evaluations").savefig(folder / "targets.png")
    print("pictures:", *sorted(path.name for path in folder.glob("*.png")))
except InputError as error:  # the extra `plot` is not installed
    print(error)
