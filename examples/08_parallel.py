"""The same walks by every parallel model: on cores, shared out, on workers; and walks that exchange solutions."""

from concurrent.futures import ThreadPoolExecutor

from metaheur import TabuSearch, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Distributed, Islands, MultiGPU, Multistart, ParallelModel, Ring
from metaheur.problems import QAP
from metaheur.testing import devices_here

qap, search, device = QAP.taillard(12), TabuSearch(Swap()), devices_here()[-1]  # the GPU where there is one
walks = Multistart(walks=32, device=device)

with ThreadPoolExecutor(2) as workers:
    models: dict[str, ParallelModel] = {
        f"multistart on {device}": walks,
        f"shared by two, {device}": MultiGPU(walks, (device, device)),
        "slices on workers": Distributed(Multistart(32, device="host", threads=1), workers, slices=4),
        "islands in a ring": Islands(walks, every=100, topology=Ring()),
    }
    for name, model in models.items():
        result = run(search, qap, stop=stop.iterations(500), seed=1, parallel=model)
        costs = result.walks.costs
        print(f"{name:24} best {result.cost}  mean {costs.mean():.1f}  worst {costs.max()}")
