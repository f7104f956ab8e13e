"""Evaluations alone, again and again, without copying the changes of cost."""

from typing import Any

from metaheur.walk import EvaluatedSolution


def rehearse(evaluator: Any, solution: EvaluatedSolution, rounds: int) -> None:
    """Let the evaluator of a device evaluate its first chunk so many times."""
    evaluator._follow(solution)
    evaluator._kernels.limit(min(evaluator.size, evaluator._kernels.chunk))
    for _ in range(rounds):
        evaluator._kernels.launch("evaluate", 0, evaluator._kernels.teams)
    evaluator.device.wait()
