"""A front: the non-dominated solutions of one run or of many, and measures of its quality."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import field, frozen

from metaheur.archives.dominance import covered, nondominated
from metaheur.archives.hypervolume import hypervolume, moocore
from metaheur.archives.members import Members
from metaheur.archives.text import write_sets
from metaheur.errors import InputError
from metaheur.parts.replacement.ranks import scaled
from metaheur.representation import Representation
from metaheur.running.frame import Framed, data_frame

if TYPE_CHECKING:
    from metaheur.problem import Problem

__all__ = ["Front"]


def _read_only(value: Any) -> np.ndarray:
    array = np.array(value)
    array.flags.writeable = False
    return array


def _front_of(costs: np.ndarray) -> np.ndarray:
    """The indices of the non-dominated costs, the first among equals, by ascending costs."""
    kept = np.flatnonzero(nondominated(costs))
    found: np.ndarray = kept[np.lexsort(costs[kept].T[::-1])]
    return found


def _differences(costs: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Costs minus points, all pairs, shape (M, N, K): whole numbers are exact, also beyond 64 bits."""
    whole = costs.dtype.kind in "iu" and points.dtype.kind in "iu"
    if whole and max(int(abs(each).max()) for each in (costs, points)) >= 2**62:
        costs, points = costs.astype(object), points.astype(object)
    found: np.ndarray = costs[None, :, :] - points[:, None, :]
    return found


