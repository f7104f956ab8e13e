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


def serve(loop: AskTell, folder: Path, benches: int, measurements: int) -> None:
    """The service: at most so many solutions wait for a cost at the same time."""
    asked = 0
    while len(loop.state["costs"]) < measurements:
        for x in loop.ask(benches - loop.waiting):
            asked += 1
            (folder / f"{asked}.part").write_text(json.dumps(x.tolist()))
            (folder / f"{asked}.part").rename(folder / f"{asked}.ask")  # it appears when it is whole
        for path in folder.glob("*.cost"):
            loop.tell(json.loads(path.with_suffix(".ask").read_text()), [json.loads(path.read_text())])
            path.with_suffix(".ask").unlink()
            path.unlink()
        sleep(0.001)


def measure(folder: Path, over: threading.Event) -> None:
    """The laboratory, which measures in an order of its own."""
    while not over.is_set():
        for path in sorted(folder.glob("*.ask"), key=lambda each: each.name[::-1]):
            if not path.with_suffix(".cost").exists():
                part = path.with_suffix(".measured")
                part.write_text(json.dumps(qap.cost(np.array(json.loads(path.read_text())))))
                part.rename(path.with_suffix(".cost"))
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
