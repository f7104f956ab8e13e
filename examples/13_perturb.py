"""A perturbation of your own in both languages, checked and compared: which perturbation escapes local optima best?"""

from attrs import frozen

from metaheur import EvaluatedSolution, Evaluator, HillClimbing, IteratedLocalSearch, Walk, run, stop
from metaheur.neighborhoods import Insertion, Swap, SwapMove
from metaheur.parts import AdaptiveMoves, Kept, Perturbation, RandomMoves, Reinsertion
from metaheur.problems import QAP
from metaheur.random import Stream
from metaheur.testing import check_search


@frozen
class Carousel(Perturbation):
    """A random item moves `count` places forward, by swaps with the next item."""

    count: int = 4
    moves: Swap = Swap()

    source = """
struct Carousel : CarouselData {                                      // int n; i64 count; Swap moves;
    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        const i64 first = walk.random(perturbation_stream).index(0, n);
        for (i64 k = 0; k < count; ++k) {
            const int i = int((first + k) % n), j = int((first + k + 1) % n);
            const SwapMove move = i < j ? SwapMove{i, j} : SwapMove{j, i};
            make(moves, move, walk.delta(moves, move));
        }
        return count;
    }
};"""

    @property
    def neighborhoods(self) -> tuple[Swap]:
        return (self.moves,)

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        n, moves = solution.representation.length, evaluate.of(self.moves)
        first = walk.random(Stream.PERTURBATION).index(0, n)
        for k in range(self.count):
            move = SwapMove(*sorted(((first + k) % n, (first + k + 1) % n)))
            index = self.moves.index(solution.representation, move)
            solution = solution.moved(self.moves, index, moves.delta(solution, index) or 0)
        return solution, self.count


descent = HillClimbing(Swap())
check_search(IteratedLocalSearch(descent, Carousel()), QAP.random(8, seed=1), iterations=60)
for perturbation in (Carousel(), RandomMoves(Swap(), 4), AdaptiveMoves(Swap(), 2, 12), Reinsertion(Insertion(), 2)):
    search = IteratedLocalSearch(descent, perturbation)
    result = run(search, QAP.taillard(25), stop=stop.iterations(20_000), seed=1)
    print(f"{result.cost} by {perturbation}")
