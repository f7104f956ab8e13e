"""A search of your own, in Python only: threshold descent. It runs on any device that evaluates the neighborhood."""

from typing import final

from attrs import frozen

from metaheur import EvaluatedSolution, Evaluator, Key, Neighborhood, Search, Walk, run, stop
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP


@final
@frozen
class RandomAdmissible(Search[Walk]):
    """Make a random move that worsens the cost by at most a threshold, which shrinks every iteration."""

    neighborhood: Neighborhood
    threshold: float = 0.01  # of the start's cost
    iterations: int = 2_000

    def init(self, start: EvaluatedSolution, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        deltas = evaluate.deltas(state.current)
        left = 1 - state.iteration / self.iterations
        admissible = (deltas <= self.threshold * left * state.best.cost).nonzero()[0]
        if not len(admissible):
            return state.stay(evaluate.size)
        k = int(admissible[state.random(stream=1000).index(0, len(admissible))])
        return state.make_move(self.neighborhood, k, deltas[k].item(), evaluate.size)

    def done(self, state: Walk) -> bool:
        return state.iteration >= self.iterations

    def ending(self, state: Walk) -> str:
        return "threshold is zero"


qap = QAP.taillard(20)
for device in ("numpy", "auto"):
    result = run(RandomAdmissible(Swap()), qap, stop=stop.iterations(10_000), seed=1, parallel=device)
    print(f"{result.device:6} cost {result.cost} after {result.iterations} iterations, {result.stopped_by}")
