"""Experiments: searches x problems x seeds, in processes or threads, and the table that they come to."""

from metaheur.experiment.experiment import Experiment, ExperimentRun, Summary
from metaheur.experiment.processes import Processes
from metaheur.experiment.run_many import run_many
from metaheur.experiment.workers import Batch, Setup, Task, Threads, Workers

__all__ = [
    "Batch",
    "Experiment",
    "ExperimentRun",
    "Processes",
    "Setup",
    "Summary",
    "Task",
    "Threads",
    "Workers",
    "run_many",
]
