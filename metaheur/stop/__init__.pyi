from metaheur.stop.conditions import all_reach, seconds, target, when
from metaheur.stop.criterion import Stop, evaluations, iterations, no_improvement
from metaheur.stop.windows import diminished_returns

__all__ = [
    "Stop",
    "all_reach",
    "diminished_returns",
    "evaluations",
    "iterations",
    "no_improvement",
    "seconds",
    "target",
    "when",
]
