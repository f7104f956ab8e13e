"""An archive of boxes: one member for each box that no other one dominates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.archives.archive import Archive
from metaheur.archives.dominance import nondominated
from metaheur.errors import InputError
from metaheur.representation import Representation
from metaheur.validate import whole

__all__ = ["EpsilonBoxes"]


def _widths(value: Any) -> tuple[int, ...]:
    """Whole numbers from 1 on, one at least."""
    numbers = value if isinstance(value, Sequence | np.ndarray) and not isinstance(value, str) else (value,)
    found = tuple(whole(each, "EpsilonBoxes.widths", 1, 2**53) for each in numbers)
    if not found:
        raise InputError("`EpsilonBoxes.widths` must hold a width for each objective, but is empty.", "use 10 for all.")
    return found


@final
@frozen
class EpsilonBoxes(Archive):
    """Keeps one member for each box of costs that no other box with a member dominates.

    A cost c is in the box floor(c / width), objective by objective, and boxes dominate each other as costs do. The
    member of a box is the one that is nearest to its corner, where the costs are least, by the Euclidean distance in
    widths; the first among equals. So the members are the same in whatever order solutions are offered, but for equal
    distances, and for each solution that was ever offered a member is worse by less than the width in each objective.

    Parameters
    ----------
    widths : int or sequence of int
        The width of a box in each objective, 1 ... 2**53, or one width for all objectives.

    Notes
    -----
    M. Laumanns, L. Thiele, K. Deb and E. Zitzler, "Combining convergence and diversity in evolutionary multiobjective
    optimization", Evolutionary Computation 10, 2002, algorithm 3, with additive boxes; there, the first solution of a
    box stays until another one dominates it. The corner decides in K. Deb, M. Mohan and S. Mishra, "Evaluating the
    epsilon-domination based multi-objective evolutionary algorithm for a quick computation of Pareto-optimal
    solutions", Evolutionary Computation 13, 2005.
    """

    widths: tuple[int, ...] = field(converter=_widths, metadata={"python only": True})

    source: ClassVar[str] = "epsilon_boxes.cuh"

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        return {"widths": np.array(self.widths)}

    def require(self, objectives: int) -> None:
        if len(self.widths) not in (1, objectives):
            raise InputError(
                f"`EpsilonBoxes.widths` must hold a width for each of {objectives} objectives, but holds "
                f"{len(self.widths)}.",
                "give one width for all objectives.",
            )

    def redundant(self, costs: np.ndarray) -> np.ndarray:
        widths = np.array(self.widths)
        boxes = np.floor(costs / widths)
        distances = np.zeros(len(costs))
        for column in ((costs - boxes * widths) / widths).T:  # one by one, as a sum of floats depends on its order
            distances += column**2
        nearest = np.argsort(distances, kind="stable")
        found = np.ones(len(costs), bool)
        found[nearest[nondominated(boxes[nearest])]] = False
        return found
