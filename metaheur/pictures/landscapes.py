"""Pictures of landscapes: the samplers' results on a page, and networks in two and three dimensions."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from metaheur.pictures.axes import subplots

__all__ = ["SampledLandscape", "draw_landscape"]


class SampledLandscape(Protocol):
    """The results of samplers that are drawn; a `metaheur.landscape.LandscapeReport` has them."""

    @property
    def name(self) -> str:
        """The landscape in words."""

    @property
    def autocorrelation(self) -> Any:
        """A curve over the lag."""

    @property
    def density(self) -> Any:
        """Costs of random solutions."""

    @property
    def cloud(self) -> Any:
        """Costs of solutions and of random neighbors."""

    @property
    def best_cloud(self) -> Any:
        """Costs of solutions and of their best neighbors."""

    @property
    def adaptive(self) -> Any:
        """Lengths of adaptive walks."""

    @property
    def escapes(self) -> Any:
        """Curves over the number of moves."""

    @property
    def ruggedness(self) -> Any:
        """Curves over the sensitivity."""


def draw_landscape(report: SampledLandscape) -> Any:
    """Draw a page of six pictures."""
    figure, axes = subplots(2, 3, figsize=(11, 6))
    (density, correlation, cloud), (lengths, escapes, information) = axes
    shares, ends = report.density.histogram()
    density.stairs(shares, ends, fill=True)
    density.set(xlabel="cost", ylabel="share of random solutions")
    _band(correlation, report.autocorrelation)
    correlation.axhline(0, color="grey", linewidth=0.5)
    correlation.set(xlabel="lag", ylabel="autocorrelation")
    for each, label in ((report.cloud, "random neighbor"), (report.best_cloud, "best neighbor")):
        cloud.plot(each.costs, each.neighbors, ".", markersize=3, label=label)
    cloud.set(xlabel="cost", ylabel="cost of a neighbor")
    cloud.legend(frameon=False)
    counts = np.bincount(report.adaptive.lengths)
    lengths.bar(np.arange(len(counts)), counts / counts.sum())
    lengths.set(xlabel="steps of a descent", ylabel="share of descents")
    _band(escapes, report.escapes.escaped, "elsewhere")
    _band(escapes, report.escapes.improved, "better")
    escapes.set(xlabel="random moves from a local optimum", ylabel="share of descents", ylim=(0, 1.02))
    escapes.legend(frameon=False)
    _band(information, report.ruggedness.content, "content")
    _band(information, report.ruggedness.partial, "partial content")
    information.set(xlabel="sensitivity", ylabel="information")
    information.legend(frameon=False)
    figure.suptitle(report.name)
    return figure


def _band(ax: Any, curve: Any, label: str | None = None) -> None:
    """Draw estimates as a line, and their intervals as a band."""
    ax.plot(curve.x, curve.values, label=label)
    ax.fill_between(curve.x, curve.low, curve.high, alpha=0.2, linewidth=0)
