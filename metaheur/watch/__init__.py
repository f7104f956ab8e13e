"""Watchers: what looks at a run and never changes it."""

from metaheur.watch.checkpoint import Checkpoint
from metaheur.watch.statistics import Statistics, StatisticsRow
from metaheur.watch.trace import Row, Trace
from metaheur.watch.validate import Validate
from metaheur.watch.watcher import Watcher

__all__ = ["Checkpoint", "Row", "Statistics", "StatisticsRow", "Trace", "Validate", "Watcher"]
