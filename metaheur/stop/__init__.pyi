from metaheur.stop.conditions import seconds, target, when
from metaheur.stop.counts import evaluations, iterations, no_improvement
from metaheur.stop.criterion import Stop
from metaheur.stop.windows import diminished_returns

__all__ = [
    "Stop",
    "diminished_returns",
    "evaluations",
    "iterations",
    "no_improvement",
    "seconds",
    "target",
    "when",
]