@final
@frozen(eq=False, repr=False)
class Front(Framed):
    """Mutually non-dominated solutions, by ascending costs.

    Parameters
    ----------
    costs : numpy.ndarray, shape (N, K)
        The costs as the user reads them, with their own sign if an objective is maximised. All arrays are read-only.
    solutions : numpy.ndarray, shape (N, n)
        A solution a row.
    objectives : tuple of str
        The names of the K objectives.
    signs : numpy.ndarray of int64, shape (K,)
        1 for an objective that is minimised, -1 for one that is maximised.
    walks, born : numpy.ndarray of int64, shape (N,)
        The number of the walk that found a solution, and the iteration in which it was found.
    factor : int, default 1
        By which number searches multiply the costs: see `Problem.cost_factor`.
    """

    costs: np.ndarray = field(converter=_read_only)
    solutions: np.ndarray = field(converter=_read_only)
    objectives: tuple[str, ...]
    signs: np.ndarray = field(converter=_read_only)
    walks: np.ndarray = field(converter=_read_only)
    born: np.ndarray = field(converter=_read_only)
    factor: int = 1

    @classmethod
    def of(cls, problem: Problem, members: Iterable[tuple[int, Members]]) -> Front:
        """The front of the members of some walks.

        Parameters
        ----------
        problem : Problem
            A problem with several objectives.
        members : iterable of (int, Members)
            The number of a walk, and its members; the first of equal costs is kept.
        """
        pairs = list(members)
        walks = np.concatenate([np.full(len(each), walk, np.int64) for walk, each in pairs])
        costs, solutions, born = (
            np.concatenate([getattr(each, name) for _, each in pairs]) for name in ("costs", "solutions", "born")
        )
        kept = _front_of(costs)
        signs = np.sign(problem.displayed(tuple([1] * len(problem.objectives)))).astype(np.int64)
        shown, factor = problem.displayed(costs[kept]), problem.cost_factor
        return cls(shown, solutions[kept], problem.objectives, signs, walks[kept], born[kept], factor)

    @classmethod
    def from_solutions(cls, problem: Problem, solutions: Any) -> Front:
        """The front of given solutions.

        Parameters
        ----------
        problem : Problem
            A problem with several objectives.
        solutions : array_like, shape (m, n)
            A solution a row.

        Raises
        ------
        InputError
            If the problem has one objective, there is no solution, or a row is not a solution.
        """
        if not problem.objectives:
            raise InputError(
                f"{type(problem).__name__} has one objective, so its solutions have no front.",
                "name several objectives.",
            )
        rows = [problem.representation.validate(x) for x in solutions]
        if not rows:
            raise InputError("A front needs at least one solution, but there is none.")
        xs = np.stack(rows)
        return cls.of(problem, [(0, Members.of(problem.representation, xs, problem.costs(xs)))])

    @property
    def minimised(self) -> np.ndarray:
        """The costs with signs such that all objectives are minimised, shape (N, K)."""
        found: np.ndarray = self.costs * self.signs
        return found

    def members(self, representation: Representation) -> Members:
        """The solutions as members of an archive, not yet visited."""
        costs = self.minimised
        if self.factor != 1:
            costs = np.rint(costs * self.factor).astype(np.int64)
        return Members.of(representation, self.solutions, costs)

    def __len__(self) -> int:
        return len(self.costs)

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Pairs of costs and solution."""
        return iter(zip(self.costs, self.solutions, strict=True))

    def __repr__(self) -> str:
        spans = zip(self.objectives, self.costs.min(axis=0), self.costs.max(axis=0), strict=True)
        return f"Front({len(self)} solutions: {', '.join(f'{name} {low} ... {high}' for name, low, high in spans)})"

    def __rich__(self) -> Any:
        """A table of the costs, of at most 20 solutions, for `rich.print` and notebooks."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(*self.objectives, "walk", "iteration", box=SIMPLE_HEAD, title=f"{len(self):,} solutions")
        for k in np.unique(np.linspace(0, len(self) - 1, min(20, len(self))).astype(int)):
            table.add_row(*(f"{cost:,}" for cost in self.costs[k].tolist()), f"{self.walks[k]:,}", f"{self.born[k]:,}")
        return table

    def picture(self) -> str:
        """The first two objectives as a small picture in SVG."""
        from metaheur.running.inline import points

        return points([(float(a), float(b)) for a, b in self.costs[:, :2].tolist()], *self.objectives[:2])

    def _repr_html_(self) -> str:
        """The table and the picture, for notebooks."""
        from metaheur.running.inline import html_of

        return html_of(self.__rich__(), self.picture())

    def merge(self, *others: Front) -> Front:
        """The front of all solutions of this and other fronts of a problem; of equal costs the first is kept.

        Raises
        ------
        InputError
            If the fronts have different objectives, or do not minimise and maximise the same ones.
        """
        fronts = (self, *others)
        for other in others:
            self._require_like(other, "merged")
        minimised = np.concatenate([each.minimised for each in fronts])
        kept = _front_of(minimised)
        solutions, walks, born = (
            np.concatenate([getattr(each, name) for each in fronts])[kept] for name in ("solutions", "walks", "born")
        )
        return Front(minimised[kept] * self.signs, solutions, self.objectives, self.signs, walks, born, self.factor)

    def reference(self) -> np.ndarray:
        """A reference point for `hypervolume`: in each objective a tenth of the range beyond the front's worst value.

        With the worst values themselves, the two ends of a front would add nothing, and a front of two ends would have
        the hypervolume 0; with a point much farther away, the ends would add almost all. Fronts must be compared with
        the same reference point: take that of their merged front. Shape (K,), as the user reads costs; a range of 0
        counts as 10.
        """
        low, high = self.minimised.min(axis=0), self.minimised.max(axis=0)
        spread = np.where(high > low, high - low, 10)
        step = -(-spread // 10) if self.costs.dtype.kind == "i" else spread / 10
        found: np.ndarray = (high + step) * self.signs
        return found

    def hypervolume(self, reference: Any, *, device: str = "numpy") -> int | float:
        """The measure of the region that the front dominates, up to a reference point; larger is better.

        See `metaheur.archives.hypervolume`: with four or more objectives, the package moocore computes it (extra `mo`).

        Parameters
        ----------
        reference : array_like, shape (K,)
            A point that is worse than the front, as the user reads costs.
        device : str, keyword-only
            "numpy" by default, "host" or a GPU.

        Raises
        ------
        InputError
            If a cost of the front is not better than the reference in every objective.
        """
        corner = self._row(reference, "reference") * self.signs
        beyond = ~(self.minimised < corner).all(axis=1)
        if beyond.any():
            k = int(np.argmax(beyond))
            raise InputError(
                f"The reference point {np.asarray(reference).tolist()} must be worse than every cost of the front in "
                f"every objective, but the cost {self.costs[k].tolist()} is not better.",
                "take front.reference(); for several fronts, in each objective the worst of their references.",
            )
        return hypervolume(self.minimised, corner, device=device)

    def epsilon(self, reference: Any, *, multiplicative: bool = False) -> float:
        """The epsilon indicator: how far the front must move to cover another front; smaller is better.

        The additive one is the least number by which all costs must fall, the multiplicative one the least factor by
        which they must be divided (by which objectives that are maximised must be multiplied).

        E. Zitzler, L. Thiele, M. Laumanns, C. M. Fonseca and V. Grunert da Fonseca, "Performance assessment of
        multiobjective optimizers", IEEE Transactions on Evolutionary Computation 7, 2003.

        Parameters
        ----------
        reference : Front or array_like, shape (M, K)
            The front to cover, of the same objectives, as the user reads costs; finite numbers.
        multiplicative : bool, keyword-only
            Whether it is the multiplicative indicator, for costs above 0 alone.

        Raises
        ------
        InputError
            If the indicator is multiplicative, and a cost is not above 0.
        """
        points = self._points(reference)
        if not multiplicative:
            excess = _differences(self.minimised, points).max(axis=2)
        else:
            others = points * self.signs
            least = min(self.costs.min().item(), others.min().item())
            if least <= 0:
                raise InputError(
                    f"The multiplicative epsilon indicator takes costs above 0, but one is {least}.",
                    "use the additive one.",
                )
            ratios = self.costs[None, :, :] / others[:, None, :]
            excess = np.where(self.signs > 0, ratios, 1 / ratios).max(axis=2)
        found: float = np.asarray(excess.min(axis=1).max()).item()
        return found

    def contribution(self, other: Any) -> float:
        """The share of the non-dominated solutions of two fronts that this one contributes, 0 ... 1; larger is better.

        With C costs that both have, and W costs of a front that dominate costs of the other one and N costs of a front
        that are neither common, nor dominate, nor are dominated: (C / 2 + W + N) / (C + W + N + W' + N'), where W' and
        N' are of the other front. The contributions of two fronts to each other have the sum 1.

        H. Meunier, E.-G. Talbi and P. Reininger, "A multiobjective genetic algorithm for radio network optimization",
        CEC 2000.

        Parameters
        ----------
        other : Front or array_like, shape (M, K)
            The other front, of the same objectives, as the user reads costs; finite numbers.
        """
        own, points = self.minimised, self._points(other)
        points = points[nondominated(points)]
        common = int((own[:, None, :] == points[None, :, :]).all(axis=2).sum())
        better, others = (int((~covered(*pair)).sum()) for pair in ((own, points), (points, own)))
        return (common / 2 + better) / (common + better + others)

    def entropy(self, other: Any) -> float:
        """How evenly this front is spread beside another front; larger is better.

        Let C be the number of costs of this front and of the front of both fronts together. In the niche of each of
        them are N of these costs, and n of this front. The entropy is the sum of n / (N C) log(C / n), divided by the
        logarithm of the sum of 1 / N. A niche is a ball of the radius K / M, where K is the number of objectives,
        scaled to 0 ... 1, and M the number of solutions of the front of both. The entropy of a front beside itself is
        1 if each solution has a niche of its own, and 0 if all are in one niche; it may exceed 1 where niches overlap.

        M. Basseur, F. Seynhaeve and E.-G. Talbi, "Design of multi-objective evolutionary algorithms: application to the
        flow-shop scheduling problem", CEC 2002. The radius is that of ParadisEO, which scales by the range of this
        front alone, where it is the range of all C costs here, and which adds 1 / N only where n is above 0.

        Parameters
        ----------
        other : Front or array_like, shape (M, K)
            The other front, of the same objectives, as the user reads costs; finite numbers.
        """
        own, points = self.minimised, self._points(other)
        both = np.concatenate([own, points])
        best = nondominated(both)
        everyone = np.concatenate([own, both[len(own) :][best[len(own) :]]])
        values = scaled(everyone)
        apart = np.sqrt(((values[:, None, :] - values[None, :, :]) ** 2).sum(axis=2))
        near = apart < len(self.objectives) / best.sum()
        crowd, mine = near.sum(axis=1), near[:, : len(own)].sum(axis=1)
        share = np.where(mine, mine, 1) / len(everyone)
        weight = float(np.log((1 / crowd).sum()))
        return float((np.where(mine, -share * np.log(share), 0.0) / crowd).sum() / weight) if weight > 1e-12 else 0.0

    def igd_plus(self, reference: Any) -> float:
        """The mean distance of another front's points from the region that this front dominates; smaller is better.

        H. Ishibuchi, H. Masuda, Y. Tanigaki and Y. Nojima, "Modified distance calculation in generational distance and
        inverted generational distance", EMO 2015.

        Parameters
        ----------
        reference : Front or array_like, shape (M, K)
            The other front, of the same objectives, as the user reads costs; finite numbers.
        """
        differences = _differences(self.minimised, self._points(reference)).astype(np.float64)
        behind = np.maximum(differences, 0.0)
        found: float = np.sqrt((behind**2).sum(axis=2)).min(axis=1).mean().item()
        return found

    def normalised(self, low: Any, high: Any) -> np.ndarray:
        """The costs moved and scaled so that `low` becomes 0 and `high` becomes 1, all minimised; shape (N, K).

        Parameters
        ----------
        low, high : array_like, shape (K,)
            The best and the worst value of each objective, as the user reads costs, such as those of a reference
            front; use the same values for all fronts that are compared.

        Raises
        ------
        InputError
            If `high` is not worse than `low` in every objective.
        """
        best, worst = self._row(low, "low") * self.signs, self._row(high, "high") * self.signs
        if not (best < worst).all():
            raise InputError(f"`high` must be worse than `low` in every objective, but they are {high} and {low}.")
        above = _differences(self.minimised, best[None, :])[0].astype(np.float64)
        found: np.ndarray = above / _differences(worst[None, :], best[None, :])[0, 0].astype(np.float64)
        return found

    @staticmethod
    def attainment(fronts: Sequence[Front], percentiles: Sequence[float] = (50,)) -> np.ndarray:
        """The surfaces that a share of several runs attain, computed by the package moocore (extra `mo`).

        V. Grunert da Fonseca, C. M. Fonseca and A. O. Hall, "Inferential performance assessment of stochastic
        optimisers and the attainment function", EMO 2001.

        Parameters
        ----------
        fronts : sequence of Front
            The front of each run, with two or three objectives.
        percentiles : sequence of float
            Shares of the runs, 0 ... 100.

        Returns
        -------
        numpy.ndarray of float64, shape (P, K + 1)
            Points, with all objectives minimised; the last column is the percentile of the point's surface.

        Raises
        ------
        InputError
            If there is no front, the fronts have different objectives, or moocore is not installed.
        """
        if not fronts or any(each.objectives != fronts[0].objectives for each in fronts):
            raise InputError("Attainment needs one front or more, all of the same objectives.")
        points = np.concatenate([each.minimised for each in fronts]).astype(float)
        runs = np.repeat(np.arange(1, len(fronts) + 1), [len(each) for each in fronts])
        return np.asarray(moocore().eaf(points, runs, percentiles=list(percentiles)))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the costs, all minimised, for moocore and the EAF tools; `write_sets` writes several fronts."""
        write_sets(path, [self.minimised])

    def to_columns(self) -> dict[str, np.ndarray]:
        """The front as columns by name, for ``pandas.DataFrame(...)``: the objectives, walk and iteration."""
        columns = {name: self.costs[:, k] for k, name in enumerate(self.objectives)}
        return {**columns, "walk": self.walks, "iteration": self.born}

    def to_dataframe(self) -> Any:
        """The columns of `to_columns` as a `pandas.DataFrame`, a row for each solution.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        columns = self.to_columns()
        return data_frame(list(columns), zip(*columns.values(), strict=True))

    def plot(self, *others: Front, labels: Sequence[str] = ()) -> Any:
        """Draw the front and other fronts: two objectives as staircases, more as a projection on each pair.

        Parameters
        ----------
        *others : Front
            Other fronts with the same objectives.
        labels : sequence of str, optional
            The names of the fronts.

        Returns
        -------
        matplotlib.figure.Figure
            To be shown or saved.

        Raises
        ------
        InputError
            If the objectives differ, labels are missing, or matplotlib is not installed (extra `plot`).
        """
        from metaheur.pictures.fronts import draw

        return draw((self, *others), labels)

    @staticmethod
    def plot_attainment(fronts: Sequence[Front], percentiles: Sequence[float] = (25, 50, 75)) -> Any:
        """Draw the surfaces that a share of several runs attain: staircases, for three objectives on each pair.

        Parameters
        ----------
        fronts, percentiles
            As for `attainment`.

        Returns
        -------
        matplotlib.figure.Figure
            To be shown or saved.

        Raises
        ------
        InputError
            As for `attainment`, or if matplotlib is not installed (extra `plot`).
        """
        from metaheur.pictures.fronts import draw_attainment

        return draw_attainment(fronts, percentiles)

    def _row(self, value: Any, name: str) -> np.ndarray:
        row = np.asarray(value)
        if row.shape != (len(self.objectives),) or row.dtype.kind not in "iuf" or not np.isfinite(row).all():
            raise InputError(
                f"`{name}` must hold a finite number for each of the objectives {', '.join(self.objectives)}, but is "
                f"{value!r}."
            )
        return row

    def _require_like(self, other: Front, act: str) -> None:
        """Refuse a front of other objectives, or with other signs."""
        if other.objectives != self.objectives or (other.signs != self.signs).any():
            one, another = (
                ", ".join(
                    name if sign > 0 else f"{name} (maximised)"
                    for name, sign in zip(each.objectives, each.signs.tolist(), strict=True)
                )
                for each in (self, other)
            )
            raise InputError(f"A front of {one} cannot be {act} with one of {another}.")

    def _points(self, reference: Any) -> np.ndarray:
        """Another front's costs, all minimised, shape (M, K)."""
        if isinstance(reference, Front):
            self._require_like(reference, "compared")
        points = reference.costs if isinstance(reference, Front) else np.asarray(reference)
        if points.ndim != 2 or points.shape[1] != len(self.objectives) or not len(points):
            raise InputError(
                f"A reference front has the shape (M, {len(self.objectives)}), but this one has {points.shape}."
            )
        if points.dtype.kind not in "iuf" or not np.isfinite(points).all():
            raise InputError(f"A reference front must hold finite numbers, but is {points.tolist()!r}.")
        found: np.ndarray = points * self.signs
        return found
