from metaheur.open.ask_tell import AskTell, ToldCost, ask
from metaheur.open.asynchronous import Asynchronous, AsynchronousState
from metaheur.open.benchmarks import FromCOCO, FromIOH, as_algorithm, from_coco, from_ioh
from metaheur.open.command_cost import CommandCost, ResidentCost, last_numbers
from metaheur.open.frames import from_frame
from metaheur.open.graphs import from_networkx, from_scipy
from metaheur.open.known import Evaluation, EvaluationLedger
from metaheur.open.optuna_studies import FromOptuna, as_optuna, from_optuna
from metaheur.open.pymoo_problems import FromPymoo, as_pymoo, from_pymoo
from metaheur.open.screened import Screened
from metaheur.open.worker_pool import Retry, WorkerPool
from metaheur.open.worker_progress import WorkerProgress

__all__ = [
    "AskTell",
    "Asynchronous",
    "AsynchronousState",
    "CommandCost",
    "Evaluation",
    "EvaluationLedger",
    "FromCOCO",
    "FromIOH",
    "FromOptuna",
    "FromPymoo",
    "ResidentCost",
    "Retry",
    "Screened",
    "ToldCost",
    "WorkerPool",
    "WorkerProgress",
    "as_algorithm",
    "as_optuna",
    "as_pymoo",
    "ask",
    "from_coco",
    "from_frame",
    "from_ioh",
    "from_networkx",
    "from_optuna",
    "from_pymoo",
    "from_scipy",
    "last_numbers",
]
