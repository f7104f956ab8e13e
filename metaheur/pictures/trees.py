"""Pictures of exact searches, by matplotlib."""

from __future__ import annotations

from typing import Any, Protocol

from metaheur.pictures.axes import new_axes

__all__ = ["DrawnTree", "draw_tree"]


class DrawnTree(Protocol):
    """The members of a proof that are drawn; a `metaheur.running.proof.Proof` has them."""

    @property
    def status(self) -> str:
        """How far the proof is."""

    @property
    def counts(self) -> Any:
        """The counts of nodes."""

    @property
    def open(self) -> int:
        """Open nodes."""

    @property
    def share(self) -> float:
        """The share of the tree that is done."""


def draw_tree(proof: DrawnTree, ax: Any = None) -> Any:
    """Draw what became of the nodes of a tree, a bar each; see `Proof.plot`."""
    counts = proof.counts
    bars = {
        "bounded": counts.bounded,
        "complete": counts.complete,
        "pruned by bound": counts.by_bound,
        "by dominance": counts.by_dominance,
        "branched": counts.branched,
        "open": proof.open,
    }
    ax = new_axes(ax)
    drawn = ax.barh(list(bars), list(bars.values()))
    ax.bar_label(drawn, [f" {count:,}" for count in bars.values()])
    ax.invert_yaxis()
    ax.margins(x=0.2)
    ax.set_xlabel("nodes")
    ax.set_title(f"{proof.status}: {100 * proof.share:.3g} % of the tree, {counts.deepest} levels deep")
    return ax
