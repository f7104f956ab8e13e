"""A user's problem, searched by the core alone: `test_wings.py` runs this program where a wing has been taken away."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur import Permutation, Problem, Source, TabuSearch, data, run, solve, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Multistart
from metaheur.parts import RandomMoves
from metaheur.searches import HillClimbing, IteratedLocalSearch, SimulatedAnnealing

COST = """
struct Ordering : OrderingData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int p) {
            Total total = 0;
            for (int q = p + 1; q < n; ++q) total -= weights(x[p], x[q]);
            return total;
        });
    }
};
"""


@final
@frozen(eq=False)
class Ordering(Problem):
    """Order items: maximise the sum of weights[u, v] over all u before v."""

    weights: np.ndarray = data("int64", ndim=2)

    source: ClassVar[Source] = Source(COST, "ordering.cuh")

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: np.ndarray) -> int:
        return -int(np.triu(self.weights[np.ix_(x, x)], 1).sum())


def main() -> None:
    """Import the modules that are named, miss those behind a minus, then search by steps, on a device and by a race."""
    for name in sys.argv[1:]:
        if not name.startswith("-"):
            import_module(name)
            continue
        with suppress(ModuleNotFoundError):
            import_module(name[1:])
            sys.exit(f"{name[1:]} has not been taken away.")
    problem = Ordering(np.random.default_rng(5).integers(0, 100, (12, 12)))
    tabu = TabuSearch(Swap())
    for parallel in ("numpy", "host", Multistart(3, device="host")):
        print(run(tabu, problem, stop=stop.iterations(40), seed=3, parallel=parallel).cost)
    annealing = SimulatedAnnealing(Swap(), 100.0)
    print(run(annealing, problem, stop=stop.iterations(400), seed=3, parallel="numpy").cost)
    iterated = IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 3))
    print(run(iterated, problem, stop=stop.iterations(200), seed=3, parallel=Multistart(2, device="numpy")).cost)
    print(solve(problem, work=20_000, seed=1, parallel="numpy", report=False).cost)


if __name__ == "__main__":
    main()
