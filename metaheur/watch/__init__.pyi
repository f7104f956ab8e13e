from metaheur.watch.archive_visited import ArchiveVisited
from metaheur.watch.checkpoint import Checkpoint
from metaheur.watch.population_statistics import PopulationRow, PopulationStatistics
from metaheur.watch.solutions import Solutions
from metaheur.watch.statistics import Statistics, StatisticsRow
from metaheur.watch.trace import Row, Trace
from metaheur.watch.validate import Validate
from metaheur.watch.watcher import Watcher

__all__ = [
    "ArchiveVisited",
    "Checkpoint",
    "PopulationRow",
    "PopulationStatistics",
    "Row",
    "Solutions",
    "Statistics",
    "StatisticsRow",
    "Trace",
    "Validate",
    "Watcher",
]
