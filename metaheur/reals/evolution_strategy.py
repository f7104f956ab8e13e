"""Evolution strategies: children of a normal distribution, whose width adapts to their success."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, ClassVar, Final, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation, Solution
from metaheur.errors import InputError
from metaheur.fields import Array, Range
from metaheur.part import Kept, zeros
from metaheur.problem import Problem
from metaheur.random import Stream
from metaheur.reals.deviates import normal
from metaheur.reals.domains_of import nearest_within, ranges_of
from metaheur.reals.elementary import exp, log
from metaheur.reals.generation_loop import GenerationLoop
from metaheur.reals.halves import half_with_functions
from metaheur.reals.requirements import require_independent
from metaheur.source import Source
from metaheur.validate import real_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["EvolutionStrategy"]

_NARROWEST: Final = 1e-11
"""The least standard deviation, as a share of the range: less than a hundredth of a quantum."""


@final
@frozen
class EvolutionStrategy(GenerationLoop):
    """Children of a normal distribution, equally wide in all directions; the best ones become the next mean.

    An iteration makes one child. With several children a generation, (mu/mu, lambda): the mean of the mu best children
    is the next mean, and each child has a width of its own, by which it was drawn and which it hands on
    (self-adaptation). With one child, (1+1): a child that is not worse becomes the parent; the width grows after a
    success and falls after a failure, so that about one child in five succeeds. Entries are shares of their ranges; one
    beyond a bound is set to the bound. It acts on all solutions whose entries do not depend on each other; values are
    rounded. It never ends by itself.

    Parameters
    ----------
    size : int, default 20
        The number of children of a generation, lambda; 1 for (1+1) with the rule of one in five.
    parents : int, optional
        The number of best children, mu, 1 ... `size`; by default a quarter of them, but one at least.
    deviation : float, default 0.1
        The standard deviation at first, as a share of the range of an entry.

    Notes
    -----
    I. Rechenberg, Evolutionsstrategie, 1973, whose rule is here as in S. Kern et al., "Learning probability
    distributions in continuous evolutionary algorithms", Natural Computing 3, 2004; H.-P. Schwefel, Numerical
    Optimization of Computer Models, 1981; with recombination of all parents, H.-G. Beyer, "Toward a theory of evolution
    strategies: on the benefits of sex", Evolutionary Computation 3, 1995. Widths are recombined by their geometric
    mean.
    """

    size: int = whole_field(1, 2**20, default=20, metadata={"tune": Range(1, 200, log=True)})
    parents: int | None = whole_field(1, 2**20, default=None, metadata={"python only": True})
    deviation: float = real_field(0, 1, default=0.1)

    source: ClassVar[str] = "evolution_strategy.cuh"
    asks: ClassVar[tuple[str, ...]] = ("cost",)
    keeps_feasible: ClassVar[bool] = False
    endless: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse more parents than children."""
        if self.parents is not None and self.parents > self.size:
            raise InputError(
                f"{self.parents} parents cannot be chosen among {self.size} children of a generation.",
                f"use parents={max(1, self.size // 4)}.",
            )

    @property
    def _chosen(self) -> int:
        """The number of parents."""
        return max(1, self.size // 4) if self.parents is None else self.parents

    def source_for(self, problem: Any, device: Any) -> Source:
        """The half, with the functions that it uses."""
        return half_with_functions("evolution_strategy.cuh")

    def require(self, problem: Problem) -> None:
        """Refuse entries that depend on each other, and several objectives."""
        super().require(problem)
        require_independent(problem, "EvolutionStrategy")

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Whether there is one child a generation, and the number of parents."""
        return {"alone": self.size == 1, "chosen": self._chosen}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`most`: the largest value of each entry, as floats."""
        return {"most": ranges_of(representation)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The distribution, and the children of the generation; of one child, its parent."""
        n = representation.length
        return {
            "mean": Array((n,), "float64"),
            "width": Array((), "float64"),
            "offspring": Array((self.size, n), "item", costs="costs", rows="born"),
            "costs": Array((self.size,), "total"),
            "widths": Array((self.size,), "float64"),
            "born": Array((), "int64", within=(0, self.size)),
            "drawn": Array((), "int64", within=(0, 1)),
        }

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The children by rank."""
        return {"order": Array((self.size,), "int64")}

    def begin(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """The distribution around the first solution."""
        space = start.representation
        kept = zeros(self.state(space), start)
        kept["mean"][:] = start.solution.astype(np.float64) / self.tables(space)["most"]
        kept["width"][()] = self.deviation
        return kept

    def draw(self, kept: Kept, walk: Walk) -> tuple[Solution, Any]:
        space = walk.current.representation
        most, random = self.tables(space)["most"], walk.random(Stream.PERTURBATION)
        n, width = len(most), kept["width"].item()
        if self.size > 1:
            width = _bounded(width * exp(normal(random, n) / sqrt(2.0 * float(n))))
        steps = width * np.array([normal(random, k) for k in range(n)])
        return nearest_within((kept["mean"] + steps) * most, most).astype(space.dtype), width

    def keep(self, kept: Kept, drawn: Any) -> None:
        if self.size > 1:
            kept["widths"][int(kept["born"])] = drawn

    def left(self, kept: Kept) -> int:
        return 1 if self.size == 1 else self.size - int(kept["born"])

    def pass_over(self, kept: dict[str, Any]) -> None:
        kept["born"] = kept["born"] + (self.size > 1)

    def take_in(self, kept: Kept, walk: Walk) -> None:
        drawn = bool(kept["drawn"])
        kept["drawn"][()] = 1
        if drawn or self.size == 1:
            self._join(kept, walk)

    def _join(self, kept: Kept, walk: Walk) -> None:
        """The solution joins the generation; a whole one has the next mean and the next width."""
        most = self.tables(walk.current.representation)["most"]
        x, cost, n = walk.current.solution, walk.current.cost, len(most)
        if self.size == 1:
            better = not kept["born"] or cost <= kept["costs"][0]
            if better:
                kept["offspring"][0], kept["costs"][0] = x, cost
                kept["mean"][:] = x.astype(np.float64) / most
            if kept["born"]:
                rate = 1.0 / sqrt(float(n) + 1.0)
                kept["width"][()] = _bounded(kept["width"].item() * exp(rate if better else -0.25 * rate))
            kept["born"][()] = 1
            return
        place = int(kept["born"])
        kept["offspring"][place], kept["costs"][place] = x, cost
        kept["born"][()] += 1
        if kept["born"] < self.size:
            return
        order = np.argsort(kept["costs"], kind="stable")[: self._chosen]
        total, width = np.zeros(n), 0.0
        for s in order:
            total = total + kept["offspring"][s].astype(np.float64) / most
            width += log(kept["widths"][s].item())
        kept["mean"][:] = total / float(self._chosen)
        kept["width"][()] = _bounded(exp(width / float(self._chosen)))
        kept["born"][()] = 0


def _bounded(width: float) -> float:
    """A width between the narrowest and the whole range."""
    return min(max(width, _NARROWEST), 1.0)
