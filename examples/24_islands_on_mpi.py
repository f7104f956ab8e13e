"""Islands over the ranks of MPI: ``mpiexec -n 3 python -m mpi4py.futures examples/24_islands_on_mpi.py``."""

from mpi4py.futures import MPIPoolExecutor

from metaheur import TabuSearch, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Distributed, Islands, Multistart
from metaheur.problems import QAP


def main() -> None:
    qap, search, end = QAP.random(30, seed=1), TabuSearch(Swap()), stop.iterations(1000)
    walks = Multistart(8, device="host", threads=1)
    alone = run(search, qap, stop=end, seed=1, parallel=Islands(walks, every=100))
    with MPIPoolExecutor() as pool:
        workers = Islands(Distributed(walks, pool, slices=4), every=100)
        together = run(search, qap, stop=end, seed=1, parallel=workers)
    print("in one process", alone.walks.costs)
    print("on MPI's ranks", together.walks.costs)


if __name__ == "__main__":  # ranks import this file
    main()
