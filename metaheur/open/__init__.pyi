from metaheur.open.known import Evaluation, EvaluationLedger
from metaheur.open.worker_pool import Retry, WorkerPool

__all__ = [
    "Evaluation",
    "EvaluationLedger",
    "Retry",
    "WorkerPool",
]
