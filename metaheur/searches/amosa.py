"""AMOSA."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.archives.archive import Archive
from metaheur.archives.crowding import Crowding
from metaheur.fields import Factor
from metaheur.loops.archived_annealing import ArchivedAnnealing
from metaheur.loops.loop import Composed
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Cooling, Geometric, Schedule
from metaheur.validate import instance_field, real_field

__all__ = ["AMOSA"]


@final
@frozen
class AMOSA(Composed):
    """Simulated annealing for several objectives, whose acceptance depends on the archive of the solutions found.

    See `ArchivedAnnealing`. An iteration is one trial. The search ends with its schedule.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    temperature : float, default 1.0
        The first temperature; the amounts of domination that it divides are at most 1.
    schedule : Schedule, default Geometric()
        How the temperature falls.
    archive : Archive, default Crowding(100)
        Which solutions are kept; a bounded one.

    Notes
    -----
    S. Bandyopadhyay, S. Saha, U. Maulik and K. Deb, "A simulated annealing-based multiobjective optimization algorithm:
    AMOSA", IEEE Transactions on Evolutionary Computation 12, 2008. There, the archive begins with solutions of hill
    climbing, and is clustered to a hard limit where it exceeds a soft one; here it begins with the start, and the
    archive removes one member at a time: `DistanceTruncation` one of the two nearest, like a clustering. Amounts are
    divided by the temperature, as in Metropolis' criterion.

    Examples
    --------
    >>> from metaheur import run, stop
    >>> from metaheur.neighborhoods import Insertion
    >>> from metaheur.problems import FlowShop
    >>> shop = FlowShop([[3, 9], [8, 2], [5, 5]], due_dates=[9, 14, 20], objectives=("makespan", "total tardiness"))
    >>> run(AMOSA(Insertion(), 0.1), shop, stop=stop.iterations(60), seed=1, parallel="numpy").front.costs.tolist()
    [[19, 8], [21, 4]]
    """

    neighborhood: Neighborhood
    temperature: float = real_field(0, above=True, default=1.0, metadata={"tune": Factor()})
    schedule: Schedule = field(factory=Geometric)
    archive: Archive = instance_field(Archive, "use Crowding(100).", factory=lambda: Crowding(100), kw_only=True)

    @cached_property
    def loop(self) -> ArchivedAnnealing:
        """Archived annealing."""
        return ArchivedAnnealing(self.neighborhood, Cooling(self.temperature, self.schedule), self.archive)
