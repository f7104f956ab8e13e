"""Islands over the workers of Dask, one of which is killed on the way: the result is the same as in one process."""

import os
import signal
from typing import Any

from attrs import define
from distributed import Client, LocalCluster

from metaheur import TabuSearch, View, Watcher, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Distributed, Islands, Multistart
from metaheur.problems import QAP


@define(eq=False)
class KillOne(Watcher):
    """Kills a worker at iteration 200; Dask starts another one."""

    client: Any

    def next_look(self, view: View) -> int:
        return 200 if view.iterations < 200 else 2**40

    def look(self, view: View) -> None:
        os.kill(next(iter(self.client.run(os.getpid).values())), signal.SIGKILL)


def main() -> None:
    qap, search, end = QAP.random(30, seed=1), TabuSearch(Swap()), stop.iterations(1000)
    walks = Multistart(8, device="host", threads=1)
    alone = run(search, qap, stop=end, seed=1, parallel=Islands(walks, every=100))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,  # or dask_jobqueue's
        Client(cluster) as client,
    ):
        workers = Islands(Distributed(walks, client, slices=4), every=100)
        together = run(search, qap, stop=end, seed=1, parallel=workers, watch=[KillOne(client)])
    print("in one process   ", alone.walks.costs)
    print("on Dask's workers", together.walks.costs)


if __name__ == "__main__":  # workers are processes that import this file
    main()
