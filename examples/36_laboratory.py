"""A laboratory: a search writes a file for each solution, and somebody puts a file with its cost beside it."""

import json
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

import numpy as np

from metaheur import GeneticAlgorithm
from metaheur.neighborhoods import Swap
from metaheur.open import AskTell, ask
from metaheur.parts import PartiallyMapped, RandomMoves
from metaheur.problems import QAP

qap = QAP.random(8, seed=1)


def written(path: Path, what: object) -> None:
    """A file that appears when it is whole."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(what))
    part.rename(path)


def serve(loop: AskTell, folder: Path, benches: int, measurements: int) -> None:
    """The service: at most so many solutions wait for a cost at the same time."""
    asked = 0
    while len(loop.state["costs"]) < measurements:
        for x in loop.ask(benches - loop.waiting):
            asked += 1
            written(folder / f"{asked}.ask", x.tolist())
        for path in folder.glob("*.cost"):
            x, cost = json.loads(path.read_text())
            loop.tell(x, [cost])
            path.unlink()
        sleep(0.001)


def measure(folder: Path, over: threading.Event) -> None:
    """The laboratory, which measures in an order of its own; it takes a file away, and puts another one there."""
    while not over.is_set():
        for path in sorted(folder.glob("*.ask"), key=lambda each: each.name[::-1]):
            x = json.loads(path.read_text())
            path.unlink()
            written(folder / f"{path.stem}.cost", (x, qap.cost(np.array(x))))
        sleep(0.001)


with TemporaryDirectory() as name:
    search = GeneticAlgorithm(PartiallyMapped(), RandomMoves(Swap(), 1), size=20)
    loop, over = ask(search, qap, seed=1, ledger=Path(name) / "ledger"), threading.Event()
    (bench := threading.Thread(target=measure, args=(Path(name), over), daemon=True)).start()
    serve(loop, Path(name), benches=6, measurements=300)
    over.set()
    bench.join()
    print("cost", loop.cost, "after", len(loop.state["costs"]), "measurements:", loop.solution)
    loop.close()
