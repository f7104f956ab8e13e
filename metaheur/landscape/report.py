"""All samplers of a landscape together."""

from __future__ import annotations

from typing import Any, final

from attrs import frozen

from metaheur.landscape.descents import AdaptiveWalks, EscapeRates
from metaheur.landscape.estimate import Curve, Estimate
from metaheur.landscape.neutral import Neutrality
from metaheur.landscape.ruggedness import Ruggedness
from metaheur.landscape.sampling import DensityOfStates, FitnessCloud
from metaheur.report.table import Table

__all__ = ["LandscapeReport"]


@final
@frozen(eq=False)
class LandscapeReport:
    """The results of all samplers of a landscape; ``print(report)`` shows the table.

    Parameters
    ----------
    name : str
        The problem and the neighborhood in words.
    autocorrelation : Curve
    correlation_length, distance_correlation : Estimate
    density : DensityOfStates
    cloud, best_cloud : FitnessCloud
        With a random, and with the best neighbor of each solution.
    neutrality : Neutrality
    adaptive : AdaptiveWalks
    escapes : EscapeRates
    ruggedness : Ruggedness
    neighborhood : dict of str to Estimate
        The results of the methods of `Landscape`.
    """

    name: str
    autocorrelation: Curve
    correlation_length: Estimate
    distance_correlation: Estimate
    density: DensityOfStates
    cloud: FitnessCloud
    best_cloud: FitnessCloud
    neutrality: Neutrality
    adaptive: AdaptiveWalks
    escapes: EscapeRates
    ruggedness: Ruggedness
    neighborhood: dict[str, Estimate]

    @classmethod
    def of(cls, landscape: Any, walks: int) -> LandscapeReport:
        """Call every sampler of a landscape with so many walks."""
        return cls(
            f"{type(landscape.problem).__name__}, {landscape.neighborhood!r}",
            landscape.autocorrelation(walks),
            landscape.correlation_length(walks),
            landscape.distance_correlation(walks),
            landscape.density_of_states(walks),
            landscape.fitness_cloud(walks),
            landscape.fitness_cloud(walks, neighbor="best"),
            landscape.neutrality(walks),
            landscape.adaptive_walks(walks),
            landscape.escape_rates(walks),
            landscape.ruggedness(walks),
            landscape.neighborhood_statistics(walks),
        )

    @property
    def table(self) -> Table:
        """A row for each statistic: its value and the ends of its 95 % interval."""
        rows = {
            "cost of a random solution": self.density.mean,
            "autocorrelation at lag 1": self.autocorrelation.at(1),
            "correlation length": self.correlation_length,
            "fitness-distance correlation": self.distance_correlation,
            "information content": self.ruggedness.highest,
            "neutral degree": self.neutrality.degree,
            "percolation of neutral walks": self.neutrality.percolation,
            "share of improving moves": self.neighborhood["improving"],
            "correlation with the best neighbor": self.best_cloud.correlation,
            "length of adaptive walks": self.adaptive.length,
            "cost of local optima": self.adaptive.cost,
            "number of local optima, at least": self.adaptive.number,
            "escape rate after one move": self.escapes.escaped.at(0),
        }
        cells = tuple((f"{each.value:.4g}", f"{each.low:.4g}", f"{each.high:.4g}") for each in rows.values())
        return Table((self.name, "value", "low", "high"), tuple((name,) for name in rows), cells)

    def __str__(self) -> str:
        """The table."""
        return str(self.table)

    def plot(self) -> Any:
        """A page of six pictures, a `matplotlib.figure.Figure`.

        Raises
        ------
        InputError
            If matplotlib is not installed.
        """
        from metaheur.pictures.landscapes import draw_landscape

        return draw_landscape(self)
