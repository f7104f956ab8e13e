"""What tuning found."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.door.expression import written
from metaheur.running.frame import Framed, data_frame
from metaheur.search import Search
from metaheur.searches.recommendation import Recommendation
from metaheur.tuning.space import Configuration

__all__ = ["Ranked", "Tuned"]


@final
@frozen(eq=False)
class Ranked:
    """A configuration that was among the best.

    Parameters
    ----------
    configuration : dict
        Its values.
    made : Search or Recommendation
        The search that it makes for the first problem.
    costs : tuple of float
        Its cost on each block, lower is better; the first blocks are the same for all configurations.
    """

    configuration: Configuration
    made: Search[Any] | Recommendation
    costs: tuple[float, ...]

    @property
    def search(self) -> Search[Any]:
        """The search."""
        return self.made.search if isinstance(self.made, Recommendation) else self.made

    @property
    def text(self) -> str:
        """The Python expression that makes the search."""
        return written(self.search, self.made.names if isinstance(self.made, Recommendation) else None)


@final
@frozen(eq=False)
class Tuned(Framed):
    """What tuning found: the best configurations, and the one with which it began.

    Parameters
    ----------
    ranked : tuple of Ranked
        The best configurations, the best one first, and among them the default one.
    place : int
        The place of the default configuration, 0 for the first.
    races, runs, work : int
        How many races and runs were made, and their work.
    stopped_by : {"work", "interrupt"}
        Why tuning ended.
    """

    ranked: tuple[Ranked, ...]
    place: int
    races: int
    runs: int
    work: int
    stopped_by: str

    @property
    def best(self) -> Ranked:
        """The best configuration, perhaps the default one."""
        return self.ranked[0]

    @property
    def default(self) -> Ranked:
        """The configuration of the search that was given."""
        return self.ranked[self.place]

    @property
    def search(self) -> Search[Any]:
        """The search of the best configuration, for the first problem."""
        return self.best.search

    @property
    def configuration(self) -> Configuration:
        """The best configuration."""
        return self.best.configuration

    def rows(self) -> list[dict[str, Any]]:
        """For each configuration: rank, whether it is the default one, mean cost, blocks, search.

        The mean is that of the blocks that all of them have.
        """
        blocks = min(len(each.costs) for each in self.ranked)
        return [
            {
                "rank": rank,
                "default": each is self.default,
                "mean": float(np.mean(each.costs[:blocks])),
                "blocks": len(each.costs),
                "search": each.text,
            }
            for rank, each in enumerate(self.ranked, 1)
        ]

    def to_dataframe(self) -> Any:
        """The rows, with a column for each parameter, as a `pandas.DataFrame`.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        names = list(dict.fromkeys(name for each in self.ranked for name in each.configuration))
        rows = self.rows()
        values = [
            [*row.values(), *(each.configuration.get(name) for name in names)]
            for row, each in zip(rows, self.ranked, strict=True)
        ]
        return data_frame([*rows[0], *names], values)

    def __str__(self) -> str:
        told = [f"{self.runs} runs in {self.races} races, work {self.work}"]
        for row in self.rows():
            default = " (default)" if row["default"] else ""
            told.append(f"{row['rank']}. mean cost {row['mean']:.10g}, {row['blocks']} blocks{default}")
            told.append(f"   {row['search']}")
        return "\n".join(told)
