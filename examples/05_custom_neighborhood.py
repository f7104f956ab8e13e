"""A neighborhood of one's own, in one file: reversals of segments of one width, on every device."""

from collections.abc import Iterator
from typing import ClassVar, final

from attrs import frozen

from metaheur import HillClimbing, Neighborhood, Permutation, Representation, run, stop
from metaheur.neighborhoods import TwoOptMove
from metaheur.problems import TSP
from metaheur.testing import check_neighborhood, check_problem, devices_here


@final
@frozen
class ShortReversals(Neighborhood):
    """All reversals of `width` items in a row, position 0 left in its place; its moves are those of 2-opt."""

    width: int
    source: ClassVar[str] = """
struct ShortReversals : ShortReversalsData {  // { int n; i64 width; } is generated from the fields
    typedef TwoOptMove Move;
    MH_FN i64 size() const { return n > width ? n - width : 0; }
    MH_FN i64 groups() const { return size() > 0; }  // of contiguous indices: here all of them
    MH_FN int length(i64) const { return int(size()); }
    MH_FN i64 first(i64) const { return 0; }
    MH_FN Move move(i64, int k) const { return {k + 1, k + int(width)}; }
    MH_FN i64 group(Move) const { return 0; }
    MH_FN i64 index(Move m) const { return m.i - 1; }
    MH_FN Move unrank(i64 k) const { return move(0, int(k)); }
    MH_FN void apply(Team team, Item* x, Move m) const {
        team.for_each(width / 2, [=](i64 k) { Item item = x[m.i + k]; x[m.i + k] = x[m.j - k]; x[m.j - k] = item; });
    }
};"""

    move_types = (TwoOptMove,)

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation)

    def size(self, representation: Representation) -> int:
        return max(0, representation.length - self.width)

    def moves(self, representation: Representation) -> Iterator[TwoOptMove]:
        return (self.move(representation, k) for k in range(self.size(representation)))

    def move(self, representation: Representation, k: int) -> TwoOptMove:
        return TwoOptMove(k + 1, k + self.width)

    def index(self, representation: Representation, move: TwoOptMove) -> int:
        return int(move.i) - 1


tsp, reversals = TSP.random(60, seed=1), ShortReversals(3)
check_neighborhood(reversals, Permutation(9, cyclic=True))
check_problem(tsp, reversals)  # TSP knows what a TwoOptMove costs: nothing to add there
for device in ["numpy", *devices_here()]:
    result = run(HillClimbing(reversals), tsp, stop=stop.iterations(1000), seed=1, parallel=device)
    print(f"{device:6} length {result.cost} after {result.iterations} steps")
