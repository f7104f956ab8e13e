"""Draw the picture in docs/results/quadratic-assignment.md of throughput against the number of walks.

``python -m docs.pictures.walks measure`` from the root of the repository, on a machine with a GPU, writes `walks.csv`
beside this file; ``python -m docs.pictures.walks`` draws it, with the extra `plot`.
"""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from docs.building.svg import save_svg
from metaheur import TabuSearch
from metaheur.device.cuda.cuda import gpus
from metaheur.machine.processors import cores
from metaheur.neighborhoods import Swap
from metaheur.parallel import MultiGPU, Multistart, ParallelModel
from metaheur.pictures.axes import STYLE
from metaheur.problems import QAP
from tests.benchmarks.test_walks import Walks

TABLE = Path(__file__).with_name("walks.csv")
WALKS = [1, 4, 16, 66, 132, 264, 528, 1056, 2112, 4224, 8448]
SECONDS = 0.2


def models(walks: int) -> Iterator[tuple[str, ParallelModel]]:
    """Who makes so many walks: a core and all cores where they are few, since more are not faster there."""
    if walks <= 16:
        yield "one core", Multistart(walks, device="host", threads=1)
    if walks <= 1056:
        yield f"{cores()} cores", Multistart(walks, device="host")
    count = gpus()
    if count:
        yield "one GPU", Multistart(walks, device="cuda:0")
    if count > 1 and walks >= count:
        yield f"{count} GPUs", MultiGPU(Multistart(walks), tuple(f"cuda:{i}" for i in range(count)))


def measure() -> None:
    """Iterations of all walks a second."""
    qap, search = QAP.taillard(100), TabuSearch(Swap())
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("who", "walks", "iterations a second"))
        for walks in WALKS:
            for who, model in models(walks):
                work = Walks(search, qap, model, 10)
                work()
                began = perf_counter()
                work()
                work.iterations = max(10, int(10 * SECONDS / (perf_counter() - began)))
                began = perf_counter()
                row = (who, walks, round(work() / (perf_counter() - began)))
                rows.writerow(row)
                print(*row, sep=",", flush=True)


def draw() -> None:
    """The picture."""
    import matplotlib.pyplot as plt

    plt.style.use([STYLE, TABLE.with_name("site.mplstyle")])

    with TABLE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
    for who in dict.fromkeys(row["who"] for row in rows):
        points = [(int(row["walks"]), int(row["iterations a second"])) for row in rows if row["who"] == who]
        ax.plot(*zip(*points, strict=True), marker="o", markersize=4, label=who)
    ax.set(xscale="log", yscale="log", xlabel="walks", ylabel="iterations of all walks a second")
    ax.legend()
    save_svg(figure, TABLE.with_suffix(".svg"))


if __name__ == "__main__":
    if "measure" in sys.argv[1:]:
        measure()
    else:
        draw()
