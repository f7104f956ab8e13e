"""Experiments: searches x problems x models x seeds, in processes or threads, and tables of their results."""

from metaheur.report.comparison import Comparison, Pair
from metaheur.report.experiment import Experiment, ExperimentRun
from metaheur.report.processes import Processes
from metaheur.report.reproduce import Reproduction, reproduce
from metaheur.report.run_many import run_many
from metaheur.report.study import read_experiment, run_study
from metaheur.report.summary import Summary
from metaheur.report.table import Table
from metaheur.report.workers import Batch, Setup, Task, Threads, Workers

__all__ = [
    "Batch",
    "Comparison",
    "Experiment",
    "ExperimentRun",
    "Pair",
    "Processes",
    "Reproduction",
    "Setup",
    "Summary",
    "Table",
    "Task",
    "Threads",
    "Workers",
    "read_experiment",
    "reproduce",
    "run_many",
    "run_study",
]
