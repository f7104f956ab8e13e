"""A first day: pip install metaheur, a problem of your own, a check, a run with its picture, and a resumed run."""

from pathlib import Path
from tempfile import mkdtemp
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur import BitString, Checkpoint, Problem, Progress, TabuSearch, Trace, Validate, data, resume, run, stop
from metaheur.neighborhoods import FlipMove, Hamming
from metaheur.testing import check_problem


@final
@frozen(eq=False)
class Partition(Problem):
    """Split numbers into two sets whose sums differ by as little as possible: the square of the difference."""

    numbers: np.ndarray = data("int32", ndim=1)

    @property
    def representation(self) -> BitString:
        return BitString(len(self.numbers))

    def cost(self, x: np.ndarray) -> int:
        return int(np.where(x, self.numbers, -self.numbers).sum()) ** 2

    # Optional: what a flip changes, many moves at once. From a @compiled cost it would be derived; this cost is NumPy
    # alone, which needs no compiler.
    def delta(self, x: np.ndarray, move: FlipMove) -> Any:
        signed = np.where(x, self.numbers, -self.numbers)
        change = -2 * sum(signed[at] for at in move.at)
        return change * (2 * signed.sum() + change)


problem = Partition(np.random.default_rng(7).integers(1, 10_000, 60))

# 1. Does the formula say what the cost says? Every move of a few solutions is compared with two full evaluations.
print(check_problem(Partition(problem.numbers[:12]), Hamming(2)))

# 2. Run it, watch it, and keep it: the costs are validated on the way, and a file has all that it takes to go on.
search = TabuSearch(Hamming(2), tenure=(0.05, 0.2))
file, trace = Path(mkdtemp()) / "run.npz", Trace(every=5)
watch = [Progress(), trace, Validate(every=50), Checkpoint(file)]
first = run(search, problem, stop=stop.target(0) | stop.iterations(20), seed=1, watch=watch)
print(first)
print("cost on the way:", [row.best for row in trace.rows])

# 3. Not good enough? Go on where it stopped, as if it had never stopped.
second = resume(file, search, problem, stop=stop.target(0) | stop.iterations(3_000))
print(f"after {second.iterations} iterations in all: {second.cost} ({second.stopped_by})")
