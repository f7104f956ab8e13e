"""Random exchanges of annealed subsets beside a loop written by hand in C++, by processor time.

``python -m tests.benchmarks.exchanges --save``. Both keep the gains of all items; their rounds take turns, and the
record has the medians. The program exchanges.cpp draws by shifts of one word, metaheur by Philox from the trial's
number.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

from metaheur import SimulatedAnnealing
from metaheur.neighborhoods import Interchange
from metaheur.parts import Fixed
from metaheur.problems import MaximumDiversity
from tests.benchmarks.rate import rate
from tests.benchmarks.records import report

N, PART, ROUNDS, SECONDS = 500, 50, 7, 0.6
TEMPERATURES = (1.0, 20.0, 100.0)


def by_hand(program: Path, distances: np.ndarray, temperature: float) -> tuple[float, float]:
    """Trials for each second of the processor, and the share of them that is accepted."""
    text = f"{len(distances)} {PART} {temperature} {SECONDS} " + " ".join(map(str, distances.ravel().tolist()))
    done = subprocess.run([program], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return float(done[0]), float(done[1])


def rows() -> Iterator[str]:
    """A row for each temperature."""
    square = np.triu(np.random.default_rng(1).integers(1, 100, (N, N)), 1)
    problem = MaximumDiversity(square + square.T, PART)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "exchanges"
        source = Path(__file__).with_suffix(".cpp")
        subprocess.run(["g++", "-O3", "-march=native", "-std=c++17", str(source), "-o", str(program)], check=True)
        for temperature in TEMPERATURES:
            search = SimulatedAnnealing(Interchange(), temperature, Fixed())
            pairs = [(rate(search, problem), *by_hand(program, problem.distances, temperature)) for _ in range(ROUNDS)]
            ours, plain, share = (median(each) for each in zip(*pairs, strict=True))
            ratio = median(one / other for one, other, _ in pairs)
            yield f"| {temperature:g} | {100 * share:.2f} % | {ours / 1e6:.1f} | {plain / 1e6:.1f} | {ratio:.2f} |"


if __name__ == "__main__":
    title = f"annealing of maximum diversity, {PART} of {N}, at a fixed temperature, one walk on a core"
    columns = ("temperature", "accepted", "metaheur, M trials/s", "C++ by hand, M trials/s", "ratio")
    report("exchanges", title, columns, rows())
