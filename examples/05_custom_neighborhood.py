"""A neighborhood of your own, in Python alone: reversals of segments of one width, on every device."""

from collections.abc import Iterator
from typing import final

from attrs import frozen

from metaheur import HillClimbing, Neighborhood, Permutation, Representation, compiled, run, stop
from metaheur.neighborhoods import TwoOptMove
from metaheur.problems import TSP
from metaheur.testing import check_neighborhood, check_problem, devices_here


@final
@frozen
class ShortReversals(Neighborhood):
    """All reversals of `width` items in a row, except at position 0; the moves are 2-opt moves."""

    width: int

    move_types = (TwoOptMove,)

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation)

    @compiled
    def size(self, representation: Representation) -> int:
        return max(0, representation.length - self.width)

    def moves(self, representation: Representation) -> Iterator[TwoOptMove]:
        return (self.move(representation, k) for k in range(self.size(representation)))

    @compiled
    def move(self, representation: Representation, k: int) -> TwoOptMove:
        return TwoOptMove(k + 1, k + self.width)

    @compiled
    def index(self, representation: Representation, move: TwoOptMove) -> int:
        return int(move.i) - 1


tsp, reversals = TSP.random(60, seed=1), ShortReversals(3)
check_neighborhood(reversals, Permutation(9, cyclic=True))
check_problem(tsp, reversals)  # TSP knows what a TwoOptMove costs: nothing to add there
for device in ["numpy", *devices_here()]:
    result = run(HillClimbing(reversals), tsp, stop=stop.iterations(1000), seed=1, parallel=device)
    print(f"{device:6} length {result.cost} after {result.iterations} steps")
