"""The proof of an exact search, complete or not."""

from __future__ import annotations

from typing import Any, final

from attrs import fields, frozen

from metaheur.wings import filled

__all__ = ["Counts", "Proof"]


@final
@frozen
class Counts:
    """The counts of an exact search; the same on every device.

    Parameters
    ----------
    branched : int
        Nodes whose children were made ("decomposed" in some papers).
    bounded : int
        Children that were made and bounded.
    complete : int
        Bounded children that were complete.
    kept : int
        Bounded children that were not complete and whose bound was below the incumbent ("explored" in some papers).
    by_bound : int
        Nodes pruned by their bound: as children, or later by a better incumbent.
    by_dominance : int
        Nodes that another node dominated.
    deepest : int
        The greatest depth of a child.
    """

    branched: int = 0
    bounded: int = 0
    complete: int = 0
    kept: int = 0
    by_bound: int = 0
    by_dominance: int = 0
    deepest: int = 0

    def __add__(self, other: Counts) -> Counts:
        sums = {each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(Counts)}
        return Counts(**{**sums, "deepest": max(self.deepest, other.deepest)})


@final
@frozen
class Proof:
    """The proof of an exact search, complete or stopped. Costs are as the user reads them.

    Parameters
    ----------
    status : {"optimal", "feasible", "infeasible", "unknown"}
        "optimal": no solution is better; "feasible": there is a solution, and nodes are open or were left out;
        "infeasible": the tree has no solution, or none better than the cutoff; "unknown": no solution was found yet.
    cost : int or float, optional
        Cost of the best solution; None if there is no solution.
    bound : int or float, optional
        A bound that no solution is better than; None where the tree has no solution.
    counts : Counts
        Nodes branched, bounded, kept, and pruned.
    open : int
        Open nodes.
    share : float
        The share of the tree that is done, 0 ... 1; each child of a node counts for an equal part of the node.
    solutions : int
        Number of optimal solutions, or of best ones, that are kept.
    """

    status: str
    cost: int | float | None
    bound: int | float | None
    counts: Counts
    open: int
    share: float
    solutions: int = 1

    @property
    def absolute_gap(self) -> float:
        """The distance between cost and bound; infinite if one of the two is missing."""
        if self.cost is None or self.bound is None:
            return 0.0 if self.status == "infeasible" else float("inf")
        return float(abs(self.cost - self.bound))

    @property
    def proven(self) -> bool:
        """Whether the search is over: no solution is better than the best one, or there is none."""
        return self.status in ("optimal", "infeasible")

    @property
    def gap(self) -> float:
        """The relative gap: the distance between cost and bound, divided by the size of the cost, but at least by 1."""
        return self.absolute_gap / max(1, abs(self.cost or 0))

    def __str__(self) -> str:
        counts = self.counts
        rest = ", others left out" if not self.open and self.status in ("feasible", "unknown") else ""
        return (
            f"{self.status}: cost {_shown(self.cost)}, bound {_shown(self.bound)}, gap {100 * self.gap:.2f} %; "
            f"{counts.branched:,} nodes branched, {counts.bounded:,} bounded, {counts.kept:,} kept; pruned "
            f"{counts.by_bound:,} by bound, {counts.by_dominance:,} by dominance; {self.open:,} open{rest}, "
            f"depth {counts.deepest}"
        )

    def _rows(self) -> dict[str, str]:
        from metaheur.running.shown import per_cent

        counts = self.counts
        return {
            "status": self.status,
            "cost": _shown(self.cost),
            "bound": _shown(self.bound),
            "gap": f"{100 * self.gap:.2f} %",
            "done": per_cent(self.share),
            "nodes": f"{counts.branched:,} branched, {counts.bounded:,} bounded, {counts.kept:,} kept",
            "pruned": f"{counts.by_bound:,} by bound, {counts.by_dominance:,} by dominance",
            "open": f"{self.open:,}",
        }

    def __rich__(self) -> Any:
        """The proof as a table, for `rich.print` and notebooks."""
        from rich.table import Table

        from metaheur.running.shown import box

        table = Table(box=box(), show_header=False)
        for name, text in self._rows().items():
            table.add_row(name, text)
        return table

    def plot(self, *, ax: Any = None) -> Any:
        """Draw what became of the tree's nodes: pruned by bound or dominance, complete, branched, open.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw into; a new figure by default.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If matplotlib is not installed.
        """
        (draw_tree,) = filled("draw_tree")
        return draw_tree(self, ax)

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        from metaheur.running.inline import html_of

        return html_of(self.__rich__())


def _shown(cost: float | None) -> str:
    return "none" if cost is None else f"{cost:,}"
